package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions over a table of the application, and caches and collections. */
@Needs(Tool.POSTGRESQL)
final class SpringJoinTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final String table = "business_" + schema;
  private CuttingProxy proxy;
  private HikariDataSource source;
  private Rockpool pool;
  private Rockpool other;
  private JdbcTemplate jdbc;
  private JdbcTransactionManager manager;
  private TransactionTemplate template;
  private PersistentMap<String, Long> map;
  private PersistentMap<String, Long> otherMap;
  private PersistentCache<String, String> cache;
  private PersistentCache<String, String> otherCache;
  private PersistentQueue<String> queue;

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(server.port());
    source = PostgresServer.pool(PostgresServer.url(proxy.port()));
    pool = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    other = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    jdbc = new JdbcTemplate(source);
    jdbc.execute("CREATE TABLE " + table + " (id bigint PRIMARY KEY, amount bigint NOT NULL)");
    manager = new JdbcTransactionManager(source);
    manager.addListener(new JoiningTransactionListener(source, () -> pool));
    template = new TransactionTemplate(manager);
    map = pool.map("map", String.class, Long.class);
    otherMap = other.map("map", String.class, Long.class);
    cache = pool.cache("cache", String.class, String.class);
    otherCache = other.cache("cache", String.class, String.class);
    queue = pool.queue("queue", String.class);
  }

  @AfterEach
  void close() throws Exception {
    pool.close();
    other.close();
    source.close();
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
    server.execute("DROP TABLE " + table);
  }

  private void insert(long id, long amount) {
    jdbc.update("INSERT INTO " + table + " VALUES (?, ?)", id, amount);
  }

  private long rows() {
    Long count = jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class);
    return count == null ? -1 : count;
  }

  private void run(Runnable work) {
    template.executeWithoutResult(status -> work.run());
  }

  private TransactionTemplate propagating(int propagation) {
    TransactionTemplate inner = new TransactionTemplate(manager);
    inner.setPropagationBehavior(propagation);
    return inner;
  }

  /** Own reads see the changes; another handle sees all of them after the commit, none before. */
  @Test
  void tableCacheMapAndQueueChangeInOneCommit() {
    cache.put("a", "old");
    assertThat(cache.get("a")).isEqualTo("old");
    assertThat(otherCache.get("a")).isEqualTo("old");
    run(
        () -> {
          insert(1, 10);
          cache.put("a", "new");
          map.put("m", 1L);
          queue.send("message");
          assertThat(cache.get("a")).isEqualTo("new");
          assertThat(map).containsEntry("m", 1L).hasSize(1);
          assertThat(otherCache.get("a")).isEqualTo("old");
          assertThat(otherMap.get("m")).isNull();
          assertThat(queue.size()).isEqualTo(1);
        });
    assertThat(rows()).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo("new");
    assertThat(otherMap).containsEntry("m", 1L);
    assertThat(other.queue("queue", String.class).size()).isEqualTo(1);
  }

  @Test
  void aRollbackUndoesAllOfThem() {
    List<String> done = new ArrayList<>();
    cache.put("a", "old");
    assertThat(cache.get("a")).isEqualTo("old");
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      insert(1, 10);
                      cache.put("a", "new");
                      cache.put("b", "new");
                      map.put("m", 1L);
                      queue.send("message");
                      pool.runAtomically(tx -> tx.afterCommit(() -> done.add("commit")));
                      throw new IllegalArgumentException("the method failed");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(rows()).isZero();
    assertThat(cache.get("a")).isEqualTo("old");
    assertThat(cache.get("b")).isNull();
    assertThat(map).isEmpty();
    assertThat(queue.size()).isZero();
    assertThat(done).isEmpty();
    // A statement that fails does so too.
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      map.put("m", 1L);
                      insert(1, 10);
                      insert(1, 10);
                    }))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(map).isEmpty();
    assertThat(rows()).isZero();
  }

  @Test
  void aSavepointUndoesBothSides() {
    run(
        () -> {
          insert(1, 1);
          map.put("outer", 1L);
          assertThatThrownBy(
                  () ->
                      propagating(TransactionDefinition.PROPAGATION_NESTED)
                          .executeWithoutResult(
                              status -> {
                                insert(2, 2);
                                map.put("inner", 2L);
                                map.put("outer", 3L);
                                insert(2, 2);
                              }))
              .isInstanceOf(DuplicateKeyException.class);
          assertThat(map).containsOnlyKeys("outer").containsEntry("outer", 1L);
          propagating(TransactionDefinition.PROPAGATION_NESTED)
              .executeWithoutResult(
                  status -> {
                    insert(3, 3);
                    map.put("kept", 3L);
                  });
        });
    assertThat(rows()).isEqualTo(2);
    assertThat(otherMap).containsOnlyKeys("outer", "kept").containsEntry("outer", 1L);
  }

  @Test
  void anInnerTransactionOfItsOwnSuspendsTheOuterOne() {
    PersistentMap<String, Long> inner = pool.map("inner", String.class, Long.class);
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      map.put("outer", 1L);
                      propagating(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                          .executeWithoutResult(
                              status -> {
                                assertThat(otherMap.get("outer")).isNull();
                                inner.put("inner", 1L);
                                insert(1, 1);
                              });
                      propagating(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                          .executeWithoutResult(status -> inner.put("beside", 1L));
                      assertThat(map).containsKeys("outer");
                      assertThat(inner).containsKeys("inner", "beside");
                      throw new IllegalArgumentException("the outer method failed");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(otherMap).isEmpty();
    assertThat(inner).containsOnlyKeys("inner", "beside");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void whatWasReadMustNotHaveChanged() {
    map.put("m", 1L);
    for (boolean cached : new boolean[] {true, false}) {
      assertThatThrownBy(
              () ->
                  run(
                      () -> {
                        insert(1, 1);
                        if (cached) {
                          assertThat(cache.get("absent")).isNull();
                          put(() -> otherCache.put("absent", "now"));
                        } else {
                          map.put("m", map.get("m") + 1);
                          put(() -> otherMap.put("m", 5L));
                        }
                        map.put("other", 1L);
                      }))
          .isInstanceOf(ConcurrencyFailureException.class);
      assertThat(rows()).isZero();
      assertThat(map).containsOnlyKeys("m");
    }
    assertThat(map).containsEntry("m", 5L);
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      map.put("n", map.get("m"));
                      put(otherMap::clear);
                    }))
        .isInstanceOf(ConcurrencyFailureException.class);
    assertThat(map).isEmpty();
  }

  /** In another thread, as another process would. */
  private static void put(Runnable change) {
    Thread thread = new Thread(change);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatFollowsTheCommitIsOutsideOfTheTransaction() {
    List<String> seen = new ArrayList<>();
    run(
        () -> {
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                  map.put("late", 1L);
                }

                @Override
                public void afterCommit() {
                  seen.add("commit " + otherMap.keySet());
                  cache.put("after", "commit");
                }
              });
          map.put("early", 1L);
        });
    assertThat(seen).hasSize(1).first().asString().contains("early").contains("late");
    assertThat(otherCache.get("after")).isEqualTo("commit");
  }

  @Test
  void aReadOnlyTransactionFillsCaches() {
    TransactionTemplate readOnly = new TransactionTemplate(manager);
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        status -> {
          assertThat(rows()).isZero();
          cache.put("a", "1");
        });
    assertThat(otherCache.get("a")).isEqualTo("1");
  }

  @Test
  void aTransactionDoesNotBeginInsideAtomically() {
    for (int i = 0; i < source.getMaximumPoolSize(); i++) {
      assertThatThrownBy(() -> pool.runAtomically(tx -> run(() -> insert(1, 1))))
          .isInstanceOf(IllegalTransactionStateException.class);
    }
    run(() -> insert(1, 1)); // a connection is left
  }

  /** Both commit or neither, so each message makes one row. */
  @Test
  void aMessageIsAcknowledgedWithItsRow() {
    queue.send("1");
    Delivery<String> first = queue.receive().orElseThrow();
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      insert(1, 1);
                      assertThat(first.acknowledge()).isTrue();
                      throw new IllegalArgumentException("the method failed");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(rows()).isZero();
    assertThat(queue.size()).isEqualTo(1);
    run(
        () -> {
          insert(1, 1);
          assertThat(first.acknowledge()).isTrue();
        });
    assertThat(rows()).isEqualTo(1);
    assertThat(queue.size()).isZero();
  }

  /** What a table loses a map gains, in any mix of commits, rollbacks and conflicts. */
  @Test
  void sumsOverBothSidesAreExact() throws Exception {
    insert(0, 1_000);
    map.put("0", 0L);
    map.put("1", 0L);
    AtomicInteger conflicts = new AtomicInteger();
    AtomicInteger commits = new AtomicInteger();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      PersistentMap<String, Long> mine = map;
      Thread thread =
          new Thread(
              () -> {
                for (int step = 0; step < 40; step++) {
                  long amount = ThreadLocalRandom.current().nextLong(10);
                  String key = String.valueOf(step % 2);
                  boolean fails = step % 5 == 0;
                  try {
                    run(
                        () -> {
                          mine.put(key, mine.get(key) + amount);
                          jdbc.update("UPDATE " + table + " SET amount = amount - ?", amount);
                          if (fails) {
                            throw new IllegalArgumentException("the method failed");
                          }
                        });
                    commits.incrementAndGet();
                  } catch (ConcurrencyFailureException e) {
                    conflicts.incrementAndGet();
                  } catch (IllegalArgumentException e) {
                    // It was to fail.
                  } catch (RuntimeException | Error e) {
                    failures.add(e);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(commits.get()).isPositive();
    Long left = jdbc.queryForObject("SELECT sum(amount) FROM " + table, Long.class);
    assertThat(left + otherMap.get("0") + otherMap.get("1")).isEqualTo(1_000);
  }

  /** The connection is cut after a random byte, also between the commit and its answer. */
  @Test
  void aLostConnectionLeavesBothOrNeither() {
    for (int round = 0; round < 60; round++) {
      long id = round;
      AtomicInteger told = new AtomicInteger();
      boolean committed = false;
      try {
        run(
            () -> {
              insert(id, 1);
              proxy.cutAfter(ThreadLocalRandom.current().nextLong(1_200));
              map.put("m" + id, id);
              cache.put("c" + id, "1");
              pool.runAtomically(tx -> tx.afterCommit(told::incrementAndGet));
            });
        committed = true;
      } catch (RuntimeException e) {
        // The outcome is to be read.
      }
      proxy.cutAfter(Long.MAX_VALUE);
      long found = server.number("SELECT count(*) FROM " + table + " WHERE id = " + id);
      assertThat(otherMap.containsKey("m" + id)).isEqualTo(found == 1);
      assertThat(cache.get("c" + id) != null).isEqualTo(found == 1);
      assertThat(otherCache.get("c" + id) != null).isEqualTo(found == 1);
      assertThat(told.get()).isEqualTo((int) found);
      assertThat(!committed || found == 1).isTrue();
    }
  }

  @Test
  void withoutSpringAConnectionIsJoined() throws Exception {
    try (Connection connection = source.getConnection()) {
      JoinedTransactions.run(
          pool,
          connection,
          () -> {
            try (var statement = connection.createStatement()) {
              statement.execute("INSERT INTO " + table + " VALUES (7, 7)");
            }
            map.put("m", 7L);
            assertThat(map.get("m")).isEqualTo(7L);
            assertThat(otherMap.get("m")).isNull();
            return null;
          });
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(otherMap.get("m")).isEqualTo(7L);
      assertThatThrownBy(
              () ->
                  JoinedTransactions.run(
                      pool,
                      connection,
                      () -> {
                        map.put("m", map.get("m") + 1);
                        put(() -> otherMap.put("m", 9L));
                        return null;
                      }))
          .isInstanceOf(JoinedTransactions.TransactionConflictException.class);
      assertThatThrownBy(
              () ->
                  JoinedTransactions.run(
                      pool,
                      connection,
                      () -> {
                        map.put("m", 8L);
                        throw new IOException("the work failed");
                      }))
          .isInstanceOf(IOException.class);
      assertThat(otherMap.get("m")).isEqualTo(9L);
      assertThat(rows()).isEqualTo(1);
    }
    try (Rockpool memory = Rockpool.inMemory();
        Connection connection = source.getConnection()) {
      assertThatThrownBy(() -> JoinedTransactions.run(memory, connection, () -> null))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
