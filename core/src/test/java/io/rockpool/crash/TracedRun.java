package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rockpool.testing.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A victim's whole life, as {@code strace} saw it: what it did to files, and what it said when. */
final class TracedRun {
  private static final List<String> STRACE =
      List.of(
          "strace",
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

  /** Runs a victim to its end, or skips the test where there is no strace that may. */
  static TracedRun of(Victim.Orders orders, Path log) throws IOException, InterruptedException {
    return of(Victim.class, log, orders.arguments());
  }

  /** As {@link #of(Victim.Orders, Path)}, of a process with another main class. */
  static TracedRun of(Class<?> main, Path log, Object... arguments)
      throws IOException, InterruptedException {
    assumeTrue(canTrace(), "there is no strace here, or it may not trace; install it");
    Stream<String> program = Stream.concat(STRACE.stream(), Stream.of("-o", log.toString()));
    try (Child victim = Child.startUnder(program.toList(), main, Killing.QUIET, arguments)) {
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        assertThat(line).isNotEqualTo(Victim.FAILED);
      }
      assertThat(victim.waitFor()).as("exit of the victim").isZero();
    }
    try (Stream<String> lines = Files.lines(log, StandardCharsets.US_ASCII)) {
      return new TracedRun(TracedCall.of(lines));
    }
  }

  private static boolean canTrace() throws InterruptedException {
    try {
      Process tried =
          new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=rmdir", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return tried.waitFor(10, TimeUnit.SECONDS) && tried.exitValue() == 0;
    } catch (IOException e) {
      return false; // there is no such command here
    }
  }

  /** Its calls, by their ends. */
  List<TracedCall> calls() {
    return calls;
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
    if (!call.name().equals("write") || call.descriptor() != STANDARD_OUTPUT) {
      return Optional.empty();
    }
    String text = new String(call.strings().get(0), StandardCharsets.US_ASCII).strip();
    return text.matches("\\d") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
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
