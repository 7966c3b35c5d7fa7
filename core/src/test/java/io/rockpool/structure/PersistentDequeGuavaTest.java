package io.rockpool.structure;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.rockpool.codec.TypeRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * What Guava asks of a {@code Queue}, bounded and not.
 *
 * <p>Features left out: {@code ALLOWS_NULL_VALUES}, nulls are refused; {@code SERIALIZABLE}, a
 * deque lives in its store; {@code FAILS_FAST_ON_CONCURRENT_MODIFICATION}, its iterators are weakly
 * consistent; {@code REJECTS_DUPLICATES_AT_CREATION}, {@code NON_STANDARD_TOSTRING}, {@code
 * SUBSET_VIEW} and {@code DESCENDING_VIEW}, which it is not. A snapshot has no features of change.
 */
@RunWith(AllTests.class)
public final class PersistentDequeGuavaTest {
  private static final int ROOMY = 1_000;

  public static Test suite() {
    TestSuite all = new TestSuite("PersistentDeque");
    all.addTest(
        GuavaSuites.onEachEngine(
            (pool, name) -> pool.deque(name, String.class),
            deques -> suite(deques, "PersistentDeque")));
    StructureOptions bounded = StructureOptions.defaults().capacity(ROOMY);
    all.addTest(
        GuavaSuites.onEachEngine(
            (pool, name) -> pool.deque(name, TypeRef.of(String.class), o -> bounded),
            deques -> suite(deques, "bounded PersistentDeque")));
    if (!GuavaSuites.isOnServer()) {
      all.addTest(
          GuavaSuites.onEachEngine(
              (pool, name) -> pool.deque(name, String.class),
              PersistentDequeGuavaTest::snapshotSuite));
    }
    return all;
  }

  /** A snapshot is a list that cannot be changed. */
  private static Test snapshotSuite(GuavaSuites.Source<PersistentDeque<String>> deques) {
    List<Snapshot<?>> open = new ArrayList<>();
    return ListTestSuiteBuilder.using(
            new TestStringListGenerator() {
              @Override
              protected List<String> create(String[] elements) {
                PersistentDeque<String> deque = deques.get();
                deque.addAll(List.of(elements));
                Snapshot<List<String>> snapshot = deque.snapshot();
                open.add(snapshot);
                return snapshot.view();
              }
            })
        .named(deques.named("snapshot of a PersistentDeque"))
        .withFeatures(
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES,
            CollectionSize.ANY)
        .withTearDown(
            () -> {
              open.forEach(Snapshot::close);
              open.clear();
              deques.reuseAll();
            })
        .createTestSuite();
  }

  private static Test suite(GuavaSuites.Source<PersistentDeque<String>> deques, String type) {
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                PersistentDeque<String> deque = deques.get();
                deque.addAll(List.of(elements));
                return deque;
              }
            })
        .named(deques.named(type))
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES,
            CollectionSize.ANY)
        .withTearDown(deques::reuseAll)
        .createTestSuite();
  }
}
