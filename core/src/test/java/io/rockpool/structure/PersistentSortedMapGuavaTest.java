package io.rockpool.structure;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import java.util.Map;
import java.util.SortedMap;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code ConcurrentNavigableMap}, its views of every depth included. */
@RunWith(AllTests.class)
public final class PersistentSortedMapGuavaTest {
  public static Test suite() {
    return GuavaSuites.onEachEngine(
        (pool, name) -> pool.sortedMap(name, String.class, String.class),
        PersistentSortedMapGuavaTest::suite);
  }

  private static Test suite(GuavaSuites.Source<PersistentSortedMap<String, String>> maps) {
    return ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                SortedMap<String, String> map = maps.get();
                for (Map.Entry<String, String> entry : entries) {
                  map.put(entry.getKey(), entry.getValue());
                }
                return map;
              }
            })
        .named(maps.named("PersistentSortedMap"))
        .withFeatures(GuavaSuites.MAP_FEATURES)
        .withFeatures(CollectionFeature.KNOWN_ORDER)
        .withTearDown(maps::dropAll)
        .createTestSuite();
  }
}
