package io.fengyu.agent.tool.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BatchPlanTest {

  private static final Tag EAST = new Tag(1, "East");
  private static final Tag SOUTH = new Tag(2, "South");
  private static final Tag HUADONG = new Tag(3, "华东");
  private static final Tag CUSTOMER = new Tag(4, "Customer");
  private static final Tag MANAGER = new Tag(5, "Manager");
  private static final Tag SLASH = new Tag(6, "A/B_1");
  private static final List<Tag> TAGS = List.of(EAST, SOUTH, HUADONG, CUSTOMER, MANAGER, SLASH);

  private static final List<Contact> CONTACTS =
      List.of(
          contact(1, "alice", 1, 4),
          contact(2, "bob", 1, 4, 5),
          contact(3, "carol", 1, 5),
          contact(4, "dana", 2, 4),
          contact(5, "li", 3),
          contact(6, "ALICE", 1));

  private static Contact contact(long id, String name, Long... tags) {
    return new Contact(id, name, name + "@x.example", List.of(tags));
  }

  private static Contact contact(long id, String name, Integer... tags) {
    return contact(id, name, List.of(tags).stream().map(Integer::longValue).toArray(Long[]::new));
  }

  @Test
  void aFileCalledAfterAGroupGoesToAllOfTheGroup() {
    var plan = plan(Set.of("East.xlsx", "华东.xlsx"), Set.of(1L, 3L), Set.of());

    assertThat(plan.mails()).extracting(mail -> mail.tag().name()).containsExactly("East", "华东");
    assertThat(emails(plan, 0))
        .containsExactly("alice@x.example", "bob@x.example", "carol@x.example");
    assertThat(emails(plan, 1)).containsExactly("li@x.example");
  }

  @Test
  void anotherRecipientGroupNarrowsItDown() {
    var plan =
        plan(Set.of("report_East.pdf", "extra_east.xlsx", "South.pdf"), Set.of(4L), Set.of(5L));

    assertThat(plan.mails().getFirst().files())
        .containsExactly("extra_east.xlsx", "report_East.pdf");
    assertThat(emails(plan, 0)).containsExactly("alice@x.example", "bob@x.example");
    assertThat(plan.mails().getFirst().cc())
        .extracting(Address::email)
        .containsExactly("carol@x.example");
    assertThat(emails(plan, 1)).containsExactly("dana@x.example");
  }

  @Test
  void whatGoesNowhereIsSaid() {
    var plan =
        plan(Set.of("README", "North.xlsx", "South.xlsx", "East.xlsx"), Set.of(1L, 3L), Set.of());

    assertThat(plan.ignored()).containsExactly("North.xlsx", "README");
    assertThat(plan.skipped()).containsExactly(SOUTH);
    assertThat(plan.without()).containsExactly(HUADONG);
  }

  @Test
  void namesThatNoFileCanHaveAreFoundAsTheSplitWritesThem() {
    var plan =
        BatchPlan.of(
            Set.of("x_A_B_1.csv"), TAGS, List.of(contact(9, "eve", 6)), Set.of(6L), Set.of());

    assertThat(plan.mails()).extracting(mail -> mail.tag()).containsExactly(SLASH);
  }

  private static BatchPlan plan(Set<String> files, Set<Long> recipients, Set<Long> copies) {
    return BatchPlan.of(files, TAGS, CONTACTS, recipients, copies);
  }

  private static List<String> emails(BatchPlan plan, int mail) {
    return plan.mails().get(mail).to().stream().map(Address::email).toList();
  }
}
