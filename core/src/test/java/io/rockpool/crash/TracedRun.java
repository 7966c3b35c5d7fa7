package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process' whole life, as {@code strace} saw it: what it did to files, and what it said when. */
final class TracedRun {
  private static final List<String> STRACE =
      List.of(
          "-f",
          "--seccomp-bpf",
          "-qq",
          "-ttt",
          "-xx",
          "-s",
          "16777216",
          "-e",
          "trace=openat,open,creat,close,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,"
              + "fallocate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,"
              + "mkdirat,link,linkat,copy_file_range");

  private static final int STANDARD_OUTPUT = 1;

  private final List<TracedCall> calls;

  private TracedRun(List<TracedCall> calls) {
    this.calls = calls;
  }

  /** Runs a victim to its end. */
  static TracedRun of(Victim.Orders orders, Path log) throws IOException, InterruptedException {
    return of(log, List.of(), Victim.class, orders.arguments());
  }

  /**
   * Runs a main class of the tests to its end.
   *
   * @param log where strace writes
   * @param options what strace is told beyond what it always is
   * @param arguments what {@code main} gets, as text
   */
  static TracedRun of(Path log, List<String> options, Class<?> main, Object... arguments)
      throws IOException, InterruptedException {
    List<String> program = new ArrayList<>(List.of(Tool.STRACE.program().toString()));
    program.addAll(STRACE);
    program.addAll(options);
    program.addAll(List.of("-o", log.toString()));
    try (Child victim = Child.startUnder(program, main, Killing.QUIET, arguments)) {
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        assertThat(line).isNotEqualTo(Victim.FAILED);
      }
      assertThat(victim.waitFor()).as("exit of the victim").isZero();
    }
    try (Stream<String> lines = Files.lines(log, StandardCharsets.US_ASCII)) {
      return new TracedRun(TracedCall.of(lines));
    }
  }

  /** How many steps each thread had said to be done before a place in the log. */
  int[] saidBefore(int place) {
    int[] said = new int[Victim.THREADS];
    calls.stream()
        .filter(call -> call.begun() < place)
        .flatMap(call -> stepSaid(call).stream())
        .forEach(thread -> said[thread]++);
    return said;
  }

  /** How many steps each thread had said to be done so long before a place in the log. */
  int[] saidBefore(int place, Duration earlier) {
    double until =
        calls.stream()
                .filter(call -> call.begun() < place)
                .mapToDouble(TracedCall::seconds)
                .max()
                .orElseThrow()
            - earlier.toMillis() / 1_000.0;
    return saidBefore(
        calls.stream()
            .filter(call -> call.seconds() >= until)
            .mapToInt(TracedCall::begun)
            .min()
            .orElseThrow());
  }

  private static Optional<Integer> stepSaid(TracedCall call) {
    return said(call).filter(line -> line.matches("\\d")).map(Integer::valueOf);
  }

  private static Optional<String> said(TracedCall call) {
    if (!call.name().equals("write") || call.descriptor() != STANDARD_OUTPUT) {
      return Optional.empty();
    }
    return Optional.of(new String(call.strings().get(0), StandardCharsets.US_ASCII).strip());
  }

  /** What it said before a place in the log. */
  List<String> linesBefore(int place) {
    return calls.stream()
        .filter(call -> call.begun() < place)
        .flatMap(call -> said(call).stream())
        .toList();
  }

  /** The place where it said a line. */
  int placeOf(String line) {
    return calls.stream()
        .filter(call -> said(call).filter(line::equals).isPresent())
        .mapToInt(TracedCall::begun)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Writes what is there of a directory if the power fails at a place in the log, and returns what
   * was forced by then.
   *
   * @param random by which something is there that was not forced, or null
   */
  SyncedLog powerLost(Path directory, int place, @Nullable Random random, Path to)
      throws IOException {
    Disk disk = new Disk(directory);
    SyncedLog log = new SyncedLog();
    for (TracedCall call : calls) {
      if (call.ended() >= place) {
        break;
      }
      disk.apply(call);
      log.see(call);
    }
    if (random == null) {
      disk.writeForced(to);
    } else {
      disk.writeSome(to, random);
    }
    return log;
  }

  /** The place of the first step that was said to be done. */
  int firstStep() {
    return calls.stream()
        .filter(call -> stepSaid(call).isPresent())
        .mapToInt(TracedCall::begun)
        .min()
        .orElseThrow();
  }

  /** The place of the end. */
  int end() {
    return calls.get(calls.size() - 1).ended();
  }
}
