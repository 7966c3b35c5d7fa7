package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.jcache.internal.config.AllowedNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** Caches without types, and with types that leave the class open. */
class UntypedCacheTest extends JCacheTest {
  record Place(String town, int zip) {}

  interface Shape {}

  record Circle(int radius) implements Shape {}

  private static final String THIS_PACKAGE = "io.rockpool.jcache";

  @Test
  void theJdksValuesAreKeysAndValues() {
    Cache<Object, Object> cache = manager().createCache("any", new MutableConfiguration<>());
    List<Object> keys =
        List.of(
            "1",
            1,
            1L,
            (short) 1,
            (byte) 1,
            '1',
            1.0,
            1f,
            true,
            new UUID(0, 1),
            BigInteger.ONE,
            BigDecimal.ONE,
            Instant.EPOCH,
            LocalDate.EPOCH);
    keys.forEach(key -> cache.put(key, List.of(key)));
    CacheManager manager = restarted();
    Cache<Object, Object> found = manager.getCache("any");
    for (Object key : keys) {
      assertThat(found.get(key)).as("key %s of %s", key, key.getClass()).isEqualTo(List.of(key));
    }
    List<Object> iterated = new ArrayList<>();
    found.forEach(entry -> iterated.add(entry.getKey()));
    assertThat(iterated).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void oddButHarmlessValuesAreStored() {
    Cache<Object, Object> cache = manager().createCache("any", new MutableConfiguration<>());
    Object value = Map.of("a", List.of(1, 2L), "b", new int[0].length);
    cache.put("k", value);
    assertThat(cache.get("k")).isEqualTo(value);
  }

  @Test
  void classesThatNothingDeclaresAreLearned() {
    Place place = new Place("Berne", 3000);
    manager().createCache("any", new MutableConfiguration<>()).put(place, List.of(place));
    Cache<Object, Object> found = restarted().getCache("any");
    assertThat(found.get(place)).isEqualTo(List.of(place));
  }

  @Test
  void aStrictManagerRefusesThemWhenTheyArePutAndTheErrorSaysHowToAllowThem() {
    Properties strict = new Properties();
    strict.setProperty(AllowedNames.STRICT, "true");
    Cache<Object, Object> cache =
        provider
            .getCacheManager(uri(), null, strict)
            .createCache("any", new MutableConfiguration<>());
    Place place = new Place("Berne", 3000);
    assertThatThrownBy(() -> cache.put("k", place))
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(Place.class.getName());
    assertThatThrownBy(() -> cache.put("k", place))
        .hasMessageContaining("the property rockpool.allow");
    assertThat(cache).isEmpty();
  }

  @Test
  void allowedClassesAreStoredAndComeBack() {
    managerAllowing(Place.class.getName() + ", java.no.such")
        .createCache("any", new MutableConfiguration<>())
        .put(new Place("Berne", 3000), new Place("Zug", 6300));
    provider.close();
    Cache<Object, Object> found = managerAllowing(THIS_PACKAGE).getCache("any");
    assertThat(found.get(new Place("Berne", 3000))).isEqualTo(new Place("Zug", 6300));
    assertThat(found.iterator().next().getKey()).isEqualTo(new Place("Berne", 3000));
  }

  @Test
  void whatIsNoLongerAllowedIsNotDecoded() {
    managerAllowing(THIS_PACKAGE)
        .createCache("any", new MutableConfiguration<>())
        .put("k", new Place("Zug", 6300));
    Cache<Object, Object> found = restarted().getCache("any");
    assertThat(found.get("k")).isNull();
  }

  @Test
  void enumsAreKeysByTheirDeclaringClass() {
    Cache<Object, Object> cache =
        managerAllowing(TimeUnit.class.getName()).createCache("any", new MutableConfiguration<>());
    cache.put(TimeUnit.DAYS, 1);
    assertThat(cache.get(TimeUnit.DAYS)).isEqualTo(1);
    assertThat(cache.get(TimeUnit.HOURS)).isNull();
  }

  @Test
  void anInterfaceHoldsWhatIsAllowed() {
    MutableConfiguration<String, Shape> configuration =
        new MutableConfiguration<String, Shape>().setTypes(String.class, Shape.class);
    managerAllowing(THIS_PACKAGE).createCache("shapes", configuration).put("c", new Circle(2));
    provider.close();
    Cache<String, Shape> found =
        managerAllowing(THIS_PACKAGE).getCache("shapes", String.class, Shape.class);
    assertThat(found.get("c")).isEqualTo(new Circle(2));
  }

  /** A key that is equal to others whatever the order of its elements. */
  record Tags(Set<String> tags) {}

  @Test
  void aKeyIsFoundByAnyThatIsEqualToIt() {
    Cache<Tags, String> cache =
        manager()
            .createCache(
                "tags",
                new MutableConfiguration<Tags, String>().setTypes(Tags.class, String.class));
    cache.put(new Tags(new LinkedHashSet<>(List.of("a", "b"))), "v");
    assertThat(cache.get(new Tags(new LinkedHashSet<>(List.of("b", "a"))))).isEqualTo("v");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // as an application does that casts too much
  void declaredTypesAreCheckedWhenTheCacheIsUsedRaw() {
    Cache cache =
        manager()
            .createCache(
                "typed",
                new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class));
    assertThatThrownBy(() -> cache.put("k", "v")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> cache.put(1, 1)).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> cache.putAll(Map.of("a", 1, "b", "v")))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(ClassCastException.class);
    assertThat(cache).isEmpty();
  }
}
