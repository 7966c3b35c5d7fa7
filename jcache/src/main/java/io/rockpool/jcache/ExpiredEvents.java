package io.rockpool.jcache;

import io.rockpool.internal.access.ExpiredEntries;
import java.util.function.BooleanSupplier;

/**
 * Makes events of entries that have expired. They may be met by a thread of the store's, which
 * takes on the class loader that listeners expect.
 */
record ExpiredEvents<K, V>(ObservedChanges<K, V> watching, ClassLoader loader)
    implements ExpiredEntries<K, V> {
  @Override
  public void met(K key, V value, BooleanSupplier removal) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      watching.expired(key, value, removal);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public boolean isReady() {
    return watching.listeners().isReady();
  }
}
