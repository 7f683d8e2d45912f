package io.fengyu.agent.tool.web;

import io.fengyu.agent.tool.ToolException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of an answer that is for reading.
 *
 * @param title empty when it has none
 */
record PageText(String title, String text) {

  private static final Pattern XML_ENCODING =
      Pattern.compile("^<\\?xml[^>]{0,100}encoding=[\"']([A-Za-z0-9._-]+)[\"']");
  private static final int SNIFFED = 512;

  static PageText of(Answer answer) throws ToolException {
    var type = ContentType.of(answer.contentType());
    if (type.html() || (type.type().isEmpty() && looksLikeHtml(answer.body()))) {
      return ReadableHtml.read(answer, type);
    }
    if (!type.text() && !type.type().isEmpty()) {
      throw new ToolException("the content is no readable text: " + type.type());
    }
    var text = text(answer.body(), type, answer.cut());
    if (text.indexOf('\0') >= 0) {
      throw new ToolException("the content is no readable text");
    }
    return new PageText("", text);
  }

  private static boolean looksLikeHtml(byte[] body) {
    var start =
        new String(body, 0, Math.min(SNIFFED, body.length), StandardCharsets.ISO_8859_1).strip();
    return start.regionMatches(true, 0, "<!doctype html", 0, 14)
        || start.regionMatches(true, 0, "<html", 0, 5);
  }

  private static String text(byte[] body, ContentType type, boolean cut) {
    var marked = byteOrderMark(body);
    if (marked != null) {
      return new String(body, marked).substring(1);
    }
    if (type.charset().isPresent()) {
      return new String(body, type.charset().get());
    }
    var declared =
        XML_ENCODING.matcher(
            new String(body, 0, Math.min(SNIFFED, body.length), StandardCharsets.ISO_8859_1));
    if (declared.find()) {
      var charset = ContentType.of("x;charset=" + declared.group(1)).charset();
      return new String(body, charset.orElse(StandardCharsets.UTF_8));
    }
    return guessed(body, cut);
  }

  private static @Nullable Charset byteOrderMark(byte[] body) {
    if (body.length >= 3 && body[0] == (byte) 0xef && body[1] == (byte) 0xbb) {
      return StandardCharsets.UTF_8;
    }
    if (body.length >= 2 && body[0] == (byte) 0xfe && body[1] == (byte) 0xff) {
      return StandardCharsets.UTF_16BE;
    }
    return body.length >= 2 && body[0] == (byte) 0xff && body[1] == (byte) 0xfe
        ? StandardCharsets.UTF_16LE
        : null;
  }

  // A body that was cut may end in the middle of a character.
  private static String guessed(byte[] body, boolean cut) {
    if (cut) {
      return new String(body, StandardCharsets.UTF_8);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException other) {
      return new String(body, Charset.forName("GB18030"));
    }
  }
}
