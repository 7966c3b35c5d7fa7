package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The listener hears only of entries that were past their deadline for the operation itself. */
class ReplacedAliveTest extends OnEverySetup {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration SOFT = Duration.ofSeconds(5);
  private static final String KEY = "k";
  private static final String OLD = "old";
  private static final String NEW = "new";

  private final List<String> told = new ArrayList<>();
  private final List<Runnable> refreshes = new ArrayList<>();

  private PersistentCache<String, String> open(CacheExpiry<Object, Object> expiry) {
    CacheOptions<String, String> options = setup.options();
    PersistentCache<String, String> cache =
        pool.cache("c", String.class, String.class, o -> options.expiry(expiry));
    watch(cache);
    return cache;
  }

  private void watch(PersistentCache<String, String> cache) {
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              boolean first = removal.getAsBoolean();
              told.add(key + "=" + value + " " + first + " " + removal.getAsBoolean());
            });
  }

  private Map<String, Consumer<PersistentCache<String, String>>> changes() {
    return Map.ofEntries(
        Map.entry("put", it -> it.put(KEY, "new")),
        Map.entry("put with a TTL", it -> it.put(KEY, "new", TTL)),
        Map.entry("put in a transaction", it -> inTransaction(() -> it.put(KEY, "new"))),
        Map.entry("putAll", it -> it.putAll(Map.of(KEY, "new", "other", "new"))),
        Map.entry("putIfAbsent", it -> it.putIfAbsent(KEY, "new")),
        Map.entry("getAndPut", it -> it.getAndPut(KEY, "new")),
        Map.entry("compute", it -> it.compute(KEY, (key, there) -> there + "x")),
        Map.entry("computeIfPresent to null", it -> it.computeIfPresent(KEY, (key, there) -> null)),
        Map.entry("replace", it -> it.replace(KEY, "new")),
        Map.entry("remove", it -> it.remove(KEY)),
        Map.entry("remove if equal", it -> it.remove(KEY, OLD)),
        Map.entry("invalidate", it -> it.invalidate(KEY)),
        Map.entry("expireAfter", it -> it.expireAfter(KEY, TTL)),
        Map.entry("decide", it -> Internals.cache(it).decide(KEY, there -> Decision.put("new"))),
        Map.entry(
            "decideAll",
            it ->
                Internals.cache(it)
                    .decideAll(List.of(KEY, "other"), (key, there) -> Decision.put("new"))),
        Map.entry(
            "decideAll in a transaction",
            it ->
                inTransaction(
                    () ->
                        Internals.cache(it).decideAll(List.of(KEY), (k, v) -> Decision.remove()))),
        Map.entry("get", it -> it.get(KEY)),
        Map.entry("iterator", it -> it.forEach(entry -> {})));
  }

  private void inTransaction(Runnable work) {
    pool.atomically(
        tx -> {
          work.run();
          return null;
        });
  }

  @Test
  void anEntryThatReadsKeepAliveIsNotReportedWhenItIsChanged() {
    PersistentCache<String, String> cache = open(CacheExpiry.afterAccess(TTL));
    changes()
        .forEach(
            (name, change) -> {
              cache.put(KEY, OLD);
              clock.advanceMillis(TTL.toMillis() - 1);
              assertThat(cache.get(KEY)).isEqualTo(OLD);
              clock.advanceMillis(TTL.toMillis() - 1);
              change.accept(cache);
              assertThat(told).as(name).isEmpty();
              cache.clear();
            });
  }

  /**
   * The change is decided again, on what is there then: nothing. So the entry had expired for it,
   * and is reported once.
   */
  @Test
  void anEntryWhoseDeadlinePassesWhileItsChangeIsDecidedHasExpiredForIt() {
    PersistentCache<String, String> cache = open(CacheExpiry.afterWrite(TTL));
    Map<String, Runnable> changes =
        Map.of(
            "compute", () -> cache.compute(KEY, (key, there) -> decidedSlowly(there)),
            "merge", () -> cache.merge(KEY, NEW, (there, value) -> decidedSlowly(there)),
            "decide",
                () ->
                    Internals.cache(cache).decide(KEY, there -> Decision.put(decidedSlowly(there))),
            "decideAll",
                () ->
                    Internals.cache(cache)
                        .decideAll(
                            List.of(KEY, "other"),
                            (key, there) ->
                                key.equals(KEY)
                                    ? Decision.put(decidedSlowly(there))
                                    : Decision.keep()));
    changes.forEach(
        (name, change) -> {
          told.clear();
          cache.put(KEY, OLD);
          change.run();
          assertThat(cache.get(KEY)).as(name).isEqualTo(NEW);
          assertThat(told).as(name).containsExactly(KEY + "=" + OLD + " true false");
          cache.clear();
        });
  }

  private @Nullable String slow(@Nullable String value) {
    clock.advanceMillis(TTL.toMillis());
    return value;
  }

  /** Takes until the entry expires, if there is one. */
  private @Nullable String decidedSlowly(@Nullable String there) {
    return there == null ? NEW : slow(there + "+");
  }

  @Test
  void aValueThatIsRefreshedWhileItLivesIsNotReported() {
    CacheOptions<String, String> options = setup.options();
    PersistentCache<String, String> cache =
        pool.cache(
            "c",
            String.class,
            String.class,
            o ->
                options
                    .expiry(CacheExpiry.afterAccess(TTL))
                    .softTtl(SOFT)
                    .refreshExecutor(refreshes::add)
                    .refreshLoader(key -> "new"));
    watch(cache);
    List<String> refreshed = new ArrayList<>();
    Internals.cache(cache)
        .onRefreshed(
            (key, before, after, change) -> {
              boolean changed = change.getAsBoolean();
              refreshed.add(before + " " + after + " " + changed);
            });
    cache.put(KEY, OLD);
    clock.advanceMillis(TTL.toMillis() - 1);
    assertThat(cache.get(KEY)).isEqualTo(OLD);
    clock.advanceMillis(TTL.toMillis() - 1);
    refreshes.remove(0).run();
    assertThat(cache.get(KEY)).isEqualTo("new");
    assertThat(told).isEmpty();
    assertThat(refreshed).containsExactly("old new true");
  }

  @Test
  void aValueThatExpiresWhileItIsRefreshedIsReportedAndTheNewOneIsACreation() {
    CacheOptions<String, String> options = setup.options();
    PersistentCache<String, String> cache =
        pool.cache(
            "c",
            String.class,
            String.class,
            o ->
                options
                    .expiry(CacheExpiry.afterWrite(TTL))
                    .softTtl(SOFT)
                    .refreshExecutor(refreshes::add)
                    .refreshLoader(key -> slow("new")));
    watch(cache);
    List<String> refreshed = new ArrayList<>();
    Internals.cache(cache)
        .onRefreshed(
            (key, before, after, change) -> {
              boolean changed = change.getAsBoolean();
              refreshed.add(before + " " + after + " " + changed);
            });
    cache.put(KEY, OLD);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get(KEY)).isEqualTo(OLD);
    refreshes.remove(0).run();
    assertThat(cache.get(KEY)).isEqualTo("new");
    assertThat(told).containsExactly("k=old true false");
    assertThat(refreshed).containsExactly("null new true");
  }

  @Test
  void anEntryThatHasExpiredIsRemovedByTheFirstCallAlone() {
    PersistentCache<String, String> cache = open(CacheExpiry.afterWrite(TTL));
    changes()
        .forEach(
            (name, change) -> {
              if (!name.equals("invalidate")) { // looks at nothing
                cache.put(KEY, OLD);
                clock.advanceMillis(TTL.toMillis());
                change.accept(cache);
                assertThat(told).as(name).containsExactly("k=old true false");
                told.clear();
                cache.clear();
              }
            });
  }
}
