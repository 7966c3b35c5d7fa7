package io.rockpool.compatibility.machines;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rockpool.compatibility.machines.MachineOperation.Ending;
import io.rockpool.compatibility.machines.MachineOperation.Kind;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one thread, in a file that survives the death of its process: a write is noted
 * before it begins, and again when it has ended.
 */
final class OperationLog implements AutoCloseable {
  private static final String NONE = "-";
  private static final String SUFFIX = ".log";

  private final OutputStream file;
  private final Path failures;
  private long calls;
  private boolean lastReturned = true;

  /** Creates the log of a thread of a process in a directory. */
  OperationLog(Path directory, MachineOperation.Life process, String thread) {
    String name = process.machine() + "." + process.life() + "." + thread;
    failures = directory.resolve(name + ".failures");
    try {
      // No buffer: what a killed process has noted must be there.
      file = new FileOutputStream(directory.resolve(name + SUFFIX).toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs a call and notes it.
   *
   * @return its result, or null if it threw
   */
  @Nullable Long note(
      Kind kind,
      String key,
      @Nullable Long argument,
      @Nullable Long expected,
      Supplier<@Nullable Long> call) {
    long number = calls++;
    long start = System.nanoTime();
    boolean reads = kind == Kind.GET || kind == Kind.HOT_GET || kind == Kind.SUM;
    String begin =
        "B " + number + ' ' + kind + ' ' + key + ' ' + text(argument) + ' ' + text(expected) + ' ';
    if (!reads) {
      write(begin + start + '\n');
      start = System.nanoTime();
    }
    Long result = null;
    Ending ending;
    try {
      result = call.get();
      ending = Ending.RETURNED;
    } catch (OutcomeUnknownException e) {
      ending = Ending.UNKNOWN;
    } catch (ServerUnavailableException e) {
      ending = Ending.NOT_MADE;
    } catch (RuntimeException | Error e) {
      ending = Ending.FAILED;
      fail(kind + " " + key, e);
    }
    long end = System.nanoTime();
    lastReturned = ending == Ending.RETURNED;
    String line = "E " + number + ' ' + end + ' ' + ending + ' ' + text(result) + '\n';
    write(reads ? begin + start + '\n' + line : line);
    return result;
  }

  /** Whether the last call returned. */
  boolean lastReturned() {
    return lastReturned;
  }

  /** Notes a failure that the campaign has to show. */
  void fail(String what, Throwable failure) {
    StringBuilder text = new StringBuilder(what).append(": ").append(failure).append('\n');
    for (StackTraceElement element : failure.getStackTrace()) {
      text.append("  ").append(element).append('\n');
    }
    try {
      Files.writeString(failures, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(@Nullable Long number) {
    return number == null ? NONE : number.toString();
  }

  private static @Nullable Long number(String text) {
    return text.equals(NONE) ? null : Long.valueOf(text);
  }

  private void write(String line) {
    try {
      file.write(line.getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the logs of all threads of all processes in a directory. */
  static List<MachineOperation> readAll(Path directory) throws IOException {
    List<MachineOperation> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path log : files.filter(file -> file.toString().endsWith(SUFFIX)).toList()) {
        read(log, all);
      }
    }
    return all;
  }

  /** What no caller expects, of all threads of all processes. */
  static List<String> failures(Path directory) throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".failures")).toList()) {
        all.add(file.getFileName() + ": " + Files.readString(file));
      }
    }
    return all;
  }

  private static void read(Path log, List<MachineOperation> all) throws IOException {
    String[] name = log.getFileName().toString().split("\\.", -1);
    MachineOperation.Life process =
        new MachineOperation.Life(Integer.parseInt(name[0]), Integer.parseInt(name[1]));
    Map<Long, MachineOperation> begun = new HashMap<>();
    String text = Files.readString(log, US_ASCII);
    // The process may have died in the middle of a line.
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
      String[] part = line.split(" ", -1);
      if (part[0].equals("B")) {
        begun.put(
            Long.valueOf(part[1]),
            new MachineOperation(
                process,
                Kind.valueOf(part[2]),
                part[3],
                number(part[4]),
                number(part[5]),
                null,
                Long.parseLong(part[6]),
                MachineOperation.NEVER,
                Ending.UNKNOWN));
      } else if (part[0].equals("E")) {
        MachineOperation start = begun.remove(Long.valueOf(part[1]));
        if (start == null) {
          throw new IOException("An end without a beginning in " + log + ": " + line);
        }
        all.add(
            new MachineOperation(
                process,
                start.kind(),
                start.key(),
                start.argument(),
                start.expected(),
                number(part[4]),
                start.startNanos(),
                Long.parseLong(part[2]),
                Ending.valueOf(part[3])));
      }
    }
    all.addAll(begun.values());
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
