package io.fengyu.contract.plan;

/**
 * One placeholder: where its value comes from, and which part of it.
 *
 * @param path from the root of that value
 */
public record Reference(Source source, ValuePath path) {

  /** Where a value comes from. */
  public sealed interface Source {

    /** An earlier step by index: {@code steps.N.result}. */
    record Step(int index, Side side) implements Source {}

    /** The step before: {@code last.result}. */
    record Last() implements Source {}

    /** An earlier step by node id: {@code node.<id>.result}. */
    record Node(String id, Side side) implements Source {}

    /** A bound input: {@code inputs.<name>}. */
    record Input(String name) implements Source {}
  }

  /** What of a step. */
  public enum Side {
    RESULT,
    INPUT;

    String word() {
      return this == RESULT ? "result" : "input";
    }
  }

  /** The same path from another source. */
  public Reference from(Source other) {
    return new Reference(other, path);
  }

  /** Name of the root, for messages: {@code steps.0.result}. */
  public String root() {
    return switch (source) {
      case Source.Step step -> "steps." + step.index() + "." + step.side().word();
      case Source.Last last -> "last.result";
      case Source.Node node -> named("node", node.id()) + "." + node.side().word();
      case Source.Input input -> named("inputs", input.name());
    };
  }

  private static String named(String word, String name) {
    var text = new StringBuilder(word);
    ValuePath.appendKey(text, name);
    return text.toString();
  }

  /** The placeholder as it is written, without spaces. */
  @Override
  public String toString() {
    return "{{" + root() + path + "}}";
  }
}
