package io.rockpool.structure;

import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSetGenerator;
import java.util.Set;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What Guava asks of a {@code Set}. */
@RunWith(AllTests.class)
public final class PersistentSetGuavaTest {
  public static Test suite() {
    return GuavaSuites.onEachEngine(
        (pool, name) -> pool.set(name, String.class), PersistentSetGuavaTest::suite);
  }

  private static Test suite(GuavaSuites.Source<PersistentSet<String>> sets) {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                Set<String> set = sets.get();
                for (String element : elements) {
                  set.add(element);
                }
                return set;
              }
            })
        .named(sets.named("PersistentSet"))
        .withFeatures(GuavaSuites.SET_FEATURES)
        .withTearDown(sets::reuseAll)
        .createTestSuite();
  }
}
