package io.fengyu.agent.tool.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Child;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/** What a command writes, each stream for itself and both as they came. */
final class Output {

  private static final Logger LOG = Logger.getLogger(Output.class);

  private final Child child;
  private final Excerpt stdout;
  private final Excerpt stderr;
  private final Excerpt both;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Thread> readers;

  private Output(Child child, int limit) {
    this.child = child;
    stdout = new Excerpt(limit);
    stderr = new Excerpt(limit);
    both = new Excerpt(limit);
    readers = List.of(reader(child.stdout(), stdout), reader(child.stderr(), stderr));
  }

  /** Begins to read. */
  static Output of(Child child, int limit) {
    var output = new Output(child, limit);
    output.readers.forEach(Thread::start);
    return output;
  }

  // Reads of pipes would hold the carriers of virtual threads.
  private Thread reader(InputStream stream, Excerpt excerpt) {
    return Thread.ofPlatform()
        .daemon()
        .name("output-of-" + child.pid())
        .unstarted(() -> new OutputReader(stream, (text, n) -> take(excerpt, text, n)).read());
  }

  private void take(Excerpt excerpt, int[] characters, int count) {
    lock.lock();
    try {
      excerpt.add(characters, count);
      both.add(characters, count);
    } finally {
      lock.unlock();
    }
  }

  /** Returns when all is read, or takes what there is when somebody else keeps a stream open. */
  void await(Duration patience) throws InterruptedException {
    for (var reader : readers) {
      if (!reader.join(patience)) {
        close();
      }
    }
  }

  private void close() {
    for (var stream : List.of(child.stdout(), child.stderr())) {
      try {
        stream.close();
      } catch (IOException e) {
        LOG.debugf("The output of process %d was closed before", child.pid());
      }
    }
  }

  void addTo(ObjectNode result) {
    lock.lock();
    try {
      boolean either = stdout.truncated() || stderr.truncated();
      result
          .put("stdout", stdout.text())
          .put("stderr", stderr.text())
          .put("stdoutTruncated", stdout.truncated())
          .put("stderrTruncated", stderr.truncated())
          .put("output", both.text())
          .put("outputTruncated", both.truncated())
          .put("truncated", either);
    } finally {
      lock.unlock();
    }
  }
}
