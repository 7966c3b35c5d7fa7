package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.FindingKind;
import io.rockpool.store.Registration;
import io.rockpool.store.VerifyOptions;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the engine on PostgreSQL has of its own, beside the contract. */
@Needs(Tool.POSTGRESQL)
final class PostgresEngineTest {
  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private HikariDataSource pool;
  private PostgresEngine engine;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(schema);
  }

  private static final class Reports implements ChangeListener {
    private final CountDownLatch threeChanges = new CountDownLatch(3);
    private final CountDownLatch regained = new CountDownLatch(1);
    private final AtomicInteger lost = new AtomicInteger();

    @Override
    public void rowChanged(String name, byte[] hashKey) {
      threeChanges.countDown();
    }

    @Override
    public void spaceChanged(String name) {}

    @Override
    public void spaceEnded(String name) {}

    @Override
    public void feedLost() {
      lost.incrementAndGet();
    }

    @Override
    public void feedRegained() {
      regained.countDown();
    }
  }

  @BeforeEach
  void open() {
    pool = server.pool();
    engine = PostgresEngine.open(pool, options());
  }

  @AfterEach
  void close() throws Exception {
    engine.close();
    pool.close();
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  private Space rows() {
    return engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
  }

  @Test
  void itHasTransactionsAndOtherHandlesAndNoSnapshots() {
    assertThat(engine.capabilities())
        .containsExactlyInAnyOrder(
            Capability.COLLECTIONS, Capability.MULTI_ROW_TRANSACTIONS, Capability.SHARED);
    assertThat(engine.diskBytes()).isPositive();
    assertThat(engine.clock().millis()).isCloseTo(Instant.now().toEpochMilli(), within());
  }

  private static Offset<Long> within() {
    return Offset.offset(5_000L);
  }

  /** Random bytes do not get shorter when the server compresses a key of an index. */
  @Test
  void keysAtTheirLimitsFitIntoAnIndex() {
    byte[] hashKey = new byte[PostgresLimits.MAX_HASH_KEY_BYTES];
    byte[] sortKey = new byte[PostgresLimits.MAX_SORT_KEY_BYTES];
    Random random = new Random(1);
    random.nextBytes(hashKey);
    random.nextBytes(sortKey);
    Space space = rows();
    space.put(hashKey, sortKey, bytes("v"), Expiry.NEVER);
    assertThat(space.get(hashKey, sortKey)).isNotNull();
  }

  @Test
  void aSchemaOfAnotherVersionIsRefused() throws Exception {
    server.execute("UPDATE " + schema + ".store SET version = 99");
    assertThatThrownBy(() -> PostgresEngine.open(pool, options()))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("version 99")
        .hasMessageContaining(schema);
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () ->
                PostgresEngine.open(
                    "jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1&loginTimeout=1",
                    PostgresOptions.defaults()))
        .isInstanceOf(ServerUnavailableException.class);
  }

  @Test
  void namesOfSchemasAreChecked() {
    for (String name : new String[] {"", "A", "a b", "a;b", "1a", "a".repeat(64)}) {
      assertThatThrownBy(() -> PostgresOptions.defaults().schema(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aWrongCountIsFound() throws Exception {
    Space space = rows();
    space.<Boolean>transact(
        bytes("row"),
        row -> {
          row.putCounted(bytes("a"), bytes("v"), Expiry.NEVER);
          return true;
        });
    VerifyOptions verify = VerifyOptions.defaults();
    assertThat(engine.verify(verify, RecordChecks.NONE).findings()).isEmpty();
    server.execute("UPDATE " + schema + ".heads SET count = 7");
    assertThat(engine.verify(verify, RecordChecks.NONE).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.WRONG_COUNT));
  }

  /** A handle that comes back after its changes were deleted must drop what it has in memory. */
  @Test
  void deletedChangesAreALostFeed() throws Exception {
    Space space = rows();
    space.put(bytes("row"), bytes("a"), bytes("v"), Expiry.NEVER);
    long minute = TimeUnit.MINUTES.toNanos(1);
    engine.sweeper().pruneChanges(0);
    space.put(bytes("row"), bytes("b"), bytes("v"), Expiry.NEVER);
    assertThat(changes()).isEqualTo(3); // with the mark of the creation
    engine.sweeper().pruneChanges(minute);
    assertThat(changes()).isEqualTo(3);
    engine.sweeper().pruneChanges(3 * minute);
    assertThat(changes()).isEqualTo(1);

    Reports reports = new Reports();
    try (Registration registration = engine.onChange(reports)) {
      server.execute("UPDATE " + schema + ".store SET pruned = '9000000000'");
      assertThat(reports.regained.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(reports.lost.get()).isPositive();
    }
  }

  /** A dump has numbers of transactions that the server of the restored schema has yet to use. */
  @Test
  void aStoreOfAnotherServerFollowsThisOne() throws Exception {
    Space space = rows();
    space.put(bytes("row"), bytes("a"), bytes("v"), Expiry.NEVER);
    space.clear();
    engine.close();
    for (String restored : List.of(".store SET pruned", ".changes SET xid", ".dead SET xid")) {
      server.execute("UPDATE " + schema + restored + " = '9000000000'");
    }
    engine = PostgresEngine.open(pool, options());
    assertThat(changes()).isZero();
    engine.reclaim();
    assertThat(server.number("SELECT count(*) FROM " + schema + ".dead")).isZero();
    Reports reports = new Reports();
    try (PostgresEngine other = PostgresEngine.open(pool, options());
        Registration registration = engine.onChange(reports)) {
      Space there = Objects.requireNonNull(other.open("rows"));
      for (int i = 0; i < 3; i++) {
        there.put(bytes("row"), bytes("a"), bytes("v" + i), Expiry.NEVER);
        Thread.sleep(100);
      }
      assertThat(reports.threeChanges.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(reports.lost.get()).isZero();
    }
  }

  /** Each thread has the connection of its transaction; there are no others. */
  @Test
  void aTransactionThatRenewsASpaceNeedsNoSecondConnection() throws Exception {
    rows();
    engine.create(new SpaceSpec("expired", Layout.ROWS, Map.of()));
    engine.close();
    HikariDataSource two = server.pool();
    two.setMaximumPoolSize(2);
    two.setConnectionTimeout(10_000);
    engine = PostgresEngine.open(two, options());
    Space here = Objects.requireNonNull(engine.open("rows"));
    Space there = Objects.requireNonNull(engine.open("expired"));
    there.expireAt(engine.clock().millis() + 200);
    Thread.sleep(300);
    CyclicBarrier connected = new CyclicBarrier(2);
    List<Running<?>> running = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      AtomicInteger runs = new AtomicInteger();
      running.add(
          Threads.start(
              () ->
                  engine.atomically(
                      () -> {
                        long count = here.count(bytes("row"));
                        if (runs.getAndIncrement() == 0) {
                          awaitQuietly(connected);
                        }
                        return count + there.count(bytes("row"));
                      })));
    }
    for (Running<?> one : running) {
      one.result();
    }
    engine.close();
    two.close();
  }

  private static void awaitQuietly(CyclicBarrier barrier) {
    try {
      barrier.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLongTransactionCommitsAlthoughOthersWriteItsRow() throws Exception {
    Space space = rows();
    AtomicBoolean committed = new AtomicBoolean();
    List<Running<Boolean>> writers = new ArrayList<>();
    try (PostgresEngine other = PostgresEngine.open(pool, options())) {
      Space there = Objects.requireNonNull(other.open("rows"));
      for (int i = 0; i < 3; i++) {
        byte[] key = {(byte) i};
        writers.add(
            Threads.start(
                () -> {
                  while (!committed.get()) {
                    there.put(bytes("row"), key, bytes("v"), Expiry.NEVER);
                  }
                  return true;
                }));
      }
      AtomicInteger runs = new AtomicInteger();
      try {
        boolean result =
            engine.atomically(
                () -> {
                  assertThat(runs.incrementAndGet()).isLessThan(60);
                  boolean isAbsent = space.get(bytes("row"), bytes("mine")) == null;
                  sleep(30);
                  space.put(bytes("row"), bytes("mine"), bytes("v"), Expiry.NEVER);
                  return isAbsent;
                });
        assertThat(result).isTrue();
      } finally {
        committed.set(true);
      }
      for (Running<Boolean> writer : writers) {
        assertThat(writer.result()).isTrue();
      }
    }
    assertThat(space.get(bytes("row"), bytes("mine"))).isNotNull();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theInterruptOfAThreadIsNotTheFailureOfTransactionsThatItRuns() throws Exception {
    Space space = rows();
    AtomicInteger interrupted = new AtomicInteger();
    for (int round = 0; round < 300 && interrupted.get() < 3; round++) {
      List<Running<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean isInterrupted = i % 4 == 1;
        running.add(
            Threads.start(
                () -> {
                  for (int n = 0; n < 5; n++) {
                    if (isInterrupted) {
                      Thread.currentThread().interrupt();
                    }
                    try {
                      space.<Boolean>transact(
                          bytes("row"),
                          row -> {
                            RowRecord found = row.get(bytes("a"));
                            int value = found == null ? 0 : found.value().length;
                            row.put(bytes("a"), new byte[value % 50 + 1], Expiry.NEVER);
                            return true;
                          });
                    } catch (ServerUnavailableException e) {
                      if (!isInterrupted) {
                        throw e;
                      }
                      interrupted.incrementAndGet();
                    }
                  }
                  return true;
                }));
      }
      for (Running<Boolean> one : running) {
        assertThat(one.result()).isTrue();
      }
    }
    assertThat(interrupted.get()).isPositive();
  }

  @Test
  void nothingIsSentIfTheWorkSwitchedAutocommitOn() throws Exception {
    try (Rockpool store = Rockpool.at(PostgresEngine.factory(pool, schema)).open();
        Connection connection = pool.getConnection()) {
      PersistentMap<String, String> map = store.map("map", String.class, String.class);
      assertThatThrownBy(
              () ->
                  JoinedTransactions.<Boolean, RuntimeException>run(
                      store,
                      connection,
                      () -> {
                        map.put("key", "v");
                        connection.setAutoCommit(true);
                        return true;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("autocommit");
      assertThat(map.get("key")).isNull();
    }
  }

  /** Its place is locked by a head until the commit. */
  @Test
  void anAbsentRowThatIsOnlyReadLeavesNothing() throws Exception {
    Space space = rows();
    byte[] absent = bytes("absent");
    Runnable work =
        () -> {
          boolean unused = space.<Boolean>transact(absent, row -> row.get(bytes("a")) == null);
          space.put(bytes("row"), bytes("a"), bytes("v"), Expiry.NEVER);
        };
    engine.atomically(
        () -> {
          work.run();
          return true;
        });
    try (Rockpool store = Rockpool.at(PostgresEngine.factory(pool, schema)).open();
        Connection connection = pool.getConnection()) {
      PersistentMap<String, String> map = store.map("map", String.class, String.class);
      map.put("old", "v");
      JoinedTransactions.<Boolean, RuntimeException>run(
          store,
          connection,
          () -> {
            assertThat(map.get("absent")).isNull();
            map.put("old", "w");
            return true;
          });
    }
    assertThat(server.number("SELECT count(*) FROM " + schema + ".heads WHERE revision < 0"))
        .isZero();
  }

  @Test
  void aReadRunsAgainAsOftenAsItConflicts() {
    AtomicInteger conflicts = new AtomicInteger(20);
    boolean read =
        engine
            .database()
            .<Boolean>read(
                connection -> {
                  if (conflicts.getAndDecrement() > 0) {
                    throw new SQLException("a conflict of the test", "40001");
                  }
                  return true;
                });
    assertThat(read).isTrue();
  }

  @Test
  void oneHandleSweepsUntilItIsSilent() throws Exception {
    assertThat(engine.sweeper().own()).isTrue();
    try (PostgresEngine other = PostgresEngine.open(pool, options())) {
      assertThat(other.sweeper().own()).isFalse();
      assertThat(engine.sweeper().own()).isTrue();
      engine.close();
      assertThat(other.sweeper().own()).isFalse();
      server.execute(
          "UPDATE " + schema + ".store SET owned_until = owned_until - interval '30 seconds'");
      assertThat(other.sweeper().own()).isTrue();
      try (PostgresEngine third = PostgresEngine.open(pool, options())) {
        assertThat(third.sweeper().own()).isFalse();
      }
    }
  }

  /** The sweep of a structure is a call of the engine, which a closed one refuses. */
  @Test
  void closingWaitsForASweepWithoutAnError() throws Exception {
    Space space = rows();
    CountDownLatch sweeping = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    engine.whenReclaiming(
        () ->
            List.of(
                () -> {
                  sweeping.countDown();
                  awaitQuietly(closing);
                  return space.get(bytes("row"), bytes("a")) != null;
                }));
    assertThat(sweeping.await(30, TimeUnit.SECONDS)).isTrue();
    Thread closer = new Thread(engine::close);
    closer.start();
    Thread.sleep(200); // the close has begun
    closing.countDown();
    closer.join();
    assertThat(engine.upkeep().state().failures()).isZero();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long changes() {
    return engine
        .database()
        .read(
            connection ->
                Parameters.number(connection, "SELECT count(*) FROM " + schema + ".changes"));
  }
}
