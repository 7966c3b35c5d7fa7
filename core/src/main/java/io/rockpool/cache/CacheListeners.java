package io.rockpool.cache;

import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.store.Registration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listeners of one kind of event of a cache. */
final class CacheListeners<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final String cache;
  private final Runnable changed;
  private final List<Place<K, V>> places = new CopyOnWriteArrayList<>();

  /** One registration. The same listener may have several. */
  private static final class Place<K, V> {
    final BiConsumer<? super K, ? super V> listener;

    Place(BiConsumer<? super K, ? super V> listener) {
      this.listener = listener;
    }
  }

  /** Starts without listeners; {@code changed} runs after each registration and after its end. */
  CacheListeners(String cache, Runnable changed) {
    this.cache = cache;
    this.changed = changed;
  }

  Registration add(BiConsumer<? super K, ? super V> listener) {
    Place<K, V> place = new Place<>(Objects.requireNonNull(listener, "listener"));
    places.add(place);
    changed.run();
    return () -> {
      places.remove(place);
      changed.run();
    };
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  /**
   * Calls each listener on this thread. The entry has already changed, so exceptions are logged.
   */
  void tell(K key, @Nullable V value) {
    for (Place<K, V> place : places) {
      try {
        place.listener.accept(key, value);
      } catch (RuntimeException | Error e) {
        LOG.warn("A listener of the cache \"{}\" failed; the change is already made.", cache, e);
      }
    }
  }
}
