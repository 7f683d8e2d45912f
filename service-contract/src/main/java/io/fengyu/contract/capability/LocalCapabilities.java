package io.fengyu.contract.capability;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What this service can do; what is not named it cannot. */
@ApplicationScoped
public class LocalCapabilities {

  private final List<Capability> all;

  LocalCapabilities(@All List<Capability> all) {
    this.all = List.copyOf(all);
  }

  /** Name and whether it works here, now. */
  public Map<String, Boolean> now() {
    var now = new TreeMap<String, Boolean>();
    all.forEach(capability -> now.put(capability.name(), capability.available()));
    return now;
  }
}
