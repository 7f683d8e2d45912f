package io.fengyu.chat.model;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which parameters a model at an address has refused, so that they are not tried with every
 * request. Learned by each process anew and bounded.
 */
@ApplicationScoped
class RefusedParameters {

  /** Stands for pictures of any kind: an endpoint without them reads words only. */
  static final String IMAGES = "images";

  private static final int MOST_MODELS = 512;

  private final Map<String, Set<String>> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
          return size() > MOST_MODELS;
        }
      };

  synchronized Set<String> of(Backend backend) {
    return known.getOrDefault(key(backend), Set.of());
  }

  /** True when the request will look different from now on. */
  synchronized boolean learn(Attempts attempts, String parameter) {
    if (!attempts.mayAdapt()) {
      return false;
    }
    var sentWithout = attempts.sentWithout();
    var again = sentWithout.contains(parameter);
    if (again && !parameter.equals("thinking")) {
      return false;
    }
    var refused = new HashSet<>(of(attempts.backend()));
    refused.add(parameter);
    if (again) {
      refused.add("thinking budget");
    }
    known.put(key(attempts.backend()), Set.copyOf(refused));
    return !refused.equals(sentWithout);
  }

  private static String key(Backend backend) {
    // What one owner's endpoint refused says nothing about another's.
    int credential = backend.apiKey() == null ? 0 : backend.apiKey().hashCode();
    return backend.mode() + " " + backend.baseUrl() + " " + backend.model() + " " + credential;
  }
}
