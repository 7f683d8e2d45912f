package io.fengyu.agent.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Keeps uploaded files in the workspace of the conversation that they were used in. */
final class HandedIn {

  private static final int MOST_OF_A_NAME = 100;

  private HandedIn() {}

  /** Each once, however often it is used; another file of the same name gets a number. */
  static void keep(List<Path> uploads, Path area) throws IOException {
    Files.createDirectories(area);
    for (var upload : uploads) {
      try {
        keep(upload, area);
      } catch (NoSuchFileException takenBack) {
        // Then it is not used either.
      }
    }
  }

  private static void keep(Path upload, Path area) throws IOException {
    var name = String.valueOf(upload.getFileName());
    for (int number = 1; number <= MOST_OF_A_NAME; number++) {
      var place = area.resolve(number == 1 ? name : numbered(name, number));
      if (Files.exists(place) && Files.isSameFile(place, upload)) {
        return;
      }
      try {
        link(upload, place);
        return;
      } catch (FileAlreadyExistsException other) {
        // The next number then.
      }
    }
  }

  private static void link(Path upload, Path place) throws IOException {
    try {
      Files.createLink(place, upload);
    } catch (UnsupportedOperationException noLinks) {
      Files.copy(upload, place);
    }
  }

  private static String numbered(String name, int number) {
    int dot = name.lastIndexOf('.');
    return dot <= 0
        ? name + " (" + number + ")"
        : name.substring(0, dot) + " (" + number + ")" + name.substring(dot);
  }
}
