package io.rockpool.internal.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.UpkeepState;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures of background work are counted, logged seldom, and never thrown. */
final class UpkeepTest {
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private long nanos;
  private final Upkeep upkeep = new Upkeep(() -> nanos);

  @BeforeEach
  void catchLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void letLogGo() {
    System.setErr(standardError);
  }

  private List<String> logged() {
    return log.toString(UTF_8).lines().filter(line -> line.contains("goes on trying")).toList();
  }

  private void fail(String thread, Error error) {
    upkeep.run(
        thread,
        () -> {
          throw error;
        });
  }

  @Test
  void aThreadIsFailingUntilItsWorkSucceeds() {
    fail("a", new NoClassDefFoundError("Key"));
    fail("b", new OutOfMemoryError("heap"));
    assertThat(upkeep.state())
        .isEqualTo(
            new UpkeepState(
                2,
                Map.of(
                    "a", "java.lang.NoClassDefFoundError: Key",
                    "b", "java.lang.OutOfMemoryError: heap")));
    upkeep.run("a", () -> {});
    upkeep.succeeded("b");
    assertThat(upkeep.state()).isEqualTo(new UpkeepState(2, Map.of()));
  }

  @Test
  void theFirstFailureIsLoggedAndLaterOnesSeldom() {
    for (int i = 0; i < 100; i++) {
      fail("a", new OutOfMemoryError("heap"));
      upkeep.run("a", () -> {});
    }
    assertThat(logged()).singleElement().asString().contains("a failed and goes on trying");
    nanos += Duration.ofMinutes(5).toNanos();
    fail("a", new OutOfMemoryError("heap"));
    assertThat(logged()).hasSize(2);
    assertThat(logged().get(1)).contains("99 failures before");
    fail("b", new OutOfMemoryError("heap"));
    assertThat(logged()).hasSize(3);
    assertThat(upkeep.state().failures()).isEqualTo(102);
  }

  @Test
  void anOutageIsALineAtItsBeginningAndOneAtItsEnd() {
    RuntimeException away = new ServerUnavailableException("The server is away.", null);
    for (int outage = 0; outage < 3; outage++) {
      for (int i = 0; i < 100; i++) {
        nanos += Duration.ofMinutes(5).toNanos();
        upkeep.failed("a", away);
      }
      upkeep.failed("a", new OutcomeUnknownException("The server went away.", away));
      upkeep.succeeded("a");
      upkeep.succeeded("a");
    }
    String begun = "WARN io.rockpool.engine.Engine - a waits for the server. The server is away.";
    String ended = "INFO io.rockpool.engine.Engine - a has its server again. Failed attempts: 101.";
    assertThat(log.toString(UTF_8).lines())
        .map(line -> line.substring(line.indexOf(']') + 2))
        .containsExactly(begun, ended, begun, ended, begun, ended);
  }

  @Test
  void aLoggerThatThrowsEndsNoThread() {
    OutputStream throwing =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new OutOfMemoryError("no heap to log with");
          }
        };
    System.setErr(new PrintStream(throwing, true, UTF_8));
    fail("a", new OutOfMemoryError("heap"));
    assertThat(upkeep.state().failures()).isOne();
  }

  @Test
  void whatWasKeptIsThrown() {
    Upkeep.rethrow(null);
    Error error = new NoClassDefFoundError();
    RuntimeException exception = new IllegalStateException();
    assertThatThrownBy(() -> Upkeep.rethrow(error)).isSameAs(error);
    assertThatThrownBy(() -> Upkeep.rethrow(exception)).isSameAs(exception);
  }
}
