package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.access.Internals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tags of entries, and their invalidation. */
@Timeout(60)
class TagsTest extends OnEverySetup {
  private PersistentCache<String, String> cache;

  @BeforeEach
  void open() {
    cache = pool.cache("cache", String.class, String.class, o -> setup.options());
  }

  /** A cache whose values name their tags, as in "value t1 t2". */
  private PersistentCache<String, String> tagged() {
    return pool.cache(
        "tagged",
        String.class,
        String.class,
        o -> setup.<String, String>options().tags(TagsTest::tags));
  }

  private static Set<String> tags(String key, String value) {
    return Set.of(value.split(" ")).stream()
        .filter(part -> part.startsWith("t"))
        .collect(Collectors.toSet());
  }

  private void assertAbsent(PersistentCache<String, String> from, String key) {
    assertThat(from.containsKey(key)).isFalse();
    assertThat(from.get(key)).isNull();
    assertThat(from.getAll(List.of(key))).isEmpty();
    assertThat(from.ttl(key)).isEmpty();
    assertThat(from.tags(key)).isEmpty();
    assertThat(from.keys()).doesNotContain(key);
    assertThat(from.asMap()).doesNotContainKey(key);
  }

  @Test
  void anInvalidatedTagRemovesItsEntries() {
    cache.put("a", "1", Set.of("t1"));
    cache.put("b", "2", Set.of("t1", "t2"));
    cache.put("c", "3", Set.of("t2"));
    cache.put("d", "4");
    cache.getAll(List.of("a", "b", "c", "d"));
    cache.invalidateTag("t1");
    assertAbsent(cache, "a");
    assertAbsent(cache, "b");
    assertThat(cache.get("c")).isEqualTo("3");
    assertThat(cache.tags("c")).containsExactly("t2");
    assertThat(cache.get("d")).isEqualTo("4");
    cache.put("a", "5", Set.of("t1"));
    assertThat(cache.get("a")).isEqualTo("5");
    cache.invalidateTags(List.of("t1", "t2"));
    assertThat(cache.asMap()).containsOnlyKeys("d");
  }

  @Test
  void reopeningChangesNothing() throws Exception {
    cache.put("a", "1", Set.of("t1"));
    cache.put("b", "2", Set.of("t2"));
    cache.invalidateTag("t1");
    cache.put("c", "3", Duration.ofDays(1), Set.of("t1"));
    if (setup.name().startsWith("MEMORY")) {
      return; // a memory engine keeps nothing
    }
    reopen();
    open();
    assertAbsent(cache, "a");
    assertThat(cache.get("b")).isEqualTo("2");
    assertThat(cache.get("c")).isEqualTo("3");
    cache.invalidateTag("t1");
    assertAbsent(cache, "c");
    assertThat(cache.get("b")).isEqualTo("2");
  }

  @Test
  void everyWriteOfAValueSetsItsTags() {
    PersistentCache<String, String> tagged = tagged();
    Map<String, Runnable> writes = new HashMap<>();
    writes.put("put", () -> tagged.put("k", "v t1"));
    writes.put("putTtl", () -> tagged.put("k", "v t1", Duration.ofDays(1)));
    writes.put("putAll", () -> tagged.putAll(Map.of("k", "v t1")));
    writes.put("putAllTtl", () -> tagged.putAll(Map.of("k", "v t1"), Duration.ofDays(1)));
    writes.put("putIfAbsent", () -> tagged.putIfAbsent("k", "v t1"));
    writes.put("putIfAbsentTtl", () -> tagged.putIfAbsent("k", "v t1", Duration.ofDays(1)));
    writes.put("getAndPut", () -> tagged.getAndPut("k", "v t1"));
    writes.put("compute", () -> tagged.compute("k", (key, value) -> "v t1"));
    writes.put("merge", () -> tagged.merge("k", "v t1", String::concat));
    writes.put("load", () -> tagged.get("k", key -> "v t1"));
    writes.put("getAll", () -> tagged.getAll(Set.of("k"), keys -> Map.of("k", "v t1")));
    writes.put(
        "getAsync",
        () ->
            tagged
                .getAsync("k", key -> CompletableFuture.completedFuture("v t1"), Runnable::run)
                .join());
    writes.put("explicit", () -> tagged.put("k", "v t1", Set.of("other")));
    writes.put("explicitLoad", () -> tagged.get("k", key -> "v t1", (k, v) -> Set.of("other")));
    writes.put("transaction", () -> pool.runAtomically(transaction -> tagged.put("k", "v t1")));
    writes.put(
        "replace",
        () -> {
          tagged.put("k", "v");
          tagged.replace("k", "v t1");
        });
    writes.put(
        "replaceEqual",
        () -> {
          tagged.put("k", "v");
          tagged.replace("k", "v", "v t1");
        });
    writes.forEach(
        (name, write) -> {
          write.run();
          assertThat(tagged.tags("k")).as(name).contains("t1");
          assertThat(tagged.get("k")).as(name).isEqualTo("v t1");
          tagged.invalidateTag("t1");
          assertAbsent(tagged, "k");
        });
  }

  @Test
  void aPutWithoutTagsRemovesThemAndAnExpiryKeepsThem() {
    cache.put("a", "1", Set.of("t1"));
    cache.put("a", "2");
    cache.put("b", "1", Set.of("t1"));
    cache.expireAfter("b", Duration.ofDays(1));
    assertThat(cache.tags("b")).containsExactly("t1");
    cache.put("c", "1", Set.of("t1"));
    cache.compute("c", (key, value) -> value + 1);
    cache.invalidateTag("t1");
    assertThat(cache.get("a")).isEqualTo("2");
    assertAbsent(cache, "b");
    assertThat(cache.get("c")).isEqualTo("11");
  }

  @Test
  void anInvalidatedEntryIsAbsentForEveryChange() {
    cache.put("k", "old", Set.of("t"));
    cache.get("k");
    cache.invalidateTag("t");
    assertThat(cache.replace("k", "new")).isNull();
    assertThat(cache.replace("k", "old", "new")).isFalse();
    assertThat(cache.remove("k", "old")).isFalse();
    assertThat(cache.computeIfPresent("k", (key, value) -> "new")).isNull();
    assertThat(cache.expireAfter("k", Duration.ofDays(1))).isFalse();
    assertThat(cache.persist("k")).isFalse();
    assertThat(cache.getAndRemove("k")).isNull();
    assertThat(cache.remove("k")).isFalse();
    cache.put("k", "old", Set.of("t"));
    cache.invalidateTag("t");
    assertThat(cache.putIfAbsent("k", "new")).isNull();
    assertThat(cache.get("k")).isEqualTo("new");
    cache.put("k", "old", Set.of("t"));
    cache.invalidateTag("t");
    assertThat(cache.merge("k", "new", String::concat)).isEqualTo("new");
    cache.put("k", "old", Set.of("t"));
    cache.invalidateTag("t");
    assertThat(cache.get("k", key -> "loaded")).isEqualTo("loaded");
  }

  @Test
  void aValueLoadedBeforeAnInvalidationIsNotServedAfterIt() throws Exception {
    PersistentCache<String, String> tagged = tagged();
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch invalidated = new CountDownLatch(1);
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(
            () ->
                tagged.get(
                    "k",
                    key -> {
                      loading.countDown();
                      invalidated.await();
                      return "old t1";
                    }),
            task -> new Thread(task).start());
    loading.await();
    tagged.invalidateTag("t1");
    CompletableFuture<String> second =
        CompletableFuture.supplyAsync(
            () -> tagged.get("k", key -> "new t1"), task -> new Thread(task).start());
    CompletableFuture<Map<String, String>> third =
        CompletableFuture.supplyAsync(
            () -> tagged.getAll(Set.of("k"), keys -> Map.of("k", "new t1")),
            task -> new Thread(task).start());
    Thread.sleep(50); // both probably wait for the first load
    CompletableFuture<String> fourth =
        tagged.getAsync("k", key -> CompletableFuture.completedFuture("new t1"), Runnable::run);
    invalidated.countDown();
    assertThat(first.join()).isEqualTo("old t1");
    assertThat(second.join()).isEqualTo("new t1");
    assertThat(third.join()).containsEntry("k", "new t1");
    assertThat(fourth.join()).isEqualTo("new t1");
    assertThat(tagged.get("k")).isEqualTo("new t1");
  }

  @Test
  void anotherInvalidationDoesNotHideTheOneBeforeARead() throws Exception {
    PersistentCache<String, String> tagged = tagged();
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch invalidated = new CountDownLatch(1);
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(
            () ->
                tagged.get(
                    "k",
                    key -> {
                      loading.countDown();
                      invalidated.await();
                      return "old t1";
                    }),
            task -> new Thread(task).start());
    loading.await();
    tagged.invalidateTag("t1");
    CompletableFuture<String> second =
        tagged.getAsync("k", key -> CompletableFuture.completedFuture("new t1"), Runnable::run);
    tagged.invalidateTag("t1");
    invalidated.countDown();
    assertThat(first.join()).isEqualTo("old t1");
    assertThat(second.join()).isEqualTo("new t1");
  }

  @Test
  void aLoadWhoseTagsWereNotInvalidatedIsSharedAndStored() throws Exception {
    PersistentCache<String, String> tagged = tagged();
    tagged.put("other", "v t2");
    assertThat(
            tagged.get(
                "k",
                key -> {
                  tagged.invalidateTag("t2");
                  return "v t1";
                }))
        .isEqualTo("v t1");
    assertThat(tagged.get("k")).isEqualTo("v t1");
  }

  @Test
  void aComputedValueEndsWithTheTagsInvalidatedMeanwhile() {
    PersistentCache<String, String> tagged = tagged();
    tagged.compute(
        "k",
        (key, value) -> {
          tagged.invalidateTag("t1");
          return "old t1";
        });
    assertAbsent(tagged, "k");
  }

  @Test
  void aTransactionSeesItsOwnInvalidations() {
    cache.put("a", "1", Set.of("t1"));
    cache.put("b", "1", Set.of("t2"));
    cache.getAll(List.of("a", "b"));
    pool.runAtomically(
        transaction -> {
          assertThat(cache.get("a")).isEqualTo("1");
          cache.invalidateTag("t1");
          assertThat(cache.get("a")).isNull();
          assertThat(cache.putIfAbsent("a", "2")).isNull();
          cache.put("c", "2", Set.of("t1"));
          assertThat(cache.get("c")).isEqualTo("2");
          cache.put("d", "2", Set.of("t2"));
          cache.invalidateTag("t2");
          assertThat(cache.getAll(List.of("a", "b", "c", "d"))).containsOnlyKeys("a", "c");
        });
    assertThat(cache.getAll(List.of("a", "b", "c", "d"))).containsOnlyKeys("a", "c");
    assertThat(cache.asMap()).containsOnlyKeys("a", "c");
  }

  /** Before the actions after the commit run, other threads may read. */
  @Test
  void noReadAfterTheCommitReturnsAnInvalidatedEntry() {
    try (Engine engine = MemoryEngine.builder().build();
        Rockpool over = Rockpool.at(o -> engine).open()) {
      PersistentCache<String, String> mine = over.cache("c", String.class, String.class);
      mine.put("k", "v", Set.of("t"));
      assertThat(mine.get("k")).isEqualTo("v");
      List<String> read = new ArrayList<>();
      over.atomically(
          tx -> {
            mine.invalidateTag("t");
            engine.afterTransaction(() -> read.add(mine.get("k")));
            return null;
          });
      assertThat(read).containsExactly((String) null);
      assertThat(mine.get("k")).isNull();
    }
  }

  @Test
  void aRollbackInvalidatesNothing() throws Exception {
    cache.put("a", "1", Set.of("t1"));
    cache.get("a");
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    transaction -> {
                      cache.invalidateTag("t1");
                      cache.put("b", "2", Set.of("t1"));
                      assertThat(inAnotherThread("a")).isEqualTo("1");
                      throw new IllegalArgumentException("rolls back");
                    }))
        .hasMessage("rolls back");
    assertThat(cache.get("a")).isEqualTo("1");
    assertAbsent(cache, "b");
    cache.invalidateTag("t1");
    assertAbsent(cache, "a");
  }

  private String inAnotherThread(String key) {
    return CompletableFuture.supplyAsync(() -> cache.get(key), task -> new Thread(task).start())
        .join();
  }

  @Test
  void theFirstTagOfANameMayBeInATransaction() {
    pool.runAtomically(transaction -> cache.put("a", "1", Set.of("t1")));
    assertThat(cache.get("a")).isEqualTo("1");
    pool.runAtomically(transaction -> cache.invalidateTag("t1"));
    assertAbsent(cache, "a");
  }

  @Test
  void whatExpiresAfterItsInvalidationIsNotAnExpiry() {
    List<String> expired = new ArrayList<>();
    cache.onExpired((key, value) -> expired.add(key));
    cache.put("a", "1", Duration.ofSeconds(1), Set.of("t1"));
    cache.put("b", "1", Duration.ofSeconds(1), Set.of("t2"));
    cache.invalidateTag("t1");
    clock.advanceMillis(2_000);
    assertAbsent(cache, "a");
    assertAbsent(cache, "b");
    pool.reclaim();
    assertThat(expired).containsExactly("b");
  }

  @Test
  void tagsFollowTheName() {
    cache.put("a", "1", Set.of("t1"));
    cache.put("b", "1", Set.of("t2"));
    cache.invalidateTag("t1");
    pool.cache("new", String.class, String.class, o -> setup.options()).put("a", "x", Set.of("t2"));
    pool.names().renameReplacing("cache", "new");
    PersistentCache<String, String> renamed =
        pool.cache("new", String.class, String.class, o -> setup.options());
    assertAbsent(renamed, "a");
    assertThat(renamed.get("b")).isEqualTo("1");
    renamed.invalidateTag("t2");
    assertAbsent(renamed, "b");
    open();
    assertThat(cache.asMap()).isEmpty();
    cache.put("a", "1", Set.of("t1"));
    assertThat(cache.get("a")).isEqualTo("1");
    pool.names().drop("cache");
    open();
    cache.put("a", "1", Set.of("t1"));
    assertThat(cache.get("a")).isEqualTo("1");
    cache.clear();
    cache.put("a", "1", Set.of("t1"));
    assertThat(cache.get("a")).isEqualTo("1");
    assertThat(pool.names().list("")).allMatch(there -> !there.name().contains("rockpool:tags"));
  }

  @Test
  void limitsAreRefusedAndChangeNothing() {
    Set<String> most =
        IntStream.range(0, Tagging.MAX_TAGS).mapToObj(i -> "t" + i).collect(Collectors.toSet());
    int longestBytes =
        Math.min(Tagging.MAX_TAG_BYTES, Internals.store(pool).engine().limits().maxHashKeyBytes());
    String longest = "x".repeat(longestBytes);
    cache.put("a", "1", most);
    assertThat(cache.tags("a")).isEqualTo(most);
    cache.put("b", "1", Set.of(longest));
    assertThat(cache.get("b")).isEqualTo("1");
    Set<String> tooMany = new java.util.HashSet<>(most);
    tooMany.add("more");
    assertThatThrownBy(() -> cache.put("a", "2", tooMany))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("129");
    assertThatThrownBy(() -> cache.put("b", "2", Set.of(longest + "x")))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("length of a tag is " + (longestBytes + 1));
    assertThatThrownBy(() -> cache.put("b", "2", Set.of("")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.invalidateTag("\ud800"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.get("a")).isEqualTo("1");
    assertThat(cache.get("b")).isEqualTo("1");
    cache.invalidateTags(tooMany);
    assertAbsent(cache, "a");
    cache.invalidateTag(longest);
    assertAbsent(cache, "b");
  }

  @Test
  void aFailingTaggerChangesNothing() {
    PersistentCache<String, String> failing =
        pool.cache(
            "failing",
            String.class,
            String.class,
            o ->
                setup
                    .<String, String>options()
                    .tags(
                        (key, value) -> {
                          if (value.equals("bad")) {
                            throw new IllegalStateException("no tags");
                          }
                          return Set.of("t");
                        }));
    failing.put("k", "good");
    assertThatThrownBy(() -> failing.put("k", "bad")).hasMessage("no tags");
    assertThatThrownBy(() -> failing.compute("k", (key, value) -> "bad")).hasMessage("no tags");
    assertThatThrownBy(() -> failing.get("l", key -> "bad")).hasMessage("no tags");
    assertThat(failing.get("k")).isEqualTo("good");
    assertThat(failing.get("l", key -> "good")).isEqualTo("good");
  }
}
