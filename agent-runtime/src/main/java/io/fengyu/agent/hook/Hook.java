package io.fengyu.agent.hook;

import com.google.re2j.Pattern;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hook that is ready to be run.
 *
 * @param name as it is shown in reasons and logs
 * @param matcher searched in the names of tools; means nothing to the ends of runs
 */
public record Hook(String name, HookEvent event, Pattern matcher, Action action, Duration timeout) {

  /** What is done. */
  public sealed interface Action {

    /**
     * A command line for {@code /bin/sh -c}.
     *
     * @param directory where it runs; null for the data directory
     * @param environment what it gets besides the cleaned environment
     */
    record Command(String line, @Nullable Path directory, Map<String, String> environment)
        implements Action {}

    /**
     * An address that the event is posted to.
     *
     * @param publicOnly true when private addresses are refused, whatever the operator allows
     */
    record Http(URI url, boolean publicOnly) implements Action {}
  }

  boolean concerns(HookEvent happened, @Nullable String tool) {
    return event == happened && (tool == null || matcher.matcher(tool).find());
  }
}
