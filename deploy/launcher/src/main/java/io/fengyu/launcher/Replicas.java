package io.fengyu.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Every process of the services, by what it is; the commands of several people may ask at once. */
final class Replicas {

  private final Map<Replica, Child> all = new LinkedHashMap<>();

  void add(Replica replica, Child child) {
    synchronized (all) {
      all.put(replica, child);
    }
  }

  Replica edge() {
    synchronized (all) {
      return all.keySet().stream()
          .filter(r -> r.service() == Service.EDGE)
          .findFirst()
          .orElseThrow();
    }
  }

  List<Replica> keys() {
    synchronized (all) {
      return List.copyOf(all.keySet());
    }
  }

  List<Child> children() {
    synchronized (all) {
      return List.copyOf(all.values());
    }
  }

  /** Without holding them all: who restarts one of them holds that, and asks for the others. */
  void forEach(BiConsumer<Replica, Child> each) {
    Map<Replica, Child> now;
    synchronized (all) {
      now = new LinkedHashMap<>(all);
    }
    now.forEach(each);
  }

  List<Child> ofService(Service service) {
    synchronized (all) {
      return all.entrySet().stream()
          .filter(e -> e.getKey().service() == service)
          .map(Map.Entry::getValue)
          .toList();
    }
  }

  /** All replicas of a service, or the one whose number the name ends with. */
  List<Child> named(String name) {
    var dash = name.lastIndexOf('-');
    if (dash < 0 || !name.substring(dash + 1).matches("[0-9]{1,3}")) {
      return ofService(Service.named(name));
    }
    var service = Service.named(name.substring(0, dash));
    var number = Integer.parseInt(name.substring(dash + 1));
    synchronized (all) {
      return all.entrySet().stream()
          .filter(e -> e.getKey().service() == service && e.getKey().number() == number)
          .map(Map.Entry::getValue)
          .findFirst()
          .map(List::of)
          .orElseThrow(() -> new LaunchException(service.module() + " has no replica " + number));
    }
  }

  /** Takes out those above a number. */
  List<Child> takeSurplus(Service service, int wanted) {
    synchronized (all) {
      var surplus = all.keySet().stream().filter(r -> r.service() == service).skip(wanted).toList();
      return surplus.stream().map(all::remove).toList();
    }
  }

  List<String> addresses(Service service) {
    return keys().stream().filter(r -> r.service() == service).map(Replica::address).toList();
  }

  /** Where the services are, as they are told of each other. */
  String peers() {
    var parts = new ArrayList<String>();
    for (var service : Service.values()) {
      if (service != Service.EDGE) {
        var list = addresses(service).stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
        parts.add("\"" + service.key() + "\":" + list);
      }
    }
    return "{" + String.join(",", parts) + "}";
  }
}
