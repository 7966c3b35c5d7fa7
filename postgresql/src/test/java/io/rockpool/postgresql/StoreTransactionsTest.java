package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions over a store alone, which have a connection of their own. */
@Needs(Tool.POSTGRESQL)
final class StoreTransactionsTest {
  private static final int ROUNDS = 25;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private HikariDataSource source;
  private Rockpool pool;
  private Rockpool other;
  private TransactionTemplate template;
  private PersistentMap<String, Long> map;
  private PersistentMap<String, Long> otherMap;
  private PersistentCache<String, Long> cache;
  private PersistentCounter counter;
  private PersistentCounter otherCounter;

  @BeforeEach
  void open() {
    source = server.pool();
    pool = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    other = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    template = new TransactionTemplate(new RockpoolTransactionManager(pool));
    map = pool.map("map", String.class, Long.class);
    otherMap = other.map("map", String.class, Long.class);
    cache = pool.cache("cache", String.class, Long.class);
    counter = pool.counter("counter");
    otherCounter = other.counter("counter");
  }

  @AfterEach
  void close() throws Exception {
    awaitConnectionsOfFeeds();
    pool.close();
    other.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  /** The feeds keep a connection each; upkeep and notifications have others for a moment. */
  private void awaitConnectionsOfFeeds() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (source.getHikariPoolMXBean().getActiveConnections() > 2 && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(source.getHikariPoolMXBean().getActiveConnections())
        .as("connections of the feeds")
        .isLessThanOrEqualTo(2);
  }

  private void run(Runnable work) {
    template.executeWithoutResult(status -> work.run());
  }

  private void runInner(int propagation, Runnable work) {
    TransactionTemplate inner = new TransactionTemplate(template.getTransactionManager());
    inner.setPropagationBehavior(propagation);
    inner.executeWithoutResult(status -> work.run());
  }

  @Test
  void anotherHandleSeesAllChangesAfterTheCommitAndNoneBefore() {
    PersistentCache<String, Long> otherCache = other.cache("cache", String.class, Long.class);
    run(
        () -> {
          map.put("a", 1L);
          cache.put("a", 2L);
          counter.incrementAndGet();
          assertThat(map.get("a")).isEqualTo(1L);
          assertThat(cache.get("a")).isEqualTo(2L);
          assertThat(otherMap.get("a")).isNull();
          assertThat(otherCache.get("a")).isNull();
          assertThat(otherCounter.get()).isZero();
        });
    assertThat(otherMap.get("a")).isEqualTo(1L);
    assertThat(otherCache.get("a")).isEqualTo(2L);
    assertThat(otherCounter.get()).isEqualTo(1);
  }

  @Test
  void anExceptionRollsBack() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      map.put("a", 1L);
                      cache.put("a", 1L);
                      throw new IllegalArgumentException("refused");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(map).isEmpty();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aChangeOfAnotherHandleIsAConflictAtTheCommit() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      counter.incrementAndGet();
                      otherCounter.addAndGet(10);
                    }))
        .isInstanceOf(OptimisticLockingFailureException.class);
    assertThat(counter.get()).isEqualTo(10);
  }

  @Test
  void aNewTransactionCommitsByItselfAndANestedOneIsASavepoint() {
    run(
        () -> {
          counter.incrementAndGet();
          runInner(
              TransactionDefinition.PROPAGATION_REQUIRES_NEW,
              () -> {
                map.put("new", 1L);
              });
          assertThat(otherMap.get("new")).isEqualTo(1L);
          assertThatThrownBy(
                  () ->
                      runInner(
                          TransactionDefinition.PROPAGATION_NESTED,
                          () -> {
                            counter.addAndGet(100);
                            throw new IllegalArgumentException("refused");
                          }))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(counter.get()).isEqualTo(1);
        });
    assertThat(otherCounter.get()).isEqualTo(1);
  }

  /** Two handles move amounts between two rows, and repeat what a conflict has refused. */
  @Test
  void sumsAreExactWhenConflictsAreRepeated() throws Exception {
    map.put("a", 0L);
    map.put("b", 0L);
    List<Running<Integer>> runs = new ArrayList<>();
    for (Rockpool handle : List.of(pool, other)) {
      TransactionTemplate own = new TransactionTemplate(new RockpoolTransactionManager(handle));
      PersistentMap<String, Long> seen = handle.map("map", String.class, Long.class);
      runs.add(
          Threads.start(
              () -> {
                int done = 0;
                while (done < ROUNDS) {
                  try {
                    own.executeWithoutResult(
                        status -> {
                          seen.put("a", seen.get("a") + 1);
                          seen.put("b", seen.get("b") - 1);
                        });
                    done++;
                  } catch (ConcurrencyFailureException e) {
                    // Nothing was changed.
                  }
                }
                return done;
              }));
    }
    for (Running<Integer> running : runs) {
      assertThat(running.result()).isEqualTo(ROUNDS);
    }
    assertThat(map.get("a")).isEqualTo(2L * ROUNDS);
    assertThat(map.get("b")).isEqualTo(-2L * ROUNDS);
  }
}
