package io.rockpool.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codec;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WriteBehindTest {
  private static final WriteBehindOptions STEPS =
      WriteBehindOptions.defaults()
          .batchSize(8)
          .delay(ofMillis(100))
          .backoff(ofMillis(100), ofMillis(400))
          .withoutThread();

  private final FakeClock clock = new FakeClock();
  private final RecordingWriter writer = new RecordingWriter();
  private final Rockpool pool =
      Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open();

  @AfterEach
  void close() {
    pool.close();
  }

  private PersistentCache<String, String> open(UnaryOperator<WriteBehindOptions> options) {
    return pool.cache(
        "c", String.class, String.class, o -> o.writeBehind(writer, options.apply(STEPS)));
  }

  private PersistentCache<String, String> open() {
    return open(UnaryOperator.identity());
  }

  private static boolean drain(PersistentCache<?, ?> cache) {
    return cache.entries.drainer.drain();
  }

  private static Map<String, String> numbered(int from, int to) {
    return IntStream.range(from, to).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
  }

  @Test
  void writesTheLastOfSeveralChangesOnceTheDelayIsOver() {
    PersistentCache<String, String> cache = open();
    cache.put("a", "1");
    cache.put("a", "2");
    cache.put("b", "1");
    cache.remove("b");
    assertThat(cache.writeBehind().pending()).isEqualTo(2);
    clock.advanceMillis(99);
    assertThat(drain(cache)).isFalse();
    clock.advanceMillis(1);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(Map.of("a", "2"));
    assertThat(writer.sizes).containsExactly(1, 1);
    assertThat(writer.last).isEqualTo(Map.of("a", "2", "b", ""));
    assertThat(cache.writeBehind().pending()).isZero();
    assertThat(drain(cache)).isFalse();
  }

  /** Between the read of a claimed key, whose change is gone, and its end. */
  @Test
  void aChangeThatComesWhileAnOlderOneIsFoundToBeWrittenStaysPending() {
    AtomicReference<Runnable> decoding = new AtomicReference<>();
    Codec<String> codec =
        new Codec<>() {
          @Override
          public String id() {
            return "hooked";
          }

          @Override
          public byte[] encode(String value) {
            return value.getBytes(UTF_8);
          }

          @Override
          public String decode(byte[] bytes, int offset, int length) {
            Runnable hook = decoding.getAndSet(null);
            if (hook != null) {
              hook.run();
            }
            return new String(bytes, offset, length, UTF_8);
          }

          @Override
          public boolean immutable() {
            return true;
          }
        };
    PersistentCache<String, String> cache =
        pool.cache(
            "c",
            String.class,
            String.class,
            o -> o.valueCodec(codec).hotEntries(0).writeBehind(writer, STEPS));
    cache.put("a", "1");
    cache.put("c", "1");
    cache.put("c", "2");
    // As a commit adds it whose change was written and acknowledged before.
    Objects.requireNonNull(cache.entries.shared.pending)
        .index
        .changed(cache.entries.format.key("b").byBytes(), 3, clock.millis(), 1, false);
    clock.advanceMillis(100);
    decoding.set(() -> cache.put("b", "new"));
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(Map.of("a", "1", "c", "2"));
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).containsEntry("b", "new");
  }

  @Test
  void aDeadLetterThatCannotBeDecodedHidesNoOther() {
    AtomicReference<String> gone = new AtomicReference<>("none");
    Codec<String> codec =
        new Codec<>() {
          @Override
          public String id() {
            return "forgetful";
          }

          @Override
          public byte[] encode(String value) {
            return value.getBytes(UTF_8);
          }

          @Override
          public String decode(byte[] bytes, int offset, int length) {
            String text = new String(bytes, offset, length, UTF_8);
            if (text.equals(gone.get())) {
              throw new UndecodableValueException("There is no class " + text, null);
            }
            return text;
          }

          @Override
          public boolean immutable() {
            return true;
          }
        };
    PersistentCache<String, String> cache =
        pool.cache(
            "c",
            String.class,
            String.class,
            o -> o.valueCodec(codec).hotEntries(0).writeBehind(writer, STEPS.maximumAttempts(1)));
    writer.fails = key -> true;
    cache.putAll(numbered(0, 3));
    for (int i = 0; i < 10; i++) {
      clock.advanceMillis(60_000);
      drain(cache);
    }
    assertThat(cache.writeBehind().deadLetters()).hasSize(3);
    gone.set("v1");
    assertThat(cache.writeBehind().deadLetters())
        .extracting(DeadChange::key)
        .containsExactlyInAnyOrder("k0", "k2");
    assertThat(cache.writeBehind().retry("k1")).isTrue();
    assertThat(cache.writeBehind().deadLetters()).hasSize(2);
  }

  /** A flush that has given up a change is no success, whether in it or before. */
  @Test
  void aFlushIsFalseIfAChangeWasGivenUp() throws Exception {
    PersistentCache<String, String> cache = open(o -> o.maximumAttempts(1));
    writer.fails = "k1"::equals;
    cache.putAll(numbered(0, 3));
    assertThat(cache.writeBehind().flush(ofSeconds(20))).isFalse();
    assertThat(cache.writeBehind().pending()).isZero();
    assertThat(cache.writeBehind().deadLetters()).hasSize(1);
    cache.put("k4", "v4");
    assertThat(cache.writeBehind().flush(ofSeconds(20))).isFalse();
    assertThat(writer.target).containsOnlyKeys("k0", "k2", "k4");
    cache.close();
    PersistentCache<String, String> withoutWriter = pool.cache("c", String.class, String.class);
    assertThat(withoutWriter.writeBehind().flush(ofSeconds(20))).isFalse();
    withoutWriter.close();
    writer.fails = key -> false;
    PersistentCache<String, String> again = open();
    assertThat(again.writeBehind().retryAll()).isEqualTo(1);
    assertThat(again.writeBehind().flush(ofSeconds(20))).isTrue();
    assertThat(writer.target).containsOnlyKeys("k0", "k1", "k2", "k4");
  }

  @Test
  void countsInItsStatistics() {
    PersistentCache<String, String> cache = open(o -> o.maximumAttempts(1));
    writer.fails = "k0"::equals;
    cache.putAll(numbered(0, 3));
    clock.advanceMillis(1_500);
    CacheStatistics before = cache.statistics();
    assertThat(before.pendingWrites()).isEqualTo(3);
    assertThat(before.pendingBytes()).isGreaterThan(3 * 4);
    assertThat(before.oldestPending()).isEqualTo(ofMillis(1_500));
    assertThat(before.written() + before.writeFailures() + before.deadLetters()).isZero();
    assertThat(drain(cache)).isTrue();
    CacheStatistics after = cache.statistics();
    assertThat(after.pendingWrites()).isZero();
    assertThat(after.oldestPending()).isZero();
    assertThat(after.written()).isEqualTo(2);
    assertThat(after.deadLetters()).isEqualTo(1);
    assertThat(after.pendingBytes()).isBetween(1L, before.pendingBytes() / 2);
    assertThat(after.writeFailures()).isBetween(2L, 3L);
    assertThat(cache.writeBehind().drop("k0")).isTrue();
    assertThat(cache.statistics().pendingBytes()).isZero();
    assertThat(cache.get("k0")).isNull();
  }

  @Test
  void writesAFullBatchAtOnce() {
    PersistentCache<String, String> cache = open();
    cache.putAll(numbered(0, 7));
    assertThat(drain(cache)).isFalse();
    cache.put("k7", "v7");
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(numbered(0, 8));
  }

  @Test
  void doesNotWriteWhatIsNotAChangeByACall() {
    PersistentCache<String, String> cache = open();
    writer.target.put("a", "there");
    assertThat(cache.get("a", writer.target::get)).isEqualTo("there");
    cache.clear();
    assertThat(cache.remove("b", "any")).isFalse();
    assertThat(cache.computeIfPresent("b", (k, v) -> v)).isNull();
    assertThat(cache.compute("b", (k, v) -> null)).isNull();
    assertThat(cache.replace("b", "any")).isNull();
    cache.expireAfter("a", ofSeconds(0));
    assertThat(cache.writeBehind().pending()).isZero();
    assertThat(cache.remove("b")).isFalse(); // which the target may have
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
  }

  @Test
  void loadsSeePendingChangesFirst() {
    PersistentCache<String, String> cache = open();
    writer.target.putAll(Map.of("a", "old", "b", "old", "c", "there"));
    cache.put("a", "new", ofSeconds(1));
    cache.remove("b");
    clock.advanceMillis(2_000);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.get("a", writer.target::get)).isEqualTo("new");
    assertThat(cache.get("b", writer.target::get)).isNull();
    assertThat(cache.getAsync("b", CompletableFuture::completedFuture, Runnable::run).join())
        .isNull();
    cache.clear();
    assertThat(cache.getAll(List.of("a", "b", "c"), keys -> new HashMap<>(writer.target)))
        .isEqualTo(Map.of("a", "new", "c", "there"));
    assertThat(cache.statistics().loads()).isEqualTo(1);
  }

  @Test
  void isolatesTheChangeAtFaultInARound() {
    PersistentCache<String, String> cache = open(o -> o.maximumAttempts(2));
    writer.fails = "k5"::equals;
    cache.putAll(numbered(0, 8));
    assertThat(drain(cache)).isTrue();
    Map<String, String> others = numbered(0, 8);
    others.remove("k5");
    assertThat(writer.target).isEqualTo(others);
    assertThat(writer.sizes).hasSizeLessThanOrEqualTo(1 + 2 * 3);
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
    clock.advanceMillis(99);
    assertThat(drain(cache)).isFalse();
    clock.advanceMillis(1);
    assertThat(drain(cache)).isTrue();
    assertThat(cache.writeBehind().pending()).isZero();
    assertThat(cache.writeBehind().deadLetters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.key()).isEqualTo("k5");
              assertThat(letter.value()).isEqualTo("v5");
              assertThat(letter.attempts()).isEqualTo(2);
              assertThat(letter.cause()).contains("refused as a whole");
            });
    cache.put("k5", "better");
    assertThat(cache.writeBehind().deadLetters()).isEmpty();
    writer.fails = key -> false;
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).containsEntry("k5", "better");
  }

  @Test
  void triesOnlyWhatIsLeftInTheCollection() {
    PersistentCache<String, String> cache = open();
    writer.failing = RecordingWriter.Failing.ALONE;
    writer.fails = Set.of("k1", "k2")::contains;
    cache.putAll(numbered(0, 8));
    assertThat(drain(cache)).isTrue();
    assertThat(writer.sizes).containsExactly(8);
    assertThat(writer.target).hasSize(6);
    writer.fails = key -> false;
    clock.advanceMillis(100);
    while (drain(cache)) {
      clock.advanceMillis(100);
    }
    assertThat(writer.target).isEqualTo(numbered(0, 8));
    assertThat(writer.sizes.stream().mapToInt(i -> i).sum()).isEqualTo(8 + 2);
  }

  @Test
  void callsATargetThatIsDownThreeTimesAtMostAndBlamesNothing() {
    PersistentCache<String, String> cache = open(o -> o.maximumAttempts(1));
    writer.fails = key -> true;
    cache.putAll(numbered(0, 8));
    assertThat(drain(cache)).isTrue();
    assertThat(writer.sizes).containsExactly(8, 4, 4);
    assertThat(cache.writeBehind().deadLetters()).isEmpty();
    assertThat(cache.writeBehind().pending()).isEqualTo(8);
  }

  @Test
  void aChangeDuringItsWriteIsWrittenNext() {
    PersistentCache<String, String> cache = open();
    cache.put("a", "1");
    writer.fails =
        key -> {
          writer.fails = any -> false;
          cache.put("a", "2");
          return false;
        };
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(Map.of("a", "1"));
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(Map.of("a", "2"));
    assertThat(cache.writeBehind().pending()).isZero();
  }

  @Test
  void writesTheValueOfAnEntryThatHasExpiredAtOnce() {
    PersistentCache<String, String> cache = open();
    cache.put("a", "1", ofSeconds(0));
    assertThat(cache.get("a")).isNull();
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void keepsAMaximumOfPendingChanges() {
    PersistentCache<String, String> cache =
        open(o -> o.maximumPending(2).maximumWait(ofMillis(20)));
    cache.putAll(numbered(0, 2));
    assertThatThrownBy(() -> cache.put("k2", "v2"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("2 pending changes");
    assertThat(cache.get("k2")).isNull();
    cache.put("k1", "again"); // replaces what is pending
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    cache.put("k2", "v2");
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
  }

  @Test
  void transactionsDoNotWaitAndHaveTwiceTheMaximum() {
    PersistentCache<String, String> cache = open(o -> o.maximumPending(2));
    for (int i = 0; i < 4; i++) {
      Map<String, String> one = numbered(i, i + 1);
      pool.atomically(
          transaction -> {
            cache.putAll(one);
            return 0;
          });
    }
    assertThatThrownBy(
            () ->
                pool.atomically(
                    transaction -> {
                      cache.putAll(numbered(4, 5));
                      return 0;
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cache.writeBehind().pending()).isEqualTo(4);
  }

  @Test
  void writesThroughWhenFull() {
    PersistentCache<String, String> cache =
        open(o -> o.maximumPending(2).whenFull(WriteBehindOptions.WhenFull.WRITE_THROUGH));
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "v" + i);
      assertThat(cache.writeBehind().pending()).isLessThanOrEqualTo(2);
    }
    assertThat(writer.target.size()).isBetween(98, 100);
  }

  @Test
  void oldChangesMakeNewOnesWait() {
    PersistentCache<String, String> cache =
        open(o -> o.maximumAge(ofSeconds(1)).maximumWait(ofMillis(20)));
    cache.put("a", "1");
    clock.advanceMillis(1_000);
    assertThatThrownBy(() -> cache.put("b", "1")).isInstanceOf(IllegalStateException.class);
    assertThat(drain(cache)).isTrue();
    cache.put("b", "1");
  }

  @Test
  void joinsTransactions() {
    PersistentCache<String, String> cache = open();
    assertThatThrownBy(
            () ->
                pool.atomically(
                    transaction -> {
                      cache.put("a", "1");
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.writeBehind().pending()).isZero();
    pool.atomically(
        transaction -> {
          cache.putAll(numbered(0, 3));
          cache.invalidate("k0");
          assertThatThrownBy(() -> cache.writeBehind().flush(ofSeconds(1)))
              .isInstanceOf(IllegalStateException.class);
          return 0;
        });
    assertThat(cache.writeBehind().pending()).isEqualTo(3);
    clock.advanceMillis(100);
    assertThat(drain(cache)).isTrue();
    assertThat(writer.target).isEqualTo(numbered(1, 3));
  }

  @Test
  void anUnencodableValueIsAnErrorEvenIfItWouldBeSkipped() {
    PersistentCache<String, Object> cache =
        pool.cache(
            "any",
            String.class,
            Object.class,
            o ->
                o.onUnencodable(OnUnencodable.SKIP)
                    .writeBehind(
                        new BatchWriter<>() {
                          @Override
                          public void writeAll(Map<String, Object> entries) {}

                          @Override
                          public void deleteAll(Set<String> keys) {}
                        },
                        STEPS));
    cache.put("a", "1");
    assertThatThrownBy(() -> cache.put("a", Thread.currentThread()))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(cache.get("a")).isEqualTo("1");
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
  }

  @Test
  void refusesASecondWriterAndASharedEngine() {
    PersistentCache<String, String> cache = open();
    assertThatThrownBy(
            () ->
                pool.cache(
                    "c",
                    String.class,
                    String.class,
                    o -> o.writeBehind(new RecordingWriter(), STEPS)))
        .isInstanceOf(IllegalStateException.class);
    cache.close();
    assertThat(open().isClosed()).isFalse();
    try (Rockpool shared = Rockpool.at(o -> MemoryEngine.builder().shared().build()).open()) {
      assertThatThrownBy(
              () ->
                  shared.cache("c", String.class, String.class, o -> o.writeBehind(writer, STEPS)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("several processes");
      assertThat(shared.names().list()).isEmpty();
    }
  }

  @Test
  void dropsPendingChangesWithTheCache() {
    open().put("a", "1");
    assertThat(pool.names().drop("c")).isTrue();
    PersistentCache<String, String> created = open();
    assertThat(created.writeBehind().pending()).isZero();
    assertThat(pool.names().list()).hasSize(1);
  }

  @Test
  void aThreadWritesAndClosingWaits(@TempDir Path directory) throws Exception {
    WriteBehindOptions options = WriteBehindOptions.defaults().batchSize(10).delay(ofMillis(5));
    try (Rockpool onDisk = Rockpool.open(directory)) {
      PersistentCache<String, String> cache =
          onDisk.cache("c", String.class, String.class, o -> o.writeBehind(writer, options));
      cache.putAll(numbered(0, 100));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (cache.writeBehind().pending() > 0 && System.nanoTime() < end) {
        Thread.sleep(5);
      }
      assertThat(writer.target).isEqualTo(numbered(0, 100));
      writer.fails = key -> true;
      cache.putAll(numbered(100, 120));
      assertThat(cache.writeBehind().flush(ofMillis(100))).isFalse();
      writer.fails = key -> false;
      assertThat(cache.writeBehind().flush(ofSeconds(20))).isTrue();
      assertThat(writer.target).isEqualTo(numbered(0, 120));
      cache.putAll(numbered(120, 140));
    }
    assertThat(writer.target).isEqualTo(numbered(0, 140));
  }

  @Test
  @Timeout(60)
  void aWriterThatClosesItsCacheDoesNotWaitForItself() throws Exception {
    try (Rockpool own = Rockpool.inMemory()) {
      CompletableFuture<Boolean> closed = new CompletableFuture<>();
      CompletableFuture<PersistentCache<String, String>> itself = new CompletableFuture<>();
      BatchWriter<String, String> closing =
          new BatchWriter<>() {
            @Override
            public void writeAll(Map<String, String> entries) {
              itself.join().close();
              closed.complete(true);
            }

            @Override
            public void deleteAll(Set<String> keys) {}
          };
      WriteBehindOptions options =
          WriteBehindOptions.defaults().delay(ofMillis(5)).closeTimeout(ofMinutes(10));
      PersistentCache<String, String> cache =
          own.cache("c", String.class, String.class, o -> o.writeBehind(closing, options));
      itself.complete(cache);
      cache.put("a", "b");
      assertThat(closed.get(50, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void keepsWhatClosingCouldNotWrite(@TempDir Path directory) throws Exception {
    WriteBehindOptions options =
        WriteBehindOptions.defaults().delay(ofMillis(5)).closeTimeout(ofMillis(50));
    writer.fails = key -> true;
    try (Rockpool onDisk = Rockpool.open(directory)) {
      onDisk
          .cache("c", String.class, String.class, o -> o.writeBehind(writer, options))
          .putAll(numbered(0, 10));
    }
    assertThat(writer.target).isEmpty();
    writer.fails = key -> false;
    try (Rockpool onDisk = Rockpool.open(directory)) {
      PersistentCache<String, String> without = onDisk.cache("c", String.class, String.class);
      assertThat(without.writeBehind().pending()).isEqualTo(10);
      assertThatThrownBy(() -> without.writeBehind().flush(ofSeconds(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("without a writer");
      without.put("k1", "later"); // replaces what is pending
      without.put("k10", "unwritten");
      without.close();
      PersistentCache<String, String> with =
          onDisk.cache("c", String.class, String.class, o -> o.writeBehind(writer, options));
      assertThat(with.writeBehind().flush(ofSeconds(20))).isTrue();
    }
    Map<String, String> expected = numbered(0, 10);
    expected.put("k1", "later");
    assertThat(writer.target).isEqualTo(expected);
  }
}
