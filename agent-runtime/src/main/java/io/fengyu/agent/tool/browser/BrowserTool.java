package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One thing that can be done with the pages of a run or conversation. */
final class BrowserTool implements Tool {

  private static final Logger LOG = Logger.getLogger(BrowserTool.class);
  private static final long TURN_WITHIN_SECONDS = 60;

  private final ToolSpec spec;
  private final Contexts contexts;
  private final Action action;

  BrowserTool(ToolSpec spec, Contexts contexts, Action action) {
    this.spec = spec;
    this.contexts = contexts;
    this.action = action;
  }

  /** Does it, while no other call uses the pages. */
  interface Action {
    ObjectNode act(Turn turn) throws BrowserGoneException, ToolException, InterruptedException;
  }

  /** What a call has to work with. */
  record Turn(ToolCall call, ToolArgs args, Context context) {

    Page page() throws BrowserGoneException, ToolException, InterruptedException {
      return context.page();
    }
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  Action action() {
    return action;
  }

  @Override
  public String call(ToolCall call) throws InterruptedException {
    try {
      return answer(call).toString();
    } catch (BrowserGoneException gone) {
      LOG.warnf("A call of %s came to nothing: %s", spec.name(), gone.getMessage());
      return failed("browser unavailable").toString();
    } catch (ToolException e) {
      return failed(String.valueOf(e.getMessage())).toString();
    }
  }

  private ObjectNode answer(ToolCall call)
      throws BrowserGoneException, ToolException, InterruptedException {
    var context = contexts.of(call);
    if (!context.lock.tryLock(TURN_WITHIN_SECONDS, TimeUnit.SECONDS)) {
      throw new ToolException("another call is using the page");
    }
    try {
      context.used();
      return action.act(new Turn(call, ToolArgs.of(call), context));
    } finally {
      context.used();
      context.lock.unlock();
    }
  }

  static ObjectNode failed(String why) {
    return JsonNodeFactory.instance.objectNode().put("success", false).put("summary", why);
  }

  static ObjectNode success(String summary) {
    return JsonNodeFactory.instance.objectNode().put("success", true).put("summary", summary);
  }

  /** A success that tells where the page is now, and what was kept from it. */
  static ObjectNode success(String summary, Turn turn, Page page)
      throws BrowserGoneException, InterruptedException {
    var result = success(summary);
    var place = page.placeOrNull();
    if (place != null) {
      result.put("url", place.path("url").asText()).put("title", place.path("title").asText());
    }
    turn.context().gate().refusal().ifPresent(why -> result.put("blocked", why));
    return result;
  }
}
