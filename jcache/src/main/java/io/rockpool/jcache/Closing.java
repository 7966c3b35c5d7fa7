package io.rockpool.jcache;

import io.rockpool.error.UnencodableValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a cache was given and has to close: each thing once, the last to come first, whatever others
 * throw. So listeners go before the writer and the loader, and the expiry policy goes last.
 */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final List<AutoCloseable> closeables = new ArrayList<>();
  private final Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Notes something to close later, if it can be closed; returns it. */
  synchronized <T extends @Nullable Object> T add(T thing) {
    if (thing instanceof AutoCloseable closeable && known.add(closeable)) {
      closeables.add(closeable);
    }
    return thing;
  }

  /** Closes something now that was to be closed later. */
  void close(Object thing) {
    synchronized (this) {
      if (!known.remove(thing)) {
        return;
      }
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
      known.clear();
    }
    Collections.reverse(all);
    all.forEach(Closing::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception | LinkageError | AssertionError e) {
      LOG.warn("Closing {} failed; it is taken as closed", closeable.getClass().getName(), e);
    }
  }

  /** The first of several failures, with the others suppressed in it. */
  static RuntimeException add(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  /** What the store has thrown, as the specification wants it. */
  static CacheException wrapped(RuntimeException e) {
    String hint =
        e instanceof UnencodableValueException
            ? " Caches of JSR-107 are told what to allow by the property "
                + AllowedNames.PROPERTY
                + ": classes and packages, split by commas."
            : "";
    return new CacheException(e.getMessage() + hint, e);
  }
}
