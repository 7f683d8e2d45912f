package io.fengyu.agent.hook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.contract.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** An owner's list of hooks. */
final class HookDefinitions {

  static final int MOST = 50;

  private static final Logger LOG = Logger.getLogger(HookDefinitions.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private HookDefinitions() {}

  /**
   * Reads a body: the list, or an object that holds it as {@code hooks}.
   *
   * @throws ProblemException 400 when a hook of it is none
   */
  static List<HookDefinition> read(@Nullable JsonNode body) {
    var list = body != null && body.isObject() ? body.path("hooks") : body;
    if (!(list instanceof ArrayNode hooks)) {
      throw HookProblems.body();
    }
    if (hooks.size() > MOST) {
      throw HookProblems.tooMany(hooks.size(), MOST);
    }
    var all = new ArrayList<HookDefinition>(hooks.size());
    for (int i = 0; i < hooks.size(); i++) {
      all.add(HookDefinition.read(i, hooks.get(i)));
    }
    return List.copyOf(all);
  }

  /** What is stored of them. */
  static ArrayNode write(List<HookDefinition> hooks) {
    var list = JsonNodeFactory.instance.arrayNode(hooks.size());
    hooks.forEach(hook -> list.add(hook.toJson()));
    return list;
  }

  /** Those in the database; what can't be read there is left out and logged. */
  static List<HookDefinition> stored(String owner, @Nullable String document) {
    if (document == null) {
      return List.of();
    }
    try {
      return read(JSON.readTree(document));
    } catch (JsonProcessingException | ProblemException unreadable) {
      LOG.warnf("The stored hooks of %s can't be read: %s", owner, unreadable.getMessage());
      return List.of();
    }
  }
}
