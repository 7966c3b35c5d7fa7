package io.rockpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows how many bytes of a directory's table files have been replaced by other files. */
final class FileProgress implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;

  private final Map<Path, Long> before;
  private final long allBytes;
  private final @Nullable Thread thread;
  private volatile boolean isDone;

  private FileProgress(Map<Path, Long> before, @Nullable PrintWriter target) {
    this.before = before;
    this.allBytes = before.values().stream().mapToLong(Long::longValue).sum();
    this.thread = target == null ? null : new Thread(() -> show(target), "rockpool-progress");
    if (thread != null) {
      thread.start();
    }
  }

  /**
   * Starts to show.
   *
   * @param target where to show it; null for nowhere
   */
  static FileProgress of(Path directory, @Nullable PrintWriter target) throws IOException {
    Map<Path, Long> files = new HashMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        if (file.toString().endsWith(".sst") || file.toString().endsWith(".blob")) {
          try {
            files.put(file, Files.size(file));
          } catch (NoSuchFileException e) {
            // RocksDB has just deleted it.
          }
        }
      }
    }
    return new FileProgress(files, target);
  }

  private void show(PrintWriter target) {
    ProgressLine line = new ProgressLine(target);
    try {
      while (!isDone) {
        line.show(replacedBytes(), allBytes);
        Thread.sleep(PERIOD_MILLIS);
      }
      line.end(allBytes);
    } catch (InterruptedException e) {
      if (isDone) {
        line.end(allBytes);
      } else {
        line.abandon();
      }
    }
  }

  private long replacedBytes() {
    return before.entrySet().stream()
        .filter(file -> Files.notExists(file.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The work succeeded. */
  void done() {
    isDone = true;
  }

  @Override
  public void close() throws InterruptedException {
    if (thread != null) {
      thread.interrupt();
      thread.join();
    }
  }
}
