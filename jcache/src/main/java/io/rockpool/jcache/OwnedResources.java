package io.rockpool.jcache;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.jcache.internal.config.AllowedNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a cache was given and has to close: each thing once, when its last role has ended, the last
 * to come first, whatever others throw. So listeners go before the writer and the loader, and the
 * expiry policy goes last.
 */
final class OwnedResources {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedResources.class);

  private final List<AutoCloseable> closeables = new ArrayList<>();
  private final IdentityHashMap<Object, Integer> roles = new IdentityHashMap<>();
  private boolean ended;

  /**
   * Notes something to close later, if it can be closed, in one more role; returns it. What comes
   * after the end is closed at once.
   */
  <T extends @Nullable Object> T add(T thing) {
    if (thing instanceof AutoCloseable closeable && isTooLate(closeable)) {
      closeQuietly(closeable);
    }
    return thing;
  }

  private synchronized boolean isTooLate(AutoCloseable closeable) {
    boolean isNew = roles.merge(closeable, 1, Integer::sum) == 1;
    if (isNew && !ended) {
      closeables.add(closeable);
    }
    return isNew && ended;
  }

  /** Ends one role of something; closes it now if that was its last. */
  void close(Object thing) {
    synchronized (this) {
      if (ended || !roles.containsKey(thing)) {
        return;
      }
      if (roles.merge(thing, -1, Integer::sum) > 0) {
        return;
      }
      roles.remove(thing);
      closeables.removeIf(there -> there == thing);
    }
    closeQuietly((AutoCloseable) thing);
  }

  /** Closes everything; what is thrown is logged, since nothing can be done about it. */
  void closeAll() {
    List<AutoCloseable> all;
    synchronized (this) {
      all = new ArrayList<>(closeables);
      closeables.clear();
      ended = true;
    }
    Collections.reverse(all);
    all.forEach(OwnedResources::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Throwable e) { // others are still to be closed
      LOG.warn("Closing {} failed; it is taken as closed", closeable.getClass().getName(), e);
    }
  }

  /** What the store has thrown, as the specification wants it. */
  static CacheException wrapped(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    String hint =
        e instanceof UnencodableValueException && message.contains("allow-list")
            ? " Caches of JSR-107 are told what to allow by the property "
                + AllowedNames.PROPERTY
                + ": classes and packages, split by commas."
            : "";
    return new CacheException(message + hint, e);
  }
}
