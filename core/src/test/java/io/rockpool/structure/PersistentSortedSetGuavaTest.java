package io.rockpool.structure;

import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.SetFeature;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.util.List;
import java.util.SortedSet;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code NavigableSet}, its views of every depth included. */
@RunWith(AllTests.class)
public final class PersistentSortedSetGuavaTest {
  public static Test suite() {
    return GuavaSuites.on(
        List.of(Kind.MEMORY, Kind.ROCKSDB),
        (pool, name) -> pool.sortedSet(name, String.class),
        PersistentSortedSetGuavaTest::suite);
  }

  private static Test suite(GuavaSuites.Source<PersistentSortedSet<String>> sets) {
    return NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] elements) {
                SortedSet<String> set = sets.get();
                for (String element : elements) {
                  set.add(element);
                }
                return set;
              }
            })
        .named(sets.named("PersistentSortedSet"))
        .withFeatures(SetFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER, CollectionSize.ANY)
        .withTearDown(sets::reuseAll)
        .createTestSuite();
  }
}
