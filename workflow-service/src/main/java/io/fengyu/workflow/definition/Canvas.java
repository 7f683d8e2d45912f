package io.fengyu.workflow.definition;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.fengyu.workflow.compile.CanvasRebuilder;
import io.fengyu.workflow.json.ExactJson;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What an editor opens.
 *
 * @param reconstructed true when the graph was drawn from plan and layout
 */
public record Canvas(
    @JsonRawValue @Schema(type = SchemaType.OBJECT) String graph, boolean reconstructed) {

  static Canvas of(Definition definition) {
    if (!ExactJson.stored(definition.graph()).isEmpty()) {
      return new Canvas(definition.graph(), false);
    }
    var drawn =
        CanvasRebuilder.rebuild(
            ExactJson.stored(definition.plan()), ExactJson.stored(definition.layout()));
    return new Canvas(drawn.toString(), true);
  }
}
