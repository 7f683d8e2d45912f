package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.publication.Publications;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Puts together what is started when a workflow is called. Everything comes from one row that was
 * read once, so a publication meanwhile cannot mix versions.
 */
@ApplicationScoped
class BoundWorkflow {

  private final Definitions definitions;
  private final Publications publications;

  BoundWorkflow(Definitions definitions, Publications publications) {
    this.definitions = definitions;
    this.publications = publications;
  }

  Uni<ObjectNode> bind(String id, String owner, RunWish wish, boolean draft) {
    var definition = draft ? definitions.get(id, owner) : publications.active(id, owner);
    return definition.map(found -> bound(found, wish));
  }

  private static ObjectNode bound(Definition definition, RunWish wish) {
    return RunStart.of(definition, wish)
        .put("workflowId", definition.id())
        .put("revision", definition.revision())
        .put("name", definition.name());
  }
}
