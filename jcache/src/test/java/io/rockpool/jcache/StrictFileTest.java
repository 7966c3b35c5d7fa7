package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Configuration files that say which classes a store holds, and no others. */
final class StrictFileTest extends JCacheTest {
  record Place(String town, int zip) {}

  enum Size {
    SMALL
  }

  /** A key that only its own equals tells from others. */
  static final class Sku {
    private final String text;

    Sku(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sku it && it.text.equalsIgnoreCase(text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  private static final Place ZUG = new Place("Zug", 6300);
  private static final String STRICT = "strict = true\n";
  private static final String ALLOW_PLACE = "allow = [\"" + Place.class.getName() + "\"]\n";
  private static final String ALLOW_PACKAGE = "allow = [\"io.rockpool.jcache\"]\n";

  private static Cache<Object, Object> any(CacheManager manager) {
    Cache<Object, Object> found = manager.getCache("any");
    return found != null ? found : manager.createCache("any", new MutableConfiguration<>());
  }

  /** Closes everything, and opens a manager of a file with other lines. */
  private Cache<Object, Object> restartedWith(String lines) {
    provider.close();
    return any(manager(lines));
  }

  private static void assertRefused(ThrowingCallable call, Class<?> refused) {
    assertThatThrownBy(call)
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(refused.getName())
        .hasMessageContaining("rockpool.allow");
  }

  @Test
  void valuesOfOtherClassesAreRefusedWhereverTheyAre() {
    Cache<Object, Object> cache = any(manager(STRICT));
    cache.put("k", "old");
    for (Object value : List.of(ZUG, List.of(ZUG), Map.of("a", Optional.of(ZUG)), new Place[1])) {
      assertRefused(() -> cache.put("k", value), Place.class);
      assertRefused(() -> cache.putIfAbsent("new", value), Place.class);
      assertRefused(() -> cache.replace("k", value), Place.class);
      assertRefused(() -> cache.getAndPut("k", value), Place.class);
      assertRefused(() -> cache.putAll(Map.of("new", value)), Place.class);
    }
    assertRefused(() -> cache.put("k", Size.SMALL), Size.class);
    assertThat(cache).hasSize(1);
    assertThat(cache.get("k")).isEqualTo("old");
  }

  @Test
  void keysOfOtherClassesAreRefused() {
    Cache<Object, Object> cache = any(manager(STRICT));
    Map<Object, Class<?>> keys =
        Map.of(
            ZUG,
            Place.class,
            List.of(ZUG),
            Place.class,
            Size.SMALL,
            Size.class,
            new Sku("a"),
            Sku.class,
            Optional.of(new Sku("a")),
            Sku.class);
    for (Map.Entry<Object, Class<?>> each : keys.entrySet()) {
      Object key = each.getKey();
      Class<?> refused = each.getValue();
      assertRefused(() -> cache.put(key, "v"), refused);
      assertRefused(() -> cache.putIfAbsent(key, "v"), refused);
      assertRefused(() -> cache.putAll(Map.of(key, "v")), refused);
    }
    assertThat(cache).isEmpty();
  }

  @Test
  void whatTheFileAllowsIsStoredAndComesBack() {
    Cache<Object, Object> cache = any(manager(STRICT + ALLOW_PLACE));
    cache.put(ZUG, List.of(ZUG));
    assertRefused(() -> cache.put("k", Size.SMALL), Size.class);
    Cache<Object, Object> found = restartedWith(STRICT + ALLOW_PACKAGE);
    assertThat(found.get(ZUG)).isEqualTo(List.of(ZUG));
    found.put(Size.SMALL, Size.SMALL);
    found.put(new Sku("a"), "sku");
    found = restartedWith(STRICT + ALLOW_PACKAGE);
    assertThat(found.get(Size.SMALL)).isEqualTo(Size.SMALL);
    assertThat(found.get(new Sku("A"))).isEqualTo("sku");
    assertThat(found).hasSize(3);
  }

  @Test
  void theTypesOfACacheAreAllowedByTheirNames() {
    String caches =
        "caches { places { key-type = java.lang.String, value-type = \"%s\" } }"
            .formatted(Place.class.getName());
    manager(STRICT + caches).<String, Place>getCache("places").put("k", ZUG);
    provider.close();
    Cache<String, Place> found = manager(STRICT + caches).getCache("places");
    assertThat(found.get("k")).isEqualTo(ZUG);
  }

  @Test
  void whatWasLearnedBeforeIsNotReadByAStrictManager() {
    any(manager("")).putAll(Map.of("k", ZUG, "s", "text"));
    Cache<Object, Object> strict = restartedWith(STRICT);
    assertThat(strict.get("k")).isNull();
    assertThat(strict.get("s")).isEqualTo("text");
    assertThat(strict.getAll(Set.of("k", "s"))).isEqualTo(Map.of("s", "text"));
  }

  @Test
  void aMistakeIsNamedWithItsLine() {
    assertThatThrownBy(() -> manager("strict = perhaps"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("strict")
        .hasMessageContaining("caches.conf: 4");
    assertThatThrownBy(() -> manager("strickt = true"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("strickt")
        .hasMessageContaining("strict");
  }
}
