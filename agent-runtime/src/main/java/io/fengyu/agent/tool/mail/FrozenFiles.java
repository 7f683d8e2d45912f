package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.SafeName;
import io.fengyu.agent.tool.SecureTree;
import io.fengyu.agent.tool.StoredPlaces;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.mail.Planned.Attached;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Files as they were when a mail was prepared: nothing else is ever sent in their place. */
@ApplicationScoped
class FrozenFiles {

  private final StoredPlaces places;
  private final MailConfig config;

  FrozenFiles(StoredPlaces places, MailConfig config) {
    this.places = places;
    this.config = config;
  }

  /** A file that the call may read, with its digest. */
  Attached freeze(Reach reach, String named) throws ToolException, IOException {
    var real = reach.located(named);
    try (var file = reach.open(named)) {
      if (file.size() > config.attachmentBytes()) {
        throw tooLarge();
      }
      var size = file.size();
      var digest = copy(file, OutputStream.nullOutputStream());
      var name = SafeName.of(String.valueOf(real.getFileName()));
      return new Attached(name, places.store(real), size, digest);
    }
  }

  ToolException tooLarge() {
    return new ToolException(
        "the attachments of one mail may have at most "
            + config.attachmentBytes() / (1024 * 1024)
            + " MiB");
  }

  long mostBytes() {
    return config.attachmentBytes();
  }

  /**
   * Copies a file to where nobody else writes, and so that it cannot change while it is sent.
   *
   * @throws ToolException when it is not the file any more that was prepared
   */
  void thaw(Attached attached, Path copy) throws ToolException, IOException {
    var source = places.load(attached.location());
    var folder = source.getParent();
    var name = source.getFileName();
    if (folder == null || name == null) {
      throw changed(attached);
    }
    try (var file = SecureTree.at(folder).read(name);
        var out = Files.newOutputStream(copy)) {
      if (file.size() != attached.size() || !copy(file, out).equals(attached.sha256())) {
        throw changed(attached);
      }
    } catch (ToolException | IOException gone) {
      throw changed(attached);
    }
  }

  private static ToolException changed(Attached attached) {
    return new ToolException(
        "the attachment " + attached.name() + " is gone or was changed since it was prepared");
  }

  private static String copy(SeekableByteChannel file, OutputStream out) throws IOException {
    var sha = sha256();
    try (var in = new DigestInputStream(Channels.newInputStream(file), sha)) {
      in.transferTo(out);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
