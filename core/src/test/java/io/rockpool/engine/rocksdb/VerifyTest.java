package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyProgress;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.LeavesOpen;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store in which nothing is wrong; what is, is in {@link FindingsTest}. */
@Slow
@Timeout(60)
@LeavesOpen("stores are closed below their pools, as crashes leave them")
final class VerifyTest {
  private static final VerifyOptions DECODING = VerifyOptions.defaults().decodeValues(true);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();

  private Engine onDisk() {
    return RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build());
  }

  private Engine open(boolean memory) {
    return memory ? MemoryEngine.builder().clock(clock).build() : onDisk();
  }

  private static void assertClean(VerifyReport report) {
    assertThat(report.isClean()).as(report.toString()).isTrue();
  }

  @ParameterizedTest
  @NotEncrypted("counts names, of which the keys are one")
  @ValueSource(booleans = {true, false})
  void aStoreOfEverythingIsClean(boolean memory) {
    try (Rockpool pool = Rockpool.at(o -> open(memory)).open()) {
      assertClean(pool.verify());
      StoreOfEverything.fill(pool, clock);
      VerifyReport report = pool.verify(DECODING);
      assertClean(report);
      assertThat(report.spaces()).isEqualTo(pool.names().list("").size());
      assertThat(report.records()).isGreaterThan(10 * StoreOfEverything.ELEMENTS);
      assertThat(report.toString()).contains(pool.toString()).contains("nothing wrong");
    }
  }

  @Test
  void aStoreThatWasOpenedAgainIsClean() {
    try (Rockpool pool = Rockpool.at(o -> onDisk()).open()) {
      StoreOfEverything.fill(pool, clock);
    }
    try (RocksDbEngine engine = (RocksDbEngine) onDisk();
        Rockpool pool = Rockpool.at(o -> engine).open()) {
      VerifyReport report = pool.verify();
      assertClean(report);
      CorruptedStore.flush(engine);
      assertClean(pool.verify());
      assertThat(report.files()).isGreaterThan(6);
    }
  }

  @ParameterizedTest
  @NotEncrypted("counts names, of which the keys are one")
  @ValueSource(booleans = {true, false})
  void aStoreThatWasReclaimedIsClean(boolean memory) {
    try (Rockpool pool = Rockpool.at(o -> open(memory)).open()) {
      StoreOfEverything.fill(pool, clock);
      long before = pool.verify(DECODING).records();
      pool.names().dropLevel("all/set");
      pool.reclaim();
      VerifyReport report = pool.verify(DECODING);
      assertClean(report);
      assertThat(report.records()).isLessThan(before);
      clock.advanceMillis(Duration.ofDays(30).toMillis());
      pool.reclaim();
      assertClean(pool.verify(DECODING));
      pool.names().dropAll();
      pool.reclaim();
      VerifyReport empty = pool.verify(DECODING);
      assertClean(empty);
      assertThat(empty.spaces()).isZero();
      // The next generation, which a store never forgets.
      assertThat(empty.records()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void writersGoOnMeanwhile() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    try (Rockpool pool = Rockpool.at(o -> onDisk()).open()) {
      StoreOfEverything.fill(pool, clock);
      Thread writer =
          new Thread(
              () -> {
                while (!done.get()) {
                  int i = rounds.getAndIncrement();
                  pool.deque("all/deque", Integer.class).offerFirst(i);
                  pool.deque("all/deque", Integer.class).pollLast();
                  pool.scoredSet("all/scored", String.class).add("w" + i % 50, i);
                  pool.map("all/map", String.class, String.class).put("w" + i % 50, "" + i);
                  if (i % 20 == 0) {
                    pool.map("all/map", String.class, String.class).clear();
                  }
                }
              });
      writer.start();
      for (int i = 0; i < 10; i++) {
        int before = rounds.get();
        assertClean(pool.verify(DECODING));
        while (rounds.get() == before) {
          Thread.onSpinWait();
        }
      }
      done.set(true);
      writer.join();
      assertClean(pool.verify());
    }
  }

  /** A file as it is: what is in it, and when it was written last. */
  private record FileState(ByteBuffer bytes, FileTime written) {
    static FileState of(Path file) throws IOException {
      return new FileState(
          ByteBuffer.wrap(Files.readAllBytes(file)), Files.getLastModifiedTime(file));
    }
  }

  /** All files but what RocksDB says of itself. */
  private Map<Path, FileState> files() throws IOException {
    Map<Path, FileState> states = new HashMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().startsWith("LOG")) {
          states.put(file, FileState.of(file));
        }
      }
    }
    return states;
  }

  @Test
  @NotEncrypted("the first opening with encryption writes the keys")
  void changesNoFile() throws Exception {
    RocksDbOptions still =
        RocksDbOptions.builder()
            .clock(clock)
            .syncPeriod(Duration.ofDays(1))
            .reclaimPeriod(Duration.ofDays(1))
            .build();
    try (RocksDbEngine engine = RocksDbEngine.open(directory, still)) {
      Rockpool pool = Rockpool.at(o -> engine).open();
      StoreOfEverything.fill(pool, clock);
      pool.map("large", Integer.class, byte[].class).put(1, new byte[64 << 10]);
      CorruptedStore.flush(engine);
      pool.map("large", Integer.class, byte[].class).put(2, new byte[64 << 10]); // in the log
      pool.flush();
      engine.internals().database().nativeDatabase().pauseBackgroundWork();
      Map<Path, FileState> before = files();
      assertThat(before.keySet())
          .extracting(Path::toString)
          .anyMatch(name -> name.endsWith(".blob"));
      assertClean(pool.verify());
      assertClean(pool.verify(DECODING));
      assertThat(files()).isEqualTo(before);
      engine.internals().database().nativeDatabase().continueBackgroundWork();
    }
  }

  @Test
  void tellsHowFarItIs() {
    try (Rockpool pool = Rockpool.at(o -> onDisk()).open()) {
      StoreOfEverything.fill(pool, clock);
      List<VerifyProgress> told = new ArrayList<>();
      assertClean(pool.verify(VerifyOptions.defaults().onProgress(told::add)));
      assertThat(told.stream().map(VerifyProgress::part).distinct())
          .containsExactly("files", "catalog", "rows", "entries", "expiries", "counts", "default");
      Map<String, Long> last =
          told.stream()
              .collect(Collectors.toMap(VerifyProgress::part, VerifyProgress::done, (a, b) -> b));
      assertThat(last.get("rows")).isGreaterThan(2 * StoreOfEverything.ELEMENTS);
      assertThat(told).allMatch(progress -> progress.done() <= progress.expected());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stopsWhenItIsToldTo(boolean memory) {
    try (Rockpool pool = Rockpool.at(o -> open(memory)).open()) {
      StoreOfEverything.fill(pool, clock);
      AtomicInteger looks = new AtomicInteger();
      VerifyOptions third = VerifyOptions.defaults().stopWhen(() -> looks.incrementAndGet() == 3);
      VerifyReport report = pool.verify(third);
      assertThat(looks).hasValue(3);
      assertThat(report.isComplete()).isFalse();
      assertThat(report.isClean()).isFalse();
      assertThat(report.toString()).contains("stopped early");
      Thread.currentThread().interrupt();
      assertThat(pool.verify().isComplete()).isFalse();
      assertThat(Thread.interrupted()).isTrue();
      assertClean(pool.verify());
    }
  }

  @Test
  void whatAListenerThrowsReachesTheCallerAndLeavesNothingBehind() {
    RocksDbEngine engine = (RocksDbEngine) onDisk();
    try (Rockpool pool = Rockpool.at(o -> engine).open()) {
      pool.set("a", String.class).add("b");
      VerifyOptions throwing =
          VerifyOptions.defaults()
              .onProgress(
                  progress -> {
                    if (progress.part().equals("rows")) {
                      throw new UnsupportedOperationException("mine");
                    }
                  });
      assertThatThrownBy(() -> pool.verify(throwing))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(engine.internals().handles().snapshots().count()).isZero();
      assertClean(pool.verify());
    }
  }

  @Test
  void isRefusedInATransactionAndEndsWithItsStore() {
    Rockpool pool = Rockpool.at(o -> onDisk()).open();
    StoreOfEverything.fill(pool, clock);
    assertThatThrownBy(() -> pool.atomically(tx -> pool.verify()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("verification");
    VerifyOptions closing =
        VerifyOptions.defaults()
            .onProgress(
                progress -> {
                  if (progress.part().equals("entries")) {
                    pool.close();
                  }
                });
    assertThatThrownBy(() -> pool.verify(closing)).isInstanceOf(IllegalStateException.class);
  }
}
