package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deployments that start the new process before the old one has ended. */
@Tag("slow")
final class RollingRestartTest {
  private static final String WAITS = "Waiting for up to ";
  private static final String OPENED = "Opened the store in ";
  private static final String FAILED = "LoggingFailureAnalysisReporter";

  /** A second, and what a busy machine takes; far less than the minute that it would wait. */
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir Path parent;
  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createDirectory(parent.resolve("application"));
  }

  private interface End {
    void of(Service service) throws InterruptedException;
  }

  @Test
  void eachProcessTakesOverFromTheOneBefore() throws Exception {
    try (Service first = Service.start(directory)) {
      assertThat(first.get("/owner")).isEqualTo("the service, calls 1");
      try (Service second = takeOver(first, Service::stop);
          Service third = takeOver(second, Service::kill)) {
        theNextSaysWhatToDo(third);
        assertThat(third.get("/owner")).isEqualTo("the service, calls 0");
      }
    }
  }

  private Service takeOver(Service old, End end) throws Exception {
    Service next = Service.start(directory, "--rockpool.lock-wait=1m");
    try {
      next.awaitLine(WAITS);
      assertThat(old.get("/owner")).startsWith("the service");
      assertThat(next.log()).doesNotContain(OPENED);
      end.of(old);
      Instant ended = Instant.now();
      next.awaitLine(OPENED);
      assertThat(Duration.between(ended, Instant.now())).isLessThan(SOON);
      assertThat(next.get("/owner")).isEqualTo("the service, calls 0");
      return next;
    } catch (Throwable e) {
      next.close();
      throw e;
    }
  }

  /** When a line was logged, whenever it is read here. */
  private static Instant time(String line) {
    return OffsetDateTime.parse(line.substring(0, line.indexOf(' '))).toInstant();
  }

  /** Without a property the wait ends after 10 seconds. */
  private void theNextSaysWhatToDo(Service old) throws Exception {
    try (Service next = Service.start(directory)) {
      String waits = next.awaitLine(WAITS);
      assertThat(waits).contains(WAITS + "PT10S until it is closed");
      String failed = next.awaitLine(FAILED);
      assertThat(next.waitFor()).isEqualTo(1);
      assertThat(Duration.between(time(waits), time(failed))).isGreaterThan(Duration.ofSeconds(8));
      assertThat(next.log())
          .contains("APPLICATION FAILED TO START")
          .contains("in use by the process with pid " + old.pid())
          .contains("Stop process " + old.pid() + "; wait for it longer with rockpool.lock-wait")
          .contains("rockpool.when-locked=temporary");
    }
  }
}
