package io.fengyu.contract.time;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Time in UTC; a test that sets the time brings a {@link Clock} bean of its own. */
@Singleton
class SystemClock {

  @Produces
  @Singleton
  @DefaultBean
  Clock clock() {
    return Clock.systemUTC();
  }
}
