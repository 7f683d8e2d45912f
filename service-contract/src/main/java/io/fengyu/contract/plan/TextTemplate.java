package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A text with placeholders, read once. What is put in for one is never read again: a value that
 * looks like a placeholder stays the characters it is.
 */
public final class TextTemplate {

  /** What a text may grow to: a value can be named many times, and again by what names this. */
  private static final int LONGEST = 8 * 1024 * 1024;

  private final List<Piece> pieces;

  private TextTemplate(List<Piece> pieces) {
    this.pieces = pieces;
  }

  sealed interface Piece {

    record Literal(String text) implements Piece {}

    record Placeholder(Reference reference, String text) implements Piece {}

    record Malformed(String text) implements Piece {}
  }

  /** Where the values of placeholders come from. */
  @FunctionalInterface
  public interface Values {

    /**
     * The value of a reference.
     *
     * @throws UnresolvedReferenceException when there is none
     */
    JsonNode of(Reference reference);
  }

  /** Reads a text. */
  public static TextTemplate parse(String text) {
    var pieces = new ArrayList<Piece>(3);
    int done = 0;
    int at = text.indexOf("{{");
    while (at >= 0) {
      var found = ReferenceScanner.read(text, at);
      if (found == null) {
        at = text.indexOf("{{", at + 1);
        continue;
      }
      if (at > done) {
        pieces.add(new Piece.Literal(text.substring(done, at)));
      }
      var span = text.substring(at, found.end());
      pieces.add(
          found.reference() == null
              ? new Piece.Malformed(span)
              : new Piece.Placeholder(found.reference(), span));
      done = found.end();
      at = text.indexOf("{{", done);
    }
    if (done < text.length() || pieces.isEmpty()) {
      pieces.add(new Piece.Literal(text.substring(done)));
    }
    return new TextTemplate(List.copyOf(pieces));
  }

  /** True when nothing in it will ever be replaced. */
  public boolean constant() {
    return pieces.stream().noneMatch(Piece.Placeholder.class::isInstance);
  }

  /** The placeholders, in order. */
  public List<Reference> references() {
    return pieces.stream()
        .filter(Piece.Placeholder.class::isInstance)
        .map(piece -> ((Piece.Placeholder) piece).reference())
        .toList();
  }

  /** What begins like a placeholder and isn't one, as written. */
  public List<String> malformed() {
    return pieces.stream()
        .filter(Piece.Malformed.class::isInstance)
        .map(piece -> ((Piece.Malformed) piece).text())
        .toList();
  }

  /** The value with its type when the text is exactly one placeholder, a string otherwise. */
  public JsonNode resolve(Values values) {
    if (pieces.size() == 1 && pieces.getFirst() instanceof Piece.Placeholder only) {
      return values.of(only.reference());
    }
    return TextNode.valueOf(render(values));
  }

  /**
   * The text with every placeholder rendered: strings raw, other values as compact JSON.
   *
   * @throws UnresolvedReferenceException also when the text would become too long
   */
  public String render(Values values) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      var next =
          switch (piece) {
            case Piece.Literal literal -> literal.text();
            case Piece.Malformed malformed -> malformed.text();
            case Piece.Placeholder placeholder -> text(values.of(placeholder.reference()));
          };
      if (text.length() + next.length() > LONGEST) {
        throw new UnresolvedReferenceException(
            "a text with its references filled in is longer than " + LONGEST + " characters");
      }
      text.append(next);
    }
    return text.toString();
  }

  /** The same text with other references in it; those that stay are written as they were. */
  public String rewrite(UnaryOperator<Reference> change) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      switch (piece) {
        case Piece.Literal literal -> text.append(literal.text());
        case Piece.Malformed malformed -> text.append(malformed.text());
        case Piece.Placeholder(var reference, var written) -> {
          var changed = change.apply(reference);
          text.append(changed.equals(reference) ? written : changed.toString());
        }
      }
    }
    return text.toString();
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }
}
