package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Whole text files, up to a size. */
final class TextFile {

  /** Larger files are not for these tools. */
  static final int LARGEST = 2 << 20;

  private TextFile() {}

  /** Reads and closes the channel. */
  static byte[] bytes(SeekableByteChannel file, String named) throws IOException, ToolException {
    try (file) {
      if (file.size() > LARGEST) {
        throw new ToolException("the file is larger than 2 MiB: " + named);
      }
      // It may grow while it is read; one byte more tells.
      var bytes = ByteBuffer.allocate((int) file.size() + 1);
      while (bytes.hasRemaining() && file.read(bytes) >= 0) {
        // Until the end.
      }
      if (!bytes.hasRemaining()) {
        throw new ToolException("the file is being written right now: " + named);
      }
      var content = new byte[bytes.position()];
      bytes.flip().get(content);
      return content;
    }
  }

  /** The text, or a refusal when it is none. */
  static String text(byte[] bytes, String named) throws ToolException {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') < 0) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // No text; said below.
    }
    throw new ToolException("the file is no text (UTF-8): " + named);
  }

  static byte[] bytes(String text) throws ToolException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LARGEST) {
      throw new ToolException("the content is larger than 2 MiB");
    }
    return bytes;
  }
}
