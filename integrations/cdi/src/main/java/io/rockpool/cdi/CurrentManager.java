package io.rockpool.cdi;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;

/**
 * The bean of the manager, or the default manager. A bean without a scope would be made again
 * whenever it is asked for: it is made once, and once more after it was closed.
 */
final class CurrentManager implements Supplier<CacheManager> {
  private final Instance<CacheManager> beans;
  private final AtomicReference<Instance.@Nullable Handle<CacheManager>> current =
      new AtomicReference<>();

  CurrentManager(Instance<CacheManager> beans) {
    this.beans = beans;
  }

  @Override
  public CacheManager get() {
    Instance.Handle<CacheManager> there = current.get();
    if (there != null && !isEnded(there)) {
      return there.get();
    }
    if (beans.isUnsatisfied()) {
      return Caching.getCachingProvider().getCacheManager();
    }
    Instance.Handle<CacheManager> next = beans.getHandle(); // says what is wrong with several
    // The bean of another thread's handle was not made; CDI destroys the closed one at its end.
    return current.compareAndSet(there, next) ? next.get() : get();
  }

  private static boolean isEnded(Instance.Handle<CacheManager> handle) {
    return handle.getBean().getScope().equals(Dependent.class) && handle.get().isClosed();
  }
}
