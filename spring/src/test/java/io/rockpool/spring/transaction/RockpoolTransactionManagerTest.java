package io.rockpool.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.SuiteStores;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.Cache;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions over a store: propagation, rollback, conflicts, synchronizations. */
final class RockpoolTransactionManagerTest {
  private static final int ROUNDS = 50;

  @TempDir Path directory;
  private Rockpool pool = SuiteStores.openNew();
  private RockpoolTransactionManager manager = new RockpoolTransactionManager(pool);

  /** The stores that a test runs on. */
  private enum Store {
    EMBEDDED,
    MEMORY
  }

  private void open(Store store) {
    pool.close();
    pool = store == Store.MEMORY ? SuiteStores.openNew() : SuiteStores.open(directory);
    manager = new RockpoolTransactionManager(pool);
  }

  /** Whether a transaction keeps its rows until its end; otherwise it finds conflicts then. */
  private static boolean keepsRows(Store store) {
    return store == Store.EMBEDDED && !SuiteStores.areOnServer();
  }

  @AfterEach
  void close() {
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
    pool.close(); // which fails in a transaction that has not ended
  }

  private TransactionTemplate template() {
    return new TransactionTemplate(manager);
  }

  private TransactionTemplate template(int propagation) {
    TransactionTemplate template = template();
    template.setPropagationBehavior(propagation);
    return template;
  }

  private PersistentCounter counter(String name) {
    return pool.counter(name);
  }

  /** As {@code @CacheEvict(allEntries = true)} does, also before the method. */
  @ParameterizedTest
  @EnumSource
  void aClearOfASpringCacheFollowsTheCommit(Store store) {
    open(store);
    Cache cache = new RockpoolCacheManager(pool).getCache("cache");
    for (boolean before : new boolean[] {true, false}) {
      cache.put("a", "1");
      template()
          .executeWithoutResult(
              status -> {
                clear(cache, before);
                status.setRollbackOnly();
              });
      assertThat(cache.get("a", String.class)).isEqualTo("1");
      template()
          .executeWithoutResult(
              status -> {
                cache.put("b", "2");
                clear(cache, before);
                cache.put("c", "3");
              });
      for (String key : List.of("a", "b", "c")) {
        assertThat(cache.get(key)).isNull();
      }
    }
  }

  private static void clear(Cache cache, boolean before) {
    if (before) {
      assertThat(cache.invalidate()).as("unknown").isFalse();
    } else {
      cache.clear();
    }
  }

  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource
  void changesAreVisibleAfterTheCommitOnly(Store store) throws Exception {
    open(store);
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    PersistentCache<String, Long> cache = pool.cache("cache", String.class, Long.class);
    template()
        .executeWithoutResult(
            status -> {
              map.put("a", 1L);
              cache.put("a", 2L);
              assertThat(map.get("a")).isEqualTo(1L);
              assertThat(cache.get("a")).isEqualTo(2L);
              assertThat(seenByAnotherThread(() -> map.get("a"))).isNull();
              assertThat(seenByAnotherThread(() -> cache.get("a"))).isNull();
            });
    assertThat(map.get("a")).isEqualTo(1L);
    assertThat(cache.get("a")).isEqualTo(2L);
  }

  private static @Nullable Long seenByAnotherThread(
      java.util.concurrent.Callable<@Nullable Long> read) {
    try {
      return Threads.start(read).result();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExceptionOrTheStatusRollsBack(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    assertThatThrownBy(
            () ->
                template()
                    .executeWithoutResult(
                        status -> {
                          counter.incrementAndGet();
                          throw new Refusal();
                        }))
        .isInstanceOf(Refusal.class);
    template()
        .executeWithoutResult(
            status -> {
              counter.incrementAndGet();
              status.setRollbackOnly();
            });
    assertThat(counter.get()).isZero();
    template().executeWithoutResult(status -> counter.incrementAndGet());
    assertThat(counter.get()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void requiredJoins(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    assertThatThrownBy(
            () ->
                template()
                    .executeWithoutResult(
                        status -> {
                          counter.incrementAndGet();
                          assertThatThrownBy(
                                  () ->
                                      template()
                                          .executeWithoutResult(
                                              inner -> {
                                                counter.incrementAndGet();
                                                throw new Refusal();
                                              }))
                              .isInstanceOf(Refusal.class);
                        }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(counter.get()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void requiresNewCommitsByItself(Store store) {
    open(store);
    PersistentCounter outer = counter("outer");
    PersistentCounter inner = counter("inner");
    template()
        .executeWithoutResult(
            status -> {
              outer.incrementAndGet();
              template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(
                      other -> {
                        inner.incrementAndGet();
                      });
              assertThat(outer.get()).isEqualTo(1);
              status.setRollbackOnly();
            });
    assertThat(outer.get()).isZero();
    assertThat(inner.get()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void requiresNewCannotChangeRowsOfTheOuterOne(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    assertThatThrownBy(
            () ->
                template()
                    .executeWithoutResult(
                        status -> {
                          counter.incrementAndGet();
                          template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                              .executeWithoutResult(other -> counter.addAndGet(10));
                        }))
        .isInstanceOf(
            keepsRows(store)
                ? CannotAcquireLockException.class
                : OptimisticLockingFailureException.class);
    assertThat(counter.get()).isEqualTo(keepsRows(store) ? 0 : 10);
  }

  @ParameterizedTest
  @EnumSource
  void nestedIsASavepoint(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    map.put("kept", 1L);
    List<String> done = new ArrayList<>();
    template()
        .executeWithoutResult(
            status -> {
              counter.incrementAndGet();
              assertThatThrownBy(
                      () ->
                          template(TransactionDefinition.PROPAGATION_NESTED)
                              .executeWithoutResult(
                                  inner -> {
                                    counter.addAndGet(10);
                                    map.put("kept", 2L);
                                    map.put("new", 2L);
                                    pool.runAtomically(
                                        tx -> tx.afterCommit(() -> done.add("inner")));
                                    throw new Refusal();
                                  }))
                  .isInstanceOf(Refusal.class);
              assertThat(counter.get()).isEqualTo(1);
              template(TransactionDefinition.PROPAGATION_NESTED)
                  .executeWithoutResult(
                      inner -> {
                        counter.addAndGet(100);
                        pool.runAtomically(tx -> tx.afterCommit(() -> done.add("second")));
                      });
            });
    assertThat(counter.get()).isEqualTo(101);
    assertThat(map).containsOnly(java.util.Map.entry("kept", 1L));
    assertThat(done).containsExactly("second");
  }

  @ParameterizedTest
  @EnumSource
  void withoutATransactionTheOuterOneIsSuspended(Store store) {
    open(store);
    PersistentCounter outer = counter("outer");
    PersistentCounter other = counter("other");
    template()
        .executeWithoutResult(
            status -> {
              outer.incrementAndGet();
              template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                  .executeWithoutResult(
                      none -> {
                        assertThat(outer.get()).isZero();
                        other.incrementAndGet();
                        if (keepsRows(store)) {
                          assertThatThrownBy(outer::incrementAndGet)
                              .isInstanceOf(IllegalStateException.class)
                              .hasMessageContaining("suspended");
                        }
                      });
              status.setRollbackOnly();
            });
    assertThat(outer.get()).isZero();
    assertThat(other.get()).isEqualTo(1);
    template().executeWithoutResult(status -> outer.incrementAndGet());
    assertThat(outer.incrementAndGet()).isEqualTo(2);
  }

  @Test
  void theOtherPropagationsAreSprings() {
    assertThatThrownBy(
            () ->
                template(TransactionDefinition.PROPAGATION_MANDATORY)
                    .executeWithoutResult(status -> {}))
        .isInstanceOf(IllegalTransactionStateException.class);
    template()
        .executeWithoutResult(
            status ->
                assertThatThrownBy(
                        () ->
                            template(TransactionDefinition.PROPAGATION_NEVER)
                                .executeWithoutResult(inner -> {}))
                    .isInstanceOf(IllegalTransactionStateException.class));
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionBeginsOutsideOfAtomically(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> template().executeWithoutResult(status -> counter.incrementAndGet())))
        .isInstanceOf(CannotCreateTransactionException.class);
    template()
        .executeWithoutResult(
            status -> {
              pool.runAtomically(tx -> counter.incrementAndGet());
              pool.once("key", Duration.ofDays(1), tx -> counter.incrementAndGet());
            });
    assertThat(counter.get()).isEqualTo(2);
    assertThat(pool.<Long>once("key", Duration.ofDays(1), tx -> 7L)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aCacheIsOpenedInATransaction(Store store) {
    open(store);
    try (RockpoolCacheManager caches = new RockpoolCacheManager(pool)) {
      template()
          .executeWithoutResult(
              status -> {
                Cache cache = Objects.requireNonNull(caches.getCache("first"));
                cache.put("a", 1);
                status.setRollbackOnly();
              });
      assertThat(Objects.requireNonNull(caches.getCache("first")).get("a")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void readOnlyAndIsolationAreAccepted(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    TransactionTemplate template = template();
    template.setReadOnly(true);
    template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    template.executeWithoutResult(status -> counter.incrementAndGet());
    assertThat(counter.get()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aTimeoutEndsIt(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    TransactionTemplate template = template();
    template.setTimeout(1);
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status -> {
                      counter.incrementAndGet();
                      sleepMillis(1_050);
                      counter.incrementAndGet();
                    }))
        .isInstanceOf(TransactionTimedOutException.class);
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status -> {
                      counter.incrementAndGet();
                      sleepMillis(1_050);
                    }))
        .isInstanceOf(TransactionTimedOutException.class);
    assertThat(counter.get()).isZero();
  }

  private static void sleepMillis(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void synchronizationsSeeTheCommit(Store store) {
    open(store);
    PersistentCounter counter = counter("counter");
    List<String> seen = new ArrayList<>();
    template()
        .executeWithoutResult(
            status -> {
              counter.incrementAndGet();
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                      counter.incrementAndGet();
                    }

                    @Override
                    public void afterCommit() {
                      seen.add("committed " + counter.get());
                    }

                    @Override
                    public void afterCompletion(int end) {
                      seen.add("ended " + end);
                    }
                  });
            });
    assertThat(seen).containsExactly("committed 2", "ended 0");
  }

  @Test
  void aDeadlockEndsWithAConflict() throws Exception {
    open(Store.EMBEDDED);
    PersistentCounter[] counters = {counter("a"), counter("b")};
    CyclicBarrier both = new CyclicBarrier(2);
    List<Running<String>> running = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      PersistentCounter first = counters[i];
      PersistentCounter second = counters[1 - i];
      running.add(
          Threads.start(
              () -> {
                try {
                  template()
                      .executeWithoutResult(
                          status -> {
                            first.incrementAndGet();
                            meet(both);
                            second.incrementAndGet();
                          });
                  return "committed";
                } catch (ConcurrencyFailureException e) {
                  return "conflict";
                }
              }));
    }
    List<String> ends = List.of(running.get(0).result(), running.get(1).result());
    assertThat(ends).containsExactlyInAnyOrder("committed", "conflict");
    assertThat(counters[0].get()).isEqualTo(1);
    assertThat(counters[1].get()).isEqualTo(1);
  }

  private static void meet(CyclicBarrier both) {
    try {
      both.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void threadsLoseNoUpdate(Store store) throws Exception {
    open(store);
    PersistentCounter[] counters = {counter("a"), counter("b")};
    Threads.run(
        2,
        thread -> {
          for (int round = 0; round < 3; round++) {
            untilItCommits(
                () -> {
                  counters[thread].incrementAndGet();
                  counters[1 - thread].decrementAndGet();
                });
          }
        });
    assertThat(counters[0].get() + counters[1].get()).isZero();
    PersistentCounter done = counter("done");
    Threads.run(
        4,
        thread -> {
          for (int round = 0; round < ROUNDS; round++) {
            untilItCommits(() -> done.set(done.get() + 1));
          }
        });
    assertThat(done.get()).isEqualTo(4 * ROUNDS);
  }

  private void untilItCommits(Runnable work) {
    while (true) {
      try {
        template().executeWithoutResult(status -> work.run());
        return;
      } catch (ConcurrencyFailureException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aStoreThatIsClosedMeanwhileLeavesNothing() throws Exception {
    open(Store.EMBEDDED);
    PersistentCounter counter = counter("counter");
    Rockpool handle = pool;
    List<Running<String>> closing = new ArrayList<>();
    assertThatThrownBy(
            () ->
                template()
                    .executeWithoutResult(
                        status -> {
                          counter.incrementAndGet();
                          closing.add(
                              Threads.start(
                                  () -> {
                                    handle.close();
                                    return "closed";
                                  }));
                          closing.get(0).awaitWaiting();
                          counter.incrementAndGet();
                        }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(closing.get(0).result()).isEqualTo("closed");
    open(Store.EMBEDDED);
    assertThat(counter("counter").get()).isZero();
  }

  @Test
  void aClearedMapIsAConflict() throws Exception {
    open(Store.EMBEDDED);
    PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
    CountDownLatch cleared = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                template()
                    .executeWithoutResult(
                        status -> {
                          map.put("a", 1L);
                          Running<String> clearing =
                              Threads.start(
                                  () -> {
                                    map.clear();
                                    cleared.countDown();
                                    return "";
                                  });
                          try {
                            clearing.result();
                          } catch (Exception e) {
                            throw new AssertionError(e);
                          }
                        }))
        .isInstanceOf(OptimisticLockingFailureException.class);
    assertThat(map).isEmpty();
  }
}
