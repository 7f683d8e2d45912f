package io.fengyu.chat.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Consecutive frames, the oldest of which go first; found by their numbers. */
final class FrameWindow {

  private @Nullable Frame[] ring = new Frame[16];
  private int head;
  private int size;
  private int bytes;

  void add(Frame frame) {
    if (size == ring.length) {
      grow();
    }
    ring[(head + size++) % ring.length] = frame;
    bytes += frame.bytes().length;
  }

  private void grow() {
    var larger = new @Nullable Frame[ring.length * 2];
    for (var i = 0; i < size; i++) {
      larger[i] = get(i);
    }
    ring = larger;
    head = 0;
  }

  private Frame get(int index) {
    return Objects.requireNonNull(ring[(head + index) % ring.length]);
  }

  int bytes() {
    return bytes;
  }

  /** Lets go of the oldest while there are more bytes than that, but of none above {@code last}. */
  void trim(int most, long last) {
    while (bytes > most && size > 0 && get(0).seq() <= last) {
      bytes -= get(0).bytes().length;
      ring[head] = null;
      head = (head + 1) % ring.length;
      size--;
    }
  }

  /** Frames after {@code cursor} up to {@code last}; null when some are not here any more. */
  @Nullable List<Frame> after(long cursor, long last, int maxBytes) {
    if (cursor >= last) {
      return List.of();
    }
    if (size == 0 || get(0).seq() > cursor + 1) {
      return null;
    }
    var frames = new ArrayList<Frame>();
    var taken = 0;
    for (var i = (int) (cursor + 1 - get(0).seq()); i < size && taken < maxBytes; i++) {
      var frame = get(i);
      if (frame.seq() > last) {
        break;
      }
      frames.add(frame);
      taken += frame.bytes().length;
    }
    return frames;
  }
}
