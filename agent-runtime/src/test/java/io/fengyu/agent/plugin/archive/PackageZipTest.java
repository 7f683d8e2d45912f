package io.fengyu.agent.plugin.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.agent.plugin.Fyp;
import io.fengyu.contract.problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackageZipTest {

  @TempDir Path place;

  /** Writes what no honest program would. */
  private interface Entries {
    void write(ZipArchiveOutputStream zip) throws IOException;
  }

  private Path zip(Entries entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipArchiveOutputStream(bytes)) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      entries.write(zip);
    }
    return Files.write(place.resolve("some.fyp"), bytes.toByteArray());
  }

  private static void add(ZipArchiveOutputStream zip, String name, int mode, byte[] content)
      throws IOException {
    var entry = new ZipArchiveEntry(name);
    if (mode != 0) {
      entry.setUnixMode(mode);
    }
    zip.putArchiveEntry(entry);
    zip.write(content);
    zip.closeArchiveEntry();
  }

  private static void add(ZipArchiveOutputStream zip, String name) throws IOException {
    add(zip, name, 0100644, "x".getBytes(StandardCharsets.UTF_8));
  }

  private void refused(Path file, String reason) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo("PLUGIN_PACKAGE_INVALID");
              assertThat(String.valueOf(refused.problem().params().get("reason"))).contains(reason);
            });
  }

  private static void read(Path file) throws IOException {
    try (var zip = PackageZip.open(file)) {
      zip.check();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../evil",
        "a/../../evil",
        "/etc/passwd",
        "a//b",
        "./a",
        "a/.",
        "C:/evil",
        "a\\..\\evil",
        "a/b\u0000c",
        "..",
        "ui/..",
        "a/ /b",
      })
  void anEntryThatCouldLeaveThePackageIsRefused(String name) throws Exception {
    refused(zip(zip -> add(zip, name)), "");
  }

  @Test
  void aDirectoryWhoseNameLeavesThePackageIsRefused() throws Exception {
    refused(
        zip(
            zip -> {
              zip.putArchiveEntry(new ZipArchiveEntry("../out/"));
              zip.closeArchiveEntry();
            }),
        "leaves the package");
  }

  @Test
  void linksAndDevicesAreRefused() throws Exception {
    for (int type : new int[] {0120777, 0020666, 0060666, 0010666, 0140777}) {
      var content = "/etc/passwd".getBytes(StandardCharsets.UTF_8);
      refused(zip(zip -> add(zip, "link", type, content)), "neither a file nor a directory");
    }
  }

  @Test
  void aNameThatIsThereTwiceIsRefusedWhateverItsCase() throws Exception {
    refused(
        zip(
            zip -> {
              add(zip, "manifest.json");
              add(zip, "manifest.json");
            }),
        "twice");
    refused(
        zip(
            zip -> {
              add(zip, "backend/worker.jar");
              add(zip, "Backend/Worker.JAR");
            }),
        "twice");
  }

  @Test
  void aFileThatIsADirectoryTooIsRefused() throws Exception {
    refused(
        zip(
            zip -> {
              add(zip, "a");
              add(zip, "a/b");
            }),
        "below a file");
    refused(
        zip(
            zip -> {
              add(zip, "a/b");
              add(zip, "a");
            }),
        "twice");
  }

  @Test
  void moreEntriesThanAllowedAreRefused() throws Exception {
    refused(
        zip(
            zip -> {
              for (int i = 0; i <= PackageZip.ENTRIES; i++) {
                add(zip, "f" + i);
              }
            }),
        "more than 2000 entries");
  }

  @Test
  void aBombIsRefusedWhateverSizesItClaims() throws Exception {
    var piece = new byte[1 << 20];
    var bomb =
        zip(
            zip -> {
              for (int i = 0; i < 5; i++) {
                zip.putArchiveEntry(new ZipArchiveEntry("zeros" + i));
                for (int mib = 0; mib < 60; mib++) {
                  zip.write(piece);
                }
                zip.closeArchiveEntry();
              }
            });

    assertThat(Files.size(bomb)).isLessThan(1 << 20);
    refused(bomb, "zip bomb");
  }

  @Test
  void whatIsDamagedOrNoZipIsRefused() throws Exception {
    refused(Files.writeString(place.resolve("text"), "PK but no zip"), "no complete zip");
    refused(Files.write(place.resolve("empty"), new byte[0]), "no complete zip");

    var sound = Fyp.empty().file("manifest.json", "{}").file("data", "some text").zip();
    var cut = java.util.Arrays.copyOf(sound, sound.length - 30);
    refused(Files.write(place.resolve("cut"), cut), "no complete zip");

    int at = new String(sound, StandardCharsets.ISO_8859_1).indexOf("data") + 5;
    sound[at] ^= 0x55;
    refused(Files.write(place.resolve("flipped"), sound), "damaged");
  }

  @Test
  void whatIsSoundIsUnpackedAsItIsAndProgramsCanBeRun() throws Exception {
    var file =
        Files.write(
            place.resolve("good"),
            Fyp.empty().file("manifest.json", "{}").file("bin/run.sh", "#!/bin/sh").zip());
    var home = Files.createDirectories(place.resolve("home"));

    try (var zip = PackageZip.open(file)) {
      zip.check();
      zip.unpack(home);
    }

    assertThat(home.resolve("manifest.json")).hasContent("{}");
    assertThat(Files.isExecutable(home.resolve("bin/run.sh"))).isTrue();
  }
}
