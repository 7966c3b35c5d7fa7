package io.rockpool.structure;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * What Guava asks of a {@code ConcurrentNavigableMap}, its views of every depth included. That is
 * 12,636 tests of maps with several entries; {@link PersistentSortedMapModelTest} comes by empty
 * maps and those with one, and by the adversary, often enough.
 */
@RunWith(AllTests.class)
public final class PersistentSortedMapGuavaTest {
  public static Test suite() {
    return GuavaSuites.on(
        List.of(Kind.MEMORY, Kind.ROCKSDB),
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
        .withFeatures(
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.KNOWN_ORDER,
            CollectionSize.SEVERAL)
        .withTearDown(maps::reuseAll)
        .createTestSuite();
  }
}
