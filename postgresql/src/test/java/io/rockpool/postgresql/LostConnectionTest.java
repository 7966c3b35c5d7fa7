package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.TransactionNotes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections are cut at any byte, and each write says truly whether it was made. */
final class LostConnectionTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = {};
  private static final int ROUNDS = 40;

  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private final Random random = new Random(1);
  private CuttingProxy proxy;
  private PostgresEngine cut;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(server.port());
    // No pool: one would wait for seconds before it connects again.
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.url(proxy.port()));
    cut = PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
  }

  @AfterEach
  void close() throws Exception {
    cut.close();
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static long number(Row row) {
    RowRecord record = row.get(KEY);
    return record == null ? 0 : Long.parseLong(new String(record.value(), StandardCharsets.UTF_8));
  }

  private static long increment(Space space) {
    return space.transact(
        ROW,
        row -> {
          long next = number(row) + 1;
          row.put(KEY, bytes(Long.toString(next)), Expiry.NEVER);
          return next;
        });
  }

  private long read(Space space) {
    while (true) {
      try {
        return space.transact(ROW, LostConnectionTest::number);
      } catch (ServerUnavailableException e) {
        // The cut was late.
      }
    }
  }

  /** A cut falls into the opening of a connection, or before, into or behind an answer. */
  private void cutSoon() {
    proxy.cutAfter(random.nextInt(1_600));
  }

  @Test
  void aRowTransactionIsMadeOnceOrNotAtAll() {
    for (Layout layout : Layout.values()) {
      Space space = cut.create(new SpaceSpec("space" + layout, layout, Map.of()));
      long made = 0;
      for (int round = 0; round < ROUNDS; round++) {
        cutSoon();
        try {
          increment(space);
          made++;
        } catch (ServerUnavailableException e) {
          // Nothing was changed.
        }
        assertThat(read(space)).as("round %d, %s", round, layout).isEqualTo(made);
      }
      assertThat(made).isGreaterThan(ROUNDS / 2);
    }
  }

  @Test
  void aTransactionOverSeveralRowsIsMadeOnceOrNotAtAll() {
    Space space = cut.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    long made = 0;
    for (int round = 0; round < ROUNDS; round++) {
      proxy.cutAfter(random.nextInt(3_000));
      try {
        cut.atomically(() -> increment(space));
        made++;
      } catch (ServerUnavailableException e) {
        // Nothing was changed.
      }
      assertThat(read(space)).as("round %d", round).isEqualTo(made);
    }
    assertThat(made).isPositive();
  }

  /** Creating, resetting and dropping a name. */
  @Test
  void aNameIsChangedOnceOrNotAtAll() {
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      SpaceSpec spec = new SpaceSpec("space" + round % 2, Layout.ROWS, Map.of("round", "" + round));
      SpaceInfo before = cut.describe(spec.name());
      proxy.cutAfter(random.nextInt(4_000));
      boolean done = false;
      try {
        if (before == null) {
          cut.create(spec);
        } else if (round % 3 == 0) {
          cut.reset(spec);
        } else {
          assertThat(cut.drop(spec.name())).isTrue();
        }
        done = true;
      } catch (ServerUnavailableException e) {
        failed++; // nothing was changed
      }
      proxy.cutAfter(Long.MAX_VALUE);
      SpaceInfo after = cut.describe(spec.name());
      if (!done) {
        assertThat(after).as("round %d", round).isEqualTo(before);
      } else if (before != null && round % 3 != 0) {
        assertThat(after).as("round %d", round).isNull();
      } else {
        assertThat(after).as("round %d", round).isNotNull();
        assertThat(after.attributes()).containsEntry("round", "" + round);
      }
    }
    assertThat(failed).isLessThan(ROUNDS);
  }

  @Test
  void aPutThatSaysItWasMadeWasMade() {
    Space space = cut.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] value = bytes("value " + round);
      cutSoon();
      boolean returned = false;
      try {
        space.put(ROW, KEY, value, Expiry.NEVER);
        returned = true;
      } catch (OutcomeUnknownException | ServerUnavailableException e) {
        failed++;
      }
      proxy.cutAfter(Long.MAX_VALUE);
      RowRecord found = space.get(ROW, KEY);
      if (returned) {
        assertThat(found).isNotNull();
        assertThat(found.value()).isEqualTo(value);
      }
    }
    assertThat(failed).isLessThan(ROUNDS);
  }

  @Test
  void aServerThatIsAwayIsAnErrorAndComesBack() {
    Space space = cut.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    increment(space);
    proxy.refuse(true);
    assertThatThrownBy(() -> increment(space)).isInstanceOf(ServerUnavailableException.class);
    proxy.refuse(false);
    assertThat(increment(space)).isEqualTo(2);
  }

  /** The settlement then finds the entry's place free, as if it had never been written. */
  @Test
  void anEntryThatWasInsertedAndRemovedBeforeTheSettlementWasMade() throws Exception {
    Space unused = cut.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
    Database database = cut.database();
    RecordStatements statements = cut.statements(Layout.ENTRIES);
    String byName = database.sql("SELECT id FROM $.space_info WHERE name = 'entries'");
    long id = database.<Long>read(connection -> Parameters.number(connection, byName));
    RecordStatements.Scope at = new RecordStatements.Scope(id, cut.nowMillis(), cut.origin());
    PostgresRow row = insertion(statements.reads(database, at, ROW), at);
    Settlement settlement = new Settlement(database);
    long lost = Database.token();
    assertThat(outcome(statements, row, lost, settlement)).isEqualTo(Outcome.NOT_APPLIED);
    removeAll();
    PostgresRow again = insertion(statements.reads(database, at, ROW), at);
    long token = Database.token();
    assertThat(
            database.<Boolean>write(
                "A write", connection -> statements.commit(connection, at, again, token)))
        .isTrue();
    removeAll();
    assertThat(outcome(statements, again, token, settlement)).isEqualTo(Outcome.APPLIED);
  }

  private static PostgresRow insertion(RowSource source, RecordStatements.Scope at) {
    PostgresRow row =
        new PostgresRow(
            ROW, "entries", Layout.ENTRIES, source, at.nowMillis(), new TransactionNotes());
    source.pin();
    row.put(KEY, bytes("1"), Expiry.NEVER);
    return row;
  }

  private Outcome outcome(
      RecordStatements statements, PostgresRow row, long token, Settlement settlement) {
    return cut.database()
        .<Outcome>write(
            "Settling", connection -> statements.settle(connection, row, token, settlement));
  }

  /** Removes also the fence of a settlement, as a sweep does. */
  private void removeAll() throws Exception {
    server.execute("DELETE FROM " + schema + ".entries");
  }
}
