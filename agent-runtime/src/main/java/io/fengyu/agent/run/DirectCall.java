package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelBlock;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of a model in a direct run.
 *
 * @param index which call of the run it is, from 0
 * @param id unique in the run
 * @param written the arguments as the model wrote them
 * @param args the same as JSON; null when they are no object
 */
record DirectCall(int index, String id, String name, String written, @Nullable ObjectNode args) {

  static DirectCall of(int index, ModelBlock.Call call) {
    var written = call.arguments();
    var args =
        written.isBlank()
            ? JsonNodeFactory.instance.objectNode()
            : Json.valueOf(written) instanceof ObjectNode object ? object : null;
    return new DirectCall(index, call.id(), call.name(), written, args);
  }
}
