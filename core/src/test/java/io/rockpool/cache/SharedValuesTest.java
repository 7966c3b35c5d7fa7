package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.StoreExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that are shared although they can be changed: the same instance while it is hot. */
class SharedValuesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final FakeClock clock = new FakeClock();

  @RegisterExtension
  final StoreExtension<Rockpool> store =
      new StoreExtension<>(directory -> CacheSetup.ROCKSDB_ROOMY.open(directory, clock));

  private Rockpool pool;
  private PersistentCache<String, List<String>> cache;

  @BeforeEach
  void open() {
    pool = store.get();
    cache = own(100);
  }

  private PersistentCache<String, List<String>> own(long hotEntries) {
    return Internals.store(pool)
        .caches()
        .openOwn(
            "lists",
            TypeRef.of(String.class),
            new TypeRef<>() {},
            CacheOptions.<String, List<String>>defaults()
                .expiry(CacheExpiry.afterAccess(HOUR))
                .hotEntries(hotEntries)
                .sharesValues(true));
  }

  private static List<String> list(String... elements) {
    return new ArrayList<>(List.of(elements));
  }

  static Stream<Named<Function<PersistentCache<String, List<String>>, List<String>>>> waysOut() {
    return Stream.of(
        Named.of("get", it -> it.get("a")),
        Named.of("getAll", it -> it.getAll(Set.of("a")).get("a")),
        Named.of("iterator", it -> it.iterator().next().getValue()),
        Named.of("getAndPut", it -> it.getAndPut("a", list("x"))),
        Named.of("getAndRemove", it -> it.getAndRemove("a")),
        Named.of("replace", it -> it.replace("a", list("x"))),
        Named.of("putIfAbsent", it -> it.putIfAbsent("a", list("x"))),
        Named.of("get with a loader", it -> it.get("a", key -> list("x"))),
        Named.of(
            "decide",
            it -> {
              List<List<String>> seen = new ArrayList<>();
              Internals.cache(it)
                  .decide(
                      "a",
                      there -> {
                        seen.add(there);
                        return Decision.keep();
                      });
              return seen.get(0);
            }));
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void everyWayOutGivesTheInstanceThatWasPut(
      Function<PersistentCache<String, List<String>>, List<String>> way) {
    List<String> value = list("1");
    cache.put("a", value);
    value.add("2");
    assertThat(way.apply(cache)).isSameAs(value).containsExactly("1", "2");
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void soItDoesAfterTheExpiryWasMoved(
      Function<PersistentCache<String, List<String>>, List<String>> way) {
    List<String> value = list("1");
    cache.putAll(Map.of("a", value));
    cache.expireAfter("a", Duration.ofMinutes(5));
    clock.advanceMillis(Duration.ofMinutes(4).toMillis());
    assertThat(way.apply(cache)).isSameAs(value);
  }

  @Test
  void whatWasReadFromDiskIsSharedFromThenOn() {
    List<String> value = list("1");
    cache.put("a", value);
    value.add("2");
    cache.close();
    cache = own(100);
    List<String> read = cache.get("a");
    assertThat(read).isNotSameAs(value).containsExactly("1");
    assertThat(cache.get("a")).isSameAs(read);
  }

  @Test
  void anotherCachesWriteTakesItsPlace() {
    List<String> value = list("1");
    cache.put("a", value);
    PersistentCache<String, List<String>> other = own(100);
    other.put("a", list("2"));
    assertThat(cache.getAndPut("a", list("3"))).containsExactly("2");
    assertThat(other.get("a")).containsExactly("3");
  }

  @Test
  void withoutAHotTierNothingIsShared() {
    cache.close();
    cache = own(0);
    List<String> value = list("1");
    cache.put("a", value);
    value.add("2");
    assertThat(cache.get("a")).containsExactly("1");
    assertThat(cache.getAndPut("a", value)).containsExactly("1");
  }

  @Test
  void attributesAreKeptAndAClosedCacheHasNone() {
    Internals.store(pool).caches().keep(cache, it -> Map.of("colour", "blue"));
    assertThat(pool.names().find("lists").orElseThrow().options()).containsEntry("colour", "blue");
    cache.close();
    assertThatThrownBy(() -> Internals.store(pool).caches().keep(cache, it -> Map.of()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(pool.names().find("lists").orElseThrow().options()).containsEntry("colour", "blue");
  }
}
