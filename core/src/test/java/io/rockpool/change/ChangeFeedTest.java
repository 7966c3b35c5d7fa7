package io.rockpool.change;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rockpool.Rockpool;
import io.rockpool.change.ChangeEvent.Kind;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.error.ChangesLostException;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChangeFeedTest {
  private static final ChangeOptions WEEK = ChangeOptions.keep(ofDays(7));

  @TempDir Path directory;
  @TempDir Path keys;
  private final FakeClock clock = new FakeClock();
  private Rockpool pool = Rockpool.at(o -> TestServer.open(clock)).open();

  @AfterEach
  void close() {
    pool.close();
  }

  private PersistentMap<String, Long> map(ChangeOptions options) {
    return pool.map("map", String.class, Long.class, o -> o.changes(options));
  }

  private ChangeFeed<String, Long> feed() {
    return pool.changes("map", String.class, Long.class);
  }

  private static List<String> shown(List<? extends ChangeEvent<?, ?>> changes) {
    return changes.stream().map(it -> it.kind() + " " + it.key() + " " + it.value()).toList();
  }

  @Test
  void aChangeHasKeyValueTimeAndTransaction() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("before", 1L);
    pool.runAtomically(
        tx -> {
          map.put("a", 2L, ofMinutes(1));
          map.remove("before");
        });
    map.clear();
    List<ChangeEvent<String, Long>> all = feed().from(feed().oldest()).toList();
    assertThat(shown(all))
        .containsExactly("PUT before 1", "PUT a 2", "REMOVE before null", "CLEAR null null");
    long first = all.get(0).position();
    assertThat(all)
        .extracting(ChangeEvent::position)
        .containsExactly(first, first + 1, first + 2, first + 3);
    assertThat(all)
        .extracting(ChangeEvent::transaction)
        .containsExactly(first, first + 1, first + 1, first + 3);
    assertThat(all.get(1).expires()).contains(clock.instant().plusSeconds(60));
    assertThat(all.get(0).expires()).isEmpty();
    assertThat(all.get(0).time()).isEqualTo(clock.instant());
    assertThat(feed().next()).isEqualTo(first + 4);
    assertThat(feed().from(first + 2)).hasSize(2);
    assertThat(feed().from(first + 4)).isEmpty();
    assertThatThrownBy(() -> feed().from(first + 5)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFeedStartsWhenItIsSwitchedOnAndIsKept() {
    pool.map("map", String.class, Long.class).put("old", 1L);
    assertThatThrownBy(this::feed).isInstanceOf(IllegalStateException.class);
    pool.close();
    pool = Rockpool.open(directory);
    pool.map("map", String.class, Long.class).put("old", 1L);
    pool.close();
    pool = Rockpool.open(directory);
    map(WEEK).put("new", 2L);
    pool.close();
    pool = Rockpool.open(directory);
    pool.map("map", String.class, Long.class).put("last", 3L);
    assertThat(shown(feed().poll(feed().oldest(), 10))).containsExactly("PUT new 2", "PUT last 3");
    assertThat(pool.names().list()).extracting(it -> it.name()).containsExactly("map");
    assertThat(pool.verify().findings()).isEmpty();
    pool.close();
    pool = Rockpool.open(directory);
    map(ChangeOptions.off()).put("gone", 4L);
    assertThatThrownBy(this::feed).isInstanceOf(IllegalStateException.class);
  }

  /** The position that a first try gives. */
  @Test
  void positionZeroIsTheOldestChangeThatIsKept() throws Exception {
    PersistentMap<String, Long> map = map(WEEK.maxChanges(1));
    assertThat(feed().from(0)).isEmpty();
    assertThat(feed().poll(0, 10)).isEmpty();
    for (long i = 0; i < 200; i++) {
      map.put("a", i);
    }
    long oldest = feed().oldest();
    assertThat(oldest).isLessThan(feed().next() - 1).isGreaterThan(feed().next() - 200);
    List<ChangeEvent<String, Long>> all = feed().from(0).toList();
    assertThat(all).hasSize((int) (feed().next() - oldest));
    assertThat(all.get(0).position()).isEqualTo(oldest);
    assertThat(feed().poll(0, 1).get(0).position()).isEqualTo(oldest);
    assertThat(feed().poll(0, 1, ofSeconds(1)).get(0).position()).isEqualTo(oldest);
    assertThatThrownBy(() -> feed().from(1)).isInstanceOf(ChangesLostException.class);
    assertThatThrownBy(() -> feed().poll(-1, 1)).isInstanceOf(ChangesLostException.class);
  }

  @Test
  void retentionRemovesTheOldestAndSaysSo() {
    PersistentMap<String, Long> map = map(ChangeOptions.keep(ofDays(1)).maxChanges(100));
    long start = feed().oldest();
    ChangeCursor<String, Long> cursor = feed().cursor("slow");
    for (long i = 0; i < 1_000; i++) {
      map.put("k", i);
    }
    ChangesLostException lost =
        catchThrowableOfType(ChangesLostException.class, () -> feed().from(start));
    assertThat(lost.oldest()).isEqualTo(feed().oldest());
    assertThat(lost.missed()).isEqualTo(lost.oldest() - start).isBetween(800L, 900L);
    assertThatThrownBy(() -> cursor.poll(1)).isInstanceOf(ChangesLostException.class);
    cursor.seek(lost.oldest());
    assertThat(cursor.poll(1)).hasSize(1);
    pool.reclaim();
    assertThat(feed().from(feed().oldest())).hasSize(100);
    clock.advanceMillis(ofDays(2).toMillis());
    pool.reclaim();
    assertThat(feed().oldest()).isEqualTo(feed().next()).isEqualTo(start + 1_000);
    assertThat(pool.verify().findings()).isEmpty();
  }

  @Test
  void retentionCountsBytes() {
    PersistentMap<String, Long> map = map(ChangeOptions.keep(ofDays(1)).maxBytes(10_000));
    for (long i = 0; i < 1_000; i++) {
      map.put("k", i);
    }
    pool.reclaim();
    assertThat(feed().next() - feed().oldest()).isBetween(150L, 300L);
    assertThat(pool.verify().findings()).isEmpty();
  }

  @Test
  void aStreamWhoseChangesAreRemovedMeanwhileSaysSo() {
    PersistentMap<String, Long> map = map(ChangeOptions.keep(ofDays(1)).maxChanges(300));
    for (long i = 0; i < 300; i++) {
      map.put("k", i);
    }
    var stream = feed().from(feed().oldest()).iterator();
    stream.next();
    for (long i = 0; i < 600; i++) {
      map.put("k", i);
    }
    assertThatThrownBy(() -> stream.forEachRemaining(it -> {}))
        .isInstanceOf(ChangesLostException.class);
  }

  @Test
  void aCursorDeliversAgainWhatWasNotCommitted() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("a", 1L);
    map.put("b", 2L);
    map.put("c", 3L);
    ChangeCursor<String, Long> cursor = feed().cursor("mailer");
    assertThat(shown(cursor.poll(1))).containsExactly("PUT a 1");
    cursor.commit();
    assertThat(shown(cursor.poll(1))).containsExactly("PUT b 2");
    assertThat(shown(feed().cursor("mailer").poll(9))).containsExactly("PUT b 2", "PUT c 3");
    assertThat(shown(feed().cursor("other").poll(9))).hasSize(3);
    cursor.rewind();
    assertThat(shown(cursor.poll(9))).containsExactly("PUT b 2", "PUT c 3");
    cursor.commit();
    assertThat(feed().cursor("mailer").poll(9)).isEmpty();
    assertThat(feed().cursors()).containsOnlyKeys("mailer").containsValue(feed().next());
    assertThat(feed().dropCursor("mailer")).isTrue();
    assertThat(feed().dropCursor("mailer")).isFalse();
  }

  @Test
  void aCursorInATransactionMovesIfItCommits() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("a", 1L);
    map.put("b", 2L);
    PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
    ChangeCursor<String, Long> cursor = feed().cursor("totals");
    Consumer<Boolean> step =
        fails ->
            pool.runAtomically(
                tx -> {
                  cursor.poll(1).forEach(it -> totals.merge("sum", it.value(), Long::sum));
                  cursor.poll(1).forEach(it -> totals.merge("sum", it.value(), Long::sum));
                  cursor.commit();
                  if (fails) {
                    throw new IllegalArgumentException("test");
                  }
                });
    assertThatThrownBy(() -> step.accept(true)).hasMessage("test");
    assertThat(totals).isEmpty();
    step.accept(false);
    step.accept(false);
    assertThat(totals).containsEntry("sum", 3L);
    assertThat(cursor.position()).isEqualTo(feed().next());
    assertThatThrownBy(() -> pool.runAtomically(tx -> waitFor(cursor)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void cursorsOfOneNameShareTheChangesInTransactions() throws Exception {
    PersistentMap<String, Long> map = map(WEEK);
    for (int i = 0; i < 200; i++) {
      map.put("k" + i, 1L);
    }
    PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
    Runnable consumer =
        () -> {
          ChangeCursor<String, Long> cursor = feed().cursor("totals");
          AtomicInteger polled = new AtomicInteger();
          do {
            pool.runAtomically(
                tx -> {
                  List<ChangeEvent<String, Long>> changes = cursor.poll(7);
                  polled.set(changes.size());
                  changes.forEach(it -> totals.merge(it.key(), 1L, Long::sum));
                  cursor.commit();
                });
          } while (polled.get() > 0);
        };
    List<CompletableFuture<Void>> consumers =
        List.of(CompletableFuture.runAsync(consumer), CompletableFuture.runAsync(consumer));
    for (CompletableFuture<Void> each : consumers) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertThat(totals).hasSize(200);
    assertThat(totals.values()).containsOnly(1L);
  }

  @Test
  void aTransactionDoesNotCommitWhatAnotherCursorOfTheNameHas() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("a", 1L);
    map.put("b", 2L);
    PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
    ChangeCursor<String, Long> one = feed().cursor("totals");
    ChangeCursor<String, Long> other = feed().cursor("totals");
    List<ChangeEvent<String, Long>> polled = one.poll(1); // outside of the transaction
    assertThat(other.poll(1)).hasSize(1);
    other.commit();
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      polled.forEach(it -> totals.put(it.key(), it.value()));
                      one.commit();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another cursor");
    assertThat(totals).isEmpty();
    one.rewind();
    assertThat(shown(one.poll(9))).containsExactly("PUT b 2");
    pool.runAtomically(tx -> one.commit());
    assertThat(feed().cursors()).containsEntry("totals", feed().next());
  }

  @Test
  void aRolledBackPartOfATransactionIsPolledAgainInIt() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("a", 1L);
    PersistentMap<String, Long> totals = pool.map("totals", String.class, Long.class);
    ChangeCursor<String, Long> cursor = feed().cursor("totals");
    cursor.commit();
    Runnable step =
        () -> {
          cursor.poll(9).forEach(it -> totals.merge(it.key(), 1L, Long::sum));
          cursor.commit();
        };
    pool.runAtomically(
        tx -> {
          assertThatThrownBy(
                  () ->
                      pool.runAtomically(
                          part -> {
                            step.run();
                            throw new IllegalArgumentException("test");
                          }))
              .hasMessage("test");
          step.run();
        });
    assertThat(totals).containsOnly(Map.entry("a", 1L));
    assertThat(cursor.position()).isEqualTo(feed().next());
  }

  private static void waitFor(ChangeCursor<String, Long> cursor) {
    try {
      cursor.poll(1, ofSeconds(1));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReaderWaitsForTheCommit() throws Exception {
    PersistentMap<String, Long> map = map(WEEK);
    ChangeFeed<String, Long> feed = feed();
    assertThat(feed.poll(feed.next(), 1, ZERO)).isEmpty();
    CompletableFuture<List<String>> waiting = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                waiting.complete(shown(feed.poll(feed.next(), 9, ofMinutes(1))));
              } catch (InterruptedException | RuntimeException e) {
                waiting.completeExceptionally(e);
              }
            });
    reader.start();
    awaitWaiting(reader);
    pool.runAtomically(
        tx -> {
          map.put("a", 1L);
          map.put("b", 2L);
          assertThat(waiting).isNotDone();
        });
    assertThat(waiting.get(1, TimeUnit.MINUTES)).containsExactly("PUT a 1", "PUT b 2");
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.TIMED_WAITING
        && thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
  }

  @Test
  void droppingAndClosingEndTheWait() throws Exception {
    List<Runnable> ends =
        List.of(
            () -> pool.names().drop("map"),
            () -> pool.names().rename("map", "other"),
            () -> pool.close());
    for (Runnable end : ends) {
      map(WEEK).put("a", 1L);
      ChangeFeed<String, Long> feed = feed();
      CompletableFuture<Object> waiting = new CompletableFuture<>();
      Thread reader =
          new Thread(
              () -> {
                try {
                  waiting.complete(feed.poll(feed.next(), 9, ofMinutes(1)));
                } catch (InterruptedException | RuntimeException e) {
                  waiting.completeExceptionally(e);
                }
              });
      reader.start();
      awaitWaiting(reader);
      end.run();
      assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(StoreClosedException.class);
      assertThatThrownBy(() -> feed.next()).isInstanceOf(StoreClosedException.class);
    }
  }

  @Test
  void aFeedFollowsARenameAndNotACopy() {
    PersistentMap<String, Long> map = map(WEEK);
    map.put("a", 1L);
    ChangeCursor<String, Long> cursor = feed().cursor("c");
    cursor.poll(1);
    cursor.commit();
    pool.names().copy("map", "copy");
    pool.names().rename("map", "renamed");
    pool.map("renamed", String.class, Long.class).put("b", 2L);
    ChangeFeed<String, Long> feed = pool.changes("renamed", String.class, Long.class);
    assertThat(shown(feed.from(feed.oldest()).toList())).containsExactly("PUT a 1", "PUT b 2");
    assertThat(shown(feed.cursor("c").poll(9))).containsExactly("PUT b 2");
    assertThatThrownBy(() -> pool.changes("copy", String.class, Long.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no change feed");
  }

  @Test
  void positionsOfADroppedFeedAreNotTakenForNewOnes() {
    map(WEEK).put("a", 1L);
    long old = feed().oldest();
    clock.advanceMillis(1);
    pool.names().drop("map");
    map(WEEK).put("b", 2L);
    assertThatThrownBy(() -> feed().from(old)).isInstanceOf(ChangesLostException.class);
    assertThat(pool.verify().findings()).isEmpty();
  }

  @Test
  void otherTypesAreRefused() {
    map(WEEK);
    assertThatThrownBy(() -> pool.changes("map", String.class, String.class))
        .isInstanceOf(NameConflictException.class);
    pool.deque("deque", String.class, o -> o.changes(WEEK));
    assertThatThrownBy(() -> pool.changes("deque", String.class, String.class))
        .isInstanceOf(NameConflictException.class)
        .hasMessageContaining("Long");
    pool.queue("queue", String.class);
    assertThatThrownBy(() -> pool.changes("queue", String.class, String.class))
        .isInstanceOf(NameConflictException.class);
    assertThatThrownBy(() -> pool.changes("none", String.class, String.class))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCopyToReadHasTheFeed() {
    pool.close();
    pool = Rockpool.open(directory);
    map(WEEK).put("a", 1L);
    feed().cursor("c").commit();
    try (Rockpool copy = Rockpool.at(directory).openCopy()) {
      ChangeFeed<String, Long> feed = copy.changes("map", String.class, Long.class);
      assertThat(shown(feed.from(feed.oldest()).toList())).containsExactly("PUT a 1");
      assertThat(feed.cursors()).containsOnlyKeys("c");
      assertThatThrownBy(() -> feed.cursor("c").commit())
          .isInstanceOf(ReadOnlyStoreException.class);
      assertThat(copy.map("map", String.class, Long.class)).containsEntry("a", 1L);
    }
  }

  @Test
  void theLogOfAnEncryptedNameIsEncrypted() throws Exception {
    String secret = "a text that nothing else has";
    Encryption encryption = Encryption.with(KeyProviders.file(newKeys())).only("letters");
    try (Rockpool encrypted = Rockpool.at(directory).encryption(encryption).open()) {
      encrypted.map("letters", String.class, String.class, o -> o.changes(WEEK)).put("k", secret);
      ChangeFeed<String, String> feed = encrypted.changes("letters", String.class, String.class);
      assertThat(feed.from(feed.oldest()).map(ChangeEvent::value)).containsExactly(secret);
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain(secret);
      }
    }
  }

  private Path newKeys() throws IOException {
    return Files.writeString(keys.resolve("keys"), KeyProviders.newKey("test"));
  }

  @Test
  void theOrderIsThatOfTheCommits() throws Exception {
    pool.close();
    pool = Rockpool.open(directory);
    PersistentMap<String, Long> map = map(WEEK);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        long thread = t;
        all.add(
            threads.submit(
                () -> {
                  for (long i = 0; i < 100; i++) {
                    long value = thread * 1_000 + i;
                    if (i % 3 == 0) {
                      pool.runAtomically(
                          tx -> {
                            map.put("k" + value % 7, value);
                            map.put("k" + value % 5, -value);
                          });
                    } else if (i % 40 == 1) {
                      map.clear();
                    } else {
                      map.put("k" + value % 7, value);
                    }
                  }
                }));
      }
      Replay<String, Long> replay = new Replay<>(feed());
      for (Future<?> it : all) {
        replay.catchUp(Instant.MIN);
        it.get(1, TimeUnit.MINUTES);
      }
      Map<Object, Object> there = new HashMap<>(map);
      assertThat(replay.catchUp(Instant.MIN)).isEqualTo(there);
    } finally {
      threads.shutdownNow();
    }
    assertThat(feed().from(feed().oldest()).filter(it -> it.kind() == Kind.CLEAR)).hasSize(16);
    assertThat(pool.verify().findings()).isEmpty();
  }
}
