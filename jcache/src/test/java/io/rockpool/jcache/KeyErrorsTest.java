package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.jcache.internal.config.AllowedNames;
import java.sql.Timestamp;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are of the declared type and cannot be encoded all the same. */
@SuppressWarnings("JavaUtilDate") // a type with subclasses
class KeyErrorsTest extends JCacheTest {
  private static final Date KEY = new Timestamp(1);

  private final CacheManager manager = managerOver(MemoryEngine.builder().build());

  @AfterEach
  void closeManager() {
    manager.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyOperationSaysSoAndChangesNothing(boolean watched) {
    MutableConfiguration<Date, Integer> configuration =
        new MutableConfiguration<Date, Integer>().setTypes(Date.class, Integer.class);
    if (watched) {
      CacheEntryCreatedListener<Date, Integer> listener = events -> {};
      configuration.addCacheEntryListenerConfiguration(
          new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, true));
    }
    Cache<Date, Integer> cache = manager.createCache("c", configuration);
    List<Consumer<Cache<Date, Integer>>> operations =
        List.of(
            c -> c.get(KEY),
            c -> c.getAll(Set.of(KEY)),
            c -> c.containsKey(KEY),
            c -> c.put(KEY, 1),
            c -> c.putAll(Map.of(KEY, 1)),
            c -> c.getAndPut(KEY, 1),
            c -> c.putIfAbsent(KEY, 1),
            c -> c.remove(KEY),
            c -> c.removeAll(Set.of(KEY)),
            c -> c.replace(KEY, 1),
            c -> c.invoke(KEY, (entry, arguments) -> null),
            c -> c.invokeAll(Set.of(KEY), (entry, arguments) -> null),
            c -> c.loadAll(Set.of(KEY), true, null));
    for (Consumer<Cache<Date, Integer>> operation : operations) {
      assertThatThrownBy(() -> operation.accept(cache))
          .isInstanceOf(CacheException.class)
          .hasCauseInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("java.sql.Timestamp")
          .hasMessageNotContaining(AllowedNames.PROPERTY); // would not help
    }
    assertThat(cache).isEmpty();
  }
}
