package io.rockpool.cache;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.Map;
import junit.extensions.TestSetup;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code ConcurrentMap}, of the view of a cache. */
@RunWith(AllTests.class)
public final class CacheMapGuavaTest extends TestSetup {
  private static Rockpool pool;
  private static int opened;

  private CacheMapGuavaTest(Test suite) {
    super(suite);
  }

  @Override
  protected void setUp() {
    pool = Rockpool.at(o -> MemoryEngine.open()).open();
  }

  @Override
  protected void tearDown() {
    pool.close();
  }

  public static Test suite() {
    return new CacheMapGuavaTest(
        ConcurrentMapTestSuiteBuilder.using(
                new TestStringMapGenerator() {
                  @Override
                  protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                    Map<String, String> map =
                        pool.cache("cache-" + opened++, String.class, String.class).asMap();
                    for (Map.Entry<String, String> entry : entries) {
                      map.put(entry.getKey(), entry.getValue());
                    }
                    return map;
                  }
                })
            .named("PersistentCache.asMap")
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite());
  }
}
