package io.fengyu.workflow.template;

import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.RawBody;
import io.fengyu.workflow.tool.ToolDirectory;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The templates there are, and drafts made from them. */
@ApplicationScoped
public class Templates {

  private final List<Template> all =
      Stream.of("excel-email", "excel-split", "json-tidy", "conditional-tidy")
          .map(Template::read)
          .toList();

  private final ToolDirectory tools;
  private final Definitions definitions;

  Templates(ToolDirectory tools, Definitions definitions) {
    this.tools = tools;
    this.definitions = definitions;
  }

  /**
   * A template as the gallery shows it.
   *
   * @param requiredTools tools of its steps
   * @param missingTools those of them that the owner does not have now
   */
  public record Card(
      String id,
      String title,
      String description,
      List<String> requiredTools,
      List<String> missingTools) {}

  Uni<List<Card>> list(String owner, boolean chinese) {
    return tools
        .of(owner)
        .map(known -> all.stream().map(one -> card(one, known.keySet(), chinese)).toList());
  }

  /** A new draft; also when tools are missing, which a run of it will name. */
  Uni<Definition> instantiate(String id, String owner, @Nullable String name, boolean chinese) {
    var template =
        all.stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(() -> WorkflowProblems.templateNotFound(id));
    var draft = template.draft(chinese);
    if (name != null) {
      draft.put("name", name);
    }
    return definitions.create(owner, RawBody.of(draft.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static Card card(Template template, Set<String> known, boolean chinese) {
    var required = template.tools();
    return new Card(
        template.id(),
        template.text("title", chinese),
        template.text("description", chinese),
        required,
        required.stream().filter(tool -> !known.contains(tool)).toList());
  }
}
