package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of several threads that go to the server together. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs(Tool.POSTGRESQL)
final class CombinedCallsTest {
  private static final int THREADS = 16;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Semaphore statements = new Semaphore(0);
  private final List<List<Integer>> made = new CopyOnWriteArrayList<>();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final AtomicInteger refused = new AtomicInteger();
  private final CombinedCalls<RowRecord, @Nullable Void> puts =
      new CombinedCalls<>(this::putOne, this::putTogether, rules(Long.MAX_VALUE));

  private static CombinedCalls.Rules<RowRecord> rules(long nanosForEach) {
    return new CombinedCalls.Rules<>(64, record -> record.value().length, nanosForEach);
  }

  private @Nullable Void putOne(RowRecord record) {
    statements.acquireUninterruptibly();
    made.add(List.of(number(record)));
    return null;
  }

  private List<@Nullable Void> putTogether(List<RowRecord> records) {
    statements.acquireUninterruptibly();
    if (failure.get() != null) {
      throw failure.get();
    }
    if (Thread.currentThread().isInterrupted()) {
      refused.incrementAndGet();
      throw new ServerUnavailableException("Interrupted while it waited for a connection.", null);
    }
    made.add(SpaceCalls.lastOfEach(records).stream().map(CombinedCallsTest::number).toList());
    return Collections.nCopies(records.size(), null);
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static int number(RowRecord record) {
    return ByteBuffer.wrap(record.value()).getInt();
  }

  private static RowRecord record(int key, int value) {
    return new RowRecord(bytes(key), Space.NO_SORT_KEY, bytes(value), Expiry.NEVER);
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Begins a put in a thread, and waits until it waits: for a statement or for its turn. */
  private Future<?> begin(int key, int value) throws InterruptedException {
    return begin(key, value, false);
  }

  private Future<?> begin(int key, int value, boolean interrupted) throws InterruptedException {
    AtomicReference<Thread> runs = new AtomicReference<>();
    Future<?> put =
        threads.submit(
            () -> {
              runs.set(Thread.currentThread());
              if (interrupted) {
                Thread.currentThread().interrupt();
              }
              puts.call(record(key, value));
            });
    until(
        () ->
            runs.get() != null
                && (runs.get().getState() == Thread.State.WAITING
                    || runs.get().getState() == Thread.State.TIMED_WAITING));
    return put;
  }

  private List<Future<?>> begin(int count) throws InterruptedException {
    List<Future<?>> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      begun.add(begin(i, i));
    }
    return begun;
  }

  private static void end(List<Future<?>> begun) throws Exception {
    for (Future<?> put : begun) {
      put.get();
    }
  }

  @Test
  void aPutAloneIsAStatementOfItsOwnAndWaitsForNoOther() {
    statements.release(2);
    puts.call(record(1, 1));
    puts.call(record(2, 2));
    assertThat(made).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void whatComesWhileTwoStatementsRunIsPutByTheThird() throws Exception {
    // All within the time that a put waits for its turn: a long one would go alone.
    List<List<Integer>> together = List.of();
    for (int attempt = 0; together.isEmpty(); attempt++) {
      made.clear();
      List<Future<?>> begun = begin(8);
      statements.release(8);
      end(begun);
      statements.drainPermits();
      assertThat(made.stream().mapToInt(List::size).sum()).isEqualTo(8);
      together = made.stream().filter(one -> one.size() > 1).toList();
      assertThat(attempt).isLessThan(100);
    }
    assertThat(made.get(0)).hasSize(1);
  }

  @Test
  void aPutDoesNotWaitForStatementsThatTakeLong() throws Exception {
    List<Future<?>> begun = begin(3);
    until(() -> statements.getQueueLength() == 3);
    statements.release(3);
    end(begun);
    assertThat(made).hasSize(3);
  }

  @Test
  void whatFailsTogetherIsPutOneByOne() throws Exception {
    failure.set(new RockpoolException("One of them fails."));
    for (int attempt = 0; attempt < 20; attempt++) {
      made.clear();
      List<Future<?>> begun = begin(8);
      statements.release(100);
      end(begun);
      statements.drainPermits();
      assertThat(made).hasSize(8);
    }
  }

  @Test
  void anUnknownOutcomeIsThatOfEachPut() throws Exception {
    failure.set(new OutcomeUnknownException("The answer was lost.", null));
    int unknown = 0;
    for (int attempt = 0; unknown == 0; attempt++) {
      made.clear();
      List<Future<?>> begun = begin(8);
      statements.release(100);
      unknown = 0;
      for (Future<?> put : begun) {
        try {
          put.get();
        } catch (ExecutionException e) {
          assertThat(e).hasCause(failure.get());
          unknown++;
        }
      }
      statements.drainPermits();
      assertThat(made).hasSize(8 - unknown);
      assertThat(unknown).isNotEqualTo(1);
      assertThat(attempt).isLessThan(100);
    }
  }

  @Test
  void ofTwoPutsOfAKeyOneIsMade() throws Exception {
    for (int attempt = 0; attempt < 20; attempt++) {
      made.clear();
      List<Future<?>> begun = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        begun.add(begin(1, i));
      }
      statements.release(100);
      end(begun);
      statements.drainPermits();
      assertThat(made).isNotEmpty().allSatisfy(one -> assertThat(one).hasSize(1));
    }
  }

  @Test
  void anInterruptedThreadPutsAndStaysInterrupted() throws Exception {
    List<Future<?>> begun = begin(2);
    Future<Boolean> interrupted =
        threads.submit(
            () -> {
              Thread.currentThread().interrupt();
              puts.call(record(3, 3));
              return Thread.currentThread().isInterrupted();
            });
    statements.release(3);
    end(begun);
    assertThat(interrupted.get()).isTrue();
    assertThat(made.stream().flatMap(List::stream)).contains(3);
  }

  @Test
  void theInterruptOfAThreadIsNotTheFailureOfOthers() throws Exception {
    for (int attempt = 0; refused.get() == 0; attempt++) {
      made.clear();
      List<Future<?>> begun = begin(2);
      begun.add(begin(2, 2, true));
      begun.add(begin(3, 3));
      begun.add(begin(4, 4));
      statements.release(100);
      end(begun);
      statements.drainPermits();
      assertThat(made.stream().flatMap(List::stream)).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
      assertThat(attempt).isLessThan(100);
    }
  }

  /** As long as a server would take. A pending {@code unpark} does not end it. */
  private static void pause() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Test
  void eachCallHasItsOwnResult() throws Exception {
    CombinedCalls<Integer, String> texts =
        new CombinedCalls<>(
            number -> {
              pause();
              return "one " + number;
            },
            numbers -> {
              made.add(numbers);
              return numbers.stream().map(number -> "many " + number).toList();
            },
            new CombinedCalls.Rules<>(4, number -> 0, Long.MAX_VALUE));
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      running.add(
          threads.submit(
              () -> {
                for (int i = thread; i < 2_000; i += THREADS) {
                  assertThat(texts.call(i)).isIn("one " + i, "many " + i);
                }
              }));
    }
    end(running);
    assertThat(made).isNotEmpty().allSatisfy(some -> assertThat(some).hasSizeBetween(2, 4));
  }

  /** Far away, a statement is waiting most of the time, and waits cost nothing. */
  @Test
  void moreStatementsRunAtATimeIfEachTakesLong() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    UnaryOperator<List<Integer>> statement =
        numbers -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          pause();
          running.decrementAndGet();
          return numbers;
        };
    CombinedCalls<Integer, Integer> slow =
        new CombinedCalls<>(
            number -> statement.apply(List.of(number)).get(0),
            statement,
            new CombinedCalls.Rules<>(16, number -> 0, TimeUnit.MICROSECONDS.toNanos(100)));
    List<Future<?>> calling = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      calling.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  slow.call(i);
                }
              }));
    }
    end(calling);
    assertThat(most.get()).isGreaterThan(4);
  }

  /** An engine with an empty space of entries, in a schema of its own. */
  private static final class Server implements AutoCloseable {
    private final PostgresServer running = PostgresServer.running();
    final String schema = PostgresServer.newSchema();
    final PostgresOptions options = PostgresOptions.defaults().schema(schema);
    final HikariDataSource pool = running.pool();
    final PostgresEngine engine = PostgresEngine.open(pool, options);
    final Space space = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));

    @Override
    public void close() throws SQLException {
      engine.close();
      pool.close();
      running.execute("DROP SCHEMA " + schema + " CASCADE");
    }
  }

  @Test
  void eachPutOfManyThreadsIsOnTheServerWhenItReturns() throws Exception {
    try (Server server = new Server();
        PostgresEngine other = PostgresEngine.open(server.pool, server.options)) {
      Space space = server.space;
      Space read = other.open("entries");
      Map<Integer, Integer> last = new ConcurrentHashMap<>();
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    int key = thread + THREADS * (i % 7);
                    space.put(bytes(key), Space.NO_SORT_KEY, bytes(i), Expiry.NEVER);
                    last.put(key, i);
                    byte[] found = read.get(bytes(key), Space.NO_SORT_KEY).value();
                    assertThat(found).isEqualTo(bytes(i));
                  }
                }));
      }
      end(running);
      assertThat(last).hasSize(THREADS * 7);
      last.forEach(
          (key, value) ->
              assertThat(read.get(bytes(key), Space.NO_SORT_KEY).value()).isEqualTo(bytes(value)));
    }
  }

  /** Else a transaction that waits for another thread, which puts, would wait for ever. */
  @Test
  void aLockedEntryDelaysNoPutOfAnotherOne() throws Exception {
    try (Server server = new Server();
        Connection locking = server.pool.getConnection()) {
      Space space = server.space;
      space.put(bytes(0), Space.NO_SORT_KEY, bytes(0), Expiry.NEVER);
      locking.setAutoCommit(false);
      try (PreparedStatement lock =
          locking.prepareStatement(
              "SELECT 1 FROM " + server.schema + ".entries WHERE hash_key = ? FOR UPDATE")) {
        lock.setBytes(1, bytes(0));
        lock.execute();
      }
      List<Future<?>> blocked = new ArrayList<>();
      List<Future<?>> free = new ArrayList<>();
      for (int t = 0; t < 12; t++) {
        int key = t % 4;
        Future<?> put =
            threads.submit(() -> space.put(bytes(key), Space.NO_SORT_KEY, bytes(1), Expiry.NEVER));
        (key == 0 ? blocked : free).add(put);
      }
      end(free);
      assertThat(blocked).noneMatch(Future::isDone);
      locking.rollback();
      end(blocked);
      assertThat(space.get(bytes(0), Space.NO_SORT_KEY).value()).isEqualTo(bytes(1));
      try (Statement statement = locking.createStatement();
          var result = statement.executeQuery("SHOW lock_timeout")) {
        result.next();
        assertThat(result.getString(1)).isEqualTo("0");
      }
    }
  }

  @Test
  void aStatementForSeveralCallersDoesNotWaitForALock() throws Exception {
    try (Server server = new Server();
        Connection locking = server.pool.getConnection()) {
      Space space = server.space;
      space.put(bytes(0), Space.NO_SORT_KEY, bytes(0), Expiry.NEVER);
      long id =
          Parameters.number(
              locking, "SELECT id FROM " + server.schema + ".spaces WHERE layout = 1");
      locking.setAutoCommit(false);
      try (Statement lock = locking.createStatement()) {
        lock.execute("SELECT 1 FROM " + server.schema + ".entries FOR UPDATE");
      }
      RecordStatements entries = server.engine.statements(Layout.ENTRIES);
      RecordStatements.Scope at = new RecordStatements.Scope(id, server.engine.nowMillis(), 1);
      assertThatThrownBy(
              () ->
                  server
                      .engine
                      .database()
                      .write(
                          "A put",
                          connection -> {
                            entries.putTogether(
                                connection, at, List.of(record(0, 1), record(1, 1)), 1);
                            return true;
                          }))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContaining("55P03");
      locking.rollback();
      assertThat(space.get(bytes(0), Space.NO_SORT_KEY).value()).isEqualTo(bytes(0));
      assertThat(space.get(bytes(1), Space.NO_SORT_KEY)).isNull();
    }
  }
}
