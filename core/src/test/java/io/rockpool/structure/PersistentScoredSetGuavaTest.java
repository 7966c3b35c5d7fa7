package io.rockpool.structure;

import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code Set}: all elements have the score 0, so they sort by themselves. */
@RunWith(AllTests.class)
public final class PersistentScoredSetGuavaTest {
  public static Test suite() {
    return GuavaSuites.onEachEngine(
        (pool, name) -> pool.scoredSet(name, String.class), PersistentScoredSetGuavaTest::suite);
  }

  private static Test suite(GuavaSuites.Source<PersistentScoredSet<String>> sets) {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                Set<String> set = sets.get();
                set.addAll(List.of(elements));
                return set;
              }

              @Override
              public List<String> order(List<String> inserted) {
                inserted.sort(Comparator.naturalOrder());
                return inserted;
              }
            })
        .named(sets.named("PersistentScoredSet"))
        .withFeatures(GuavaSuites.SET_FEATURES)
        .withFeatures(CollectionFeature.KNOWN_ORDER)
        .withTearDown(sets::reuseAll)
        .createTestSuite();
  }
}
