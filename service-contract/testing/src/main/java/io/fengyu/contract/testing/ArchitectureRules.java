package io.fengyu.contract.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

/** What holds the shape of every service; a module's own test checks them for its packages. */
public final class ArchitectureRules {

  private ArchitectureRules() {}

  /**
   * Checks all rules, and that every problem has its texts.
   *
   * @param root package of the module, such as {@code io.fengyu.agent}
   */
  public static void check(String root) {
    var production =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(root);
    featuresAreFreeOfCycles(root).allowEmptyShould(true).check(production);
    onlyResourcesTouchRest().allowEmptyShould(true).check(production);
    noOtherLogging().allowEmptyShould(true).check(production);
    packagesSayWhatIsNull(production);
    ProblemTextRules.check();
  }

  private static ArchRule featuresAreFreeOfCycles(String root) {
    return slices().matching(root + ".(*)..").should().beFreeOfCycles();
  }

  private static ArchRule onlyResourcesTouchRest() {
    return noClasses()
        .that(areNoResources())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jakarta.ws.rs..")
        .because("HTTP is translated in one place and nowhere else");
  }

  private static DescribedPredicate<JavaClass> areNoResources() {
    return DescribedPredicate.describe(
        "are no resources",
        type -> {
          var outer = type.getName().replaceAll("\\$.*", "");
          return !outer.endsWith("Resource") && !outer.contains("_");
        });
  }

  private static ArchRule noOtherLogging() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.logging.Logger")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("org.slf4j..")
        .because("there is one logger: org.jboss.logging");
  }

  private static void packagesSayWhatIsNull(JavaClasses production) {
    classes()
        .that(
            DescribedPredicate.describe(
                "are written by hand", type -> !type.getName().contains("_")))
        .should(
            com.tngtech.archunit.lang.conditions.ArchConditions.be(
                DescribedPredicate.<JavaClass>describe(
                    "in a package that is @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))))
        .allowEmptyShould(true)
        .check(production);
  }
}
