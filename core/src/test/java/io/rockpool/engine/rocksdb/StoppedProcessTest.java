package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreLockedException;
import io.rockpool.store.VerifyOptions;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that has a store open is stopped while it writes, and goes on after a while. */
@Timeout(60)
final class StoppedProcessTest {
  private static final int NUMBERS = 300;

  /** Refusing takes milliseconds, and no time out of anything. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  /** By then it says nothing more, and its end ends the test. */
  private static final long MAX_LIFE_SECONDS = 30;

  @TempDir Path directory;
  private final Set<Integer> said = new TreeSet<>();

  private void hear(Child writer, int numbers) throws IOException {
    for (int i = 0; i < numbers; i++) {
      said.add(Integer.valueOf(Objects.requireNonNull(writer.readLine(), "a line of who goes on")));
    }
  }

  private void hearAll(Child writer) throws IOException {
    while (writer.hasSaid()) {
      hear(writer, 1);
    }
  }

  @Test
  void itsStoreStaysItsOwnAndItGoesOnAndLosesNothing() throws Exception {
    try (Child writer = Child.start(StoppedWriter.class, List.of(), directory)) {
      CompletableFuture.delayedExecutor(MAX_LIFE_SECONDS, TimeUnit.SECONDS).execute(writer::close);
      hear(writer, NUMBERS);
      writer.stop();
      assertInUse(writer);
      hearAll(writer);
      // The only way to be stopped for longer than the limit of who watches its writes.
      Thread.sleep(5 * StoppedWriter.STALL_LIMIT.toMillis());
      assertThat(writer.hasSaid()).as("it went on though it was stopped").isFalse();
      assertInUse(writer);
      writer.goOn();
      hear(writer, NUMBERS);
      assertInUse(writer);
      writer.kill();
      String line = writer.readLine();
      while (line != null) {
        said.add(Integer.valueOf(line));
        line = writer.readLine();
      }
    }
    assertAllThere();
  }

  private void assertInUse(Child writer) {
    long started = System.nanoTime();
    assertThatThrownBy(() -> Rockpool.open(directory))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("pid " + writer.pid())
        .hasMessageContaining("Stop that process");
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(AT_ONCE);
  }

  private void assertAllThere() {
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).isZero();
      PersistentMap<Integer, String> map = StoppedWriter.map(pool);
      assertThat(said).hasSizeGreaterThanOrEqualTo(2 * NUMBERS);
      assertThat(said)
          .allSatisfy(number -> assertThat(map.get(number)).isEqualTo(StoppedWriter.value(number)));
      assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).isClean()).isTrue();
    }
  }
}
