package io.rockpool.tck;

import javax.cache.CacheManager;
import javax.cache.Caching;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Destroys the caches that a class of the kit leaves behind before the next one starts. The kit
 * expects them to end with their manager; here they outlive it, so that the result would depend on
 * the order in which the classes run.
 */
public final class NoCachesAtFirst implements TestExecutionListener {
  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isContainer() && test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
      CacheManager manager = Caching.getCachingProvider().getCacheManager();
      manager.getCacheNames().forEach(manager::destroyCache);
    }
  }
}
