package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.MutablePart;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UnencodableValueException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A set whose element was changed, and equals another one now, is refused in each place that keeps
 * values: what was there stays.
 */
class ChangedElementsTest {
  private static final TypeRef<Set<MutablePart>> PARTS = new TypeRef<>() {};
  private static final TypeRef<String> STRING = TypeRef.of(String.class);

  /** Stores a set and returns what reads it. */
  private interface Place {
    Supplier<@Nullable Set<MutablePart>> store(Rockpool pool, Set<MutablePart> parts);
  }

  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Kept {
    CACHE((pool, parts) -> cache(pool.cache("c", STRING, PARTS), parts)),
    CACHE_BY_REFERENCE(
        (pool, parts) -> cache(pool.cache("r", STRING, PARTS, o -> o.sharesValues(true)), parts)),
    MAP(
        (pool, parts) -> {
          pool.map("m", STRING, PARTS).put("k", parts);
          return () -> pool.map("m", STRING, PARTS).get("k");
        }),
    VALUE(
        (pool, parts) -> {
          pool.value("v", PARTS).set(parts);
          return () -> pool.value("v", PARTS).get();
        }),
    DEQUE(
        (pool, parts) -> {
          pool.deque("d", PARTS).addLast(parts);
          return () -> pool.deque("d", PARTS).peekLast();
        }),
    QUEUE(
        (pool, parts) -> {
          pool.queue("q", PARTS).send(parts);
          return () -> pool.queue("q", PARTS).peek(2).get(0).message();
        });

    private final Place place;

    Kept(Place place) {
      this.place = place;
    }
  }

  private static Supplier<@Nullable Set<MutablePart>> cache(
      PersistentCache<String, Set<MutablePart>> cache, Set<MutablePart> parts) {
    cache.put("k", parts);
    return () -> cache.get("k");
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedWhereItIsPut(Kept kept, @TempDir Path directory) {
    Set<MutablePart> before = new HashSet<>(List.of(new MutablePart("a"), new MutablePart("b")));
    try (Rockpool pool = Rockpool.open(directory)) {
      Supplier<@Nullable Set<MutablePart>> read = kept.place.store(pool, before);
      assertThat(read.get()).isEqualTo(before);
      MutablePart changed = new MutablePart("d");
      Set<MutablePart> parts = new HashSet<>(List.of(new MutablePart("c"), changed));
      changed.rename("c");
      assertThatThrownBy(() -> kept.place.store(pool, parts))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("class " + MutablePart.class.getName() + " that are equal now")
          .hasMessageContaining("Change elements before they are added");
      assertThat(read.get()).isEqualTo(before);
    }
  }
}
