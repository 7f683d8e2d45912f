package io.fengyu.agent.tool.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/** The text of a page that a reader would read, with its paragraphs, headings, lists and tables. */
final class ReadableHtml implements NodeVisitor {

  private static final String NOT_READ =
      "script,style,noscript,template,svg,canvas,iframe,object,nav,dialog,[hidden],"
          + "[aria-hidden=true],[style~=(?i)display:\\s*none]";
  private static final String FRAME = "header,footer,aside,form";
  // A main part that holds less than this share of the page is not its main part.
  private static final double SHARE = 0.3;
  private static final Set<String> OWN_LINE =
      Set.of("li", "tr", "br", "dt", "dd", "figcaption", "option", "summary");

  private final StringBuilder out = new StringBuilder();
  private int pre;

  private ReadableHtml() {}

  static PageText read(Answer answer, ContentType type) {
    var charset = type.charset().map(known -> known.name()).orElse(null);
    try {
      var page =
          Jsoup.parse(new ByteArrayInputStream(answer.body()), charset, answer.url().toString());
      var title = page.title();
      return new PageText(title, text(page));
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory can be read", impossible);
    }
  }

  private static String text(Document page) {
    page.select(NOT_READ).remove();
    var reader = new ReadableHtml();
    reader.take(main(page));
    return reader.out.toString().strip();
  }

  private static Element main(Document page) {
    var body = page.body();
    int whole = body.text().length();
    for (var main : page.select("main,[role=main],article")) {
      if (main.text().length() >= whole * SHARE) {
        return main;
      }
    }
    body.select(FRAME).stream()
        .filter(frame -> frame.text().length() < whole * SHARE)
        .forEach(Element::remove);
    return body;
  }

  private void take(Element element) {
    element.traverse(this);
  }

  @Override
  public void head(Node node, int depth) {
    if (node instanceof TextNode text) {
      words(pre > 0 ? text.getWholeText() : text.text());
    } else if (node instanceof Element element) {
      opens(element);
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (node instanceof Element element) {
      closes(element);
    }
  }

  private void opens(Element element) {
    var name = element.normalName();
    switch (name) {
      case "h1", "h2", "h3", "h4", "h5", "h6" -> {
        paragraph();
        out.append("#".repeat(name.charAt(1) - '0')).append(' ');
      }
      case "li" -> {
        line();
        out.append("- ");
      }
      case "pre" -> {
        paragraph();
        pre++;
      }
      case "td", "th" -> cell();
      default -> apart(element);
    }
  }

  private void closes(Element element) {
    if (element.normalName().equals("pre")) {
      pre--;
    }
    if (!element.normalName().equals("br")) {
      apart(element);
    }
  }

  private void apart(Element element) {
    if (OWN_LINE.contains(element.normalName())) {
      line();
    } else if (element.isBlock() && !Set.of("td", "th").contains(element.normalName())) {
      paragraph();
    }
  }

  private void cell() {
    if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
      out.append(" | ");
    }
  }

  private void words(String text) {
    boolean atStart = out.isEmpty() || Character.isWhitespace(out.charAt(out.length() - 1));
    out.append(pre == 0 && atStart ? text.stripLeading() : text);
  }

  private void line() {
    trim();
    if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
      out.append('\n');
    }
  }

  private void paragraph() {
    if (endsWithBullet()) {
      return;
    }
    line();
    if (out.length() > 1 && out.charAt(out.length() - 2) != '\n') {
      out.append('\n');
    }
  }

  private boolean endsWithBullet() {
    int length = out.length();
    return length >= 2
        && out.charAt(length - 1) == ' '
        && out.charAt(length - 2) == '-'
        && (length == 2 || out.charAt(length - 3) == '\n');
  }

  private void trim() {
    while (!out.isEmpty() && out.charAt(out.length() - 1) == ' ') {
      out.setLength(out.length() - 1);
    }
  }
}
