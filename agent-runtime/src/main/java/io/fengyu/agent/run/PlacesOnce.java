package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The folders and grants of a run, opened by its own thread when a step first needs them. */
final class PlacesOnce {

  private static final Duration READY_WITHIN = Duration.ofSeconds(30);

  private final RunWork work;
  private final RunFiles files;
  private volatile @Nullable RunPlaces opened;

  PlacesOnce(RunWork work, RunFiles files) {
    this.work = work;
    this.files = files;
  }

  RunPlaces get() {
    var places = opened;
    if (places == null) {
      places =
          files
              .open(work.owner(), work.runId(), work.origin().home(), work.sessionId())
              .await()
              .atMost(READY_WITHIN);
      opened = places;
    }
    return places;
  }
}
