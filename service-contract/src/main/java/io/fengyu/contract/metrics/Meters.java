package io.fengyu.contract.metrics;

import io.fengyu.contract.problem.Problem;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The process's metrics by name, the series of one name summed up. */
@ApplicationScoped
class Meters {

  /** One figure of a metric. */
  record Figure(String statistic, double value) {}

  /** A label, and the values it has. */
  record Label(String tag, SortedSet<String> values) {}

  /** A metric. */
  record Reading(String name, List<Figure> measurements, List<Label> availableTags) {}

  private final MeterRegistry registry;

  Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  SortedSet<String> names() {
    var names = new TreeSet<String>();
    registry.getMeters().forEach(meter -> names.add(meter.getId().getName()));
    return names;
  }

  Reading read(String name, List<String> wanted) {
    var series =
        registry.getMeters().stream()
            .filter(meter -> meter.getId().getName().equals(name))
            .filter(meter -> wanted.stream().allMatch(tag -> has(meter, tag)))
            .toList();
    if (series.isEmpty()) {
      throw Problem.of(404, "METRIC_NOT_FOUND").with("name", name).asFailure();
    }
    return new Reading(name, figures(series), labels(series));
  }

  private static boolean has(Meter meter, String wanted) {
    return meter.getId().getTags().stream()
        .anyMatch(tag -> wanted.equals(tag.getKey() + ":" + tag.getValue()));
  }

  private static List<Figure> figures(Collection<Meter> series) {
    Map<Statistic, Double> figures = new EnumMap<>(Statistic.class);
    for (var meter : series) {
      for (var measured : meter.measure()) {
        add(figures, measured);
      }
    }
    return figures.entrySet().stream()
        .map(figure -> new Figure(figure.getKey().name(), figure.getValue()))
        .toList();
  }

  private static void add(Map<Statistic, Double> figures, Measurement measured) {
    figures.merge(
        measured.getStatistic(),
        measured.getValue(),
        measured.getStatistic() == Statistic.MAX ? Math::max : Double::sum);
  }

  private static List<Label> labels(Collection<Meter> series) {
    Map<String, SortedSet<String>> labels = new TreeMap<>();
    for (var meter : series) {
      for (var tag : meter.getId().getTags()) {
        labels.computeIfAbsent(tag.getKey(), key -> new TreeSet<>()).add(tag.getValue());
      }
    }
    return labels.entrySet().stream()
        .map(label -> new Label(label.getKey(), label.getValue()))
        .toList();
  }
}
