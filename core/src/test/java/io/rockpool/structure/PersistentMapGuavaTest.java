package io.rockpool.structure;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import java.util.Map;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code ConcurrentMap}, its views included. */
@RunWith(AllTests.class)
public final class PersistentMapGuavaTest {
  public static Test suite() {
    return GuavaSuites.onEachEngine(
        (pool, name) -> pool.map(name, String.class, String.class), PersistentMapGuavaTest::suite);
  }

  private static Test suite(GuavaSuites.Source<PersistentMap<String, String>> maps) {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                Map<String, String> map = maps.get();
                for (Map.Entry<String, String> entry : entries) {
                  map.put(entry.getKey(), entry.getValue());
                }
                return map;
              }
            })
        .named(maps.named("PersistentMap"))
        .withFeatures(GuavaSuites.MAP_FEATURES)
        .withTearDown(maps::reuseAll)
        .createTestSuite();
  }
}
