package io.rockpool.compatibility.machines;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.compatibility.machines.StalenessChecker.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The times in which a process was held up, in a file that survives its death: by a signal, by a
 * machine that is busy with others, or by its own garbage collector.
 */
final class PauseLog {
  private static final String SUFFIX = ".pauses";
  private static final long PERIOD_MILLIS = 20;

  /** What is later than this was held up. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private PauseLog() {}

  /** Begins to note the pauses of this process in a directory. */
  static void start(Path directory, Life process) {
    Path file = directory.resolve(process.machine() + "." + process.life() + SUFFIX);
    Thread thread = new Thread(() -> note(file, process.machine()), "pauses");
    thread.setDaemon(true);
    thread.start();
  }

  private static void note(Path file, int machine) {
    try {
      Files.createFile(file);
      long last = System.nanoTime();
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        long now = System.nanoTime();
        if (now - last > LATE_NANOS) {
          String line = machine + " " + last + " " + now + "\n";
          Files.writeString(file, line, US_ASCII, StandardOpenOption.APPEND);
        }
        last = now;
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("Pauses are not noted any more.", e);
    }
  }

  /** Reads the pauses of all processes in a directory. */
  static List<Pause> readAll(Path directory) throws IOException {
    List<Pause> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(it -> it.toString().endsWith(SUFFIX)).toList()) {
        String text = Files.readString(file, US_ASCII);
        // The process may have died in the middle of a line.
        text.substring(0, text.lastIndexOf('\n') + 1)
            .lines()
            .map(line -> line.split(" ", -1))
            .map(
                part ->
                    new Pause(
                        Integer.parseInt(part[0]),
                        Long.parseLong(part[1]),
                        Long.parseLong(part[2])))
            .forEach(all::add);
      }
    }
    return all;
  }
}
