package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.store.VerifyOptions;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A walk over records has about a megabyte of them in memory, however large each is. */
@Needs(Tool.POSTGRESQL)
final class PagesTest {
  private static final byte[] ROW = {1};
  private static final int MEGABYTE = 1 << 20;

  /** Of each kind there are more than fit into a page, and they follow on one another. */
  private static final int[] SIZES = new int[160];

  static {
    for (int i = 0; i < SIZES.length; i++) {
      SIZES[i] = i >= 100 && i < 106 ? MEGABYTE + i : i >= 106 && i < 130 ? 300_000 + i : i;
    }
  }

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource source = server.pool();
  private final PostgresEngine engine =
      PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));

  @AfterEach
  void close() throws SQLException {
    engine.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private Space filled(Layout layout) {
    Space space = engine.create(new SpaceSpec("space", layout, Map.of()));
    for (int i = 0; i < SIZES.length; i++) {
      byte[] key = {(byte) i};
      boolean isOfRows = layout == Layout.ROWS;
      space.put(
          isOfRows ? ROW : key,
          isOfRows ? key : Space.NO_SORT_KEY,
          new byte[SIZES[i]],
          Expiry.NEVER);
    }
    return space;
  }

  private static List<Integer> walked(Cursor cursor) {
    List<Integer> sizes = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        sizes.add(cursor.value().length);
      }
    }
    return sizes;
  }

  private static List<Integer> sizes(int limit, boolean isBackward) {
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < limit; i++) {
      sizes.add(SIZES[isBackward ? SIZES.length - 1 - i : i]);
    }
    return sizes;
  }

  private List<RowRecord> page(Layout layout, byte[] after) {
    RecordStatements.Scope at =
        new RecordStatements.Scope(
            server.number("SELECT id FROM " + schema + ".spaces"), engine.nowMillis(), 1);
    SortRange range = SortRange.all().from(after, false);
    return engine
        .database()
        .read(
            connection ->
                layout == Layout.ROWS
                    ? engine
                        .statements(layout)
                        .scan(connection, at, ROW, range, Direction.FORWARD, 1_000)
                    : engine
                        .statements(layout)
                        .scanAll(
                            connection, at, new RecordKey(after, Space.NO_SORT_KEY), null, 1_000));
  }

  private void checkPages(Layout layout) {
    assertThat(page(layout, new byte[] {99})).hasSize(1);
    assertThat(page(layout, new byte[] {98})).hasSize(2);
    assertThat(page(layout, new byte[] {105})).hasSize(4);
    assertThat(page(layout, new byte[] {(byte) 130})).hasSize(29);
  }

  @Test
  void aWalkOverARowFindsAllOfIt() {
    Space space = filled(Layout.ROWS);
    int all = SIZES.length;
    for (int limit : new int[] {1, 101, 105, 110, all}) {
      assertThat(walked(space.scan(ROW, SortRange.all(), Direction.FORWARD, limit)))
          .isEqualTo(sizes(limit, false));
      assertThat(walked(space.scan(ROW, SortRange.all(), Direction.BACKWARD, limit)))
          .isEqualTo(sizes(limit, true));
    }
    assertThat(walked(space.scanAll())).isEqualTo(sizes(all, false));
    checkPages(Layout.ROWS);
    assertThat(engine.verify(VerifyOptions.defaults(), RecordChecks.NONE).findings()).isEmpty();
  }

  @Test
  void aWalkOverEntriesFindsAllOfThem() {
    Space space = filled(Layout.ENTRIES);
    assertThat(walked(space.scanAll())).isEqualTo(sizes(SIZES.length, false));
    checkPages(Layout.ENTRIES);
    assertThat(engine.verify(VerifyOptions.defaults(), RecordChecks.NONE).findings()).isEmpty();
  }

  private int pageInTransaction(byte[] bound, Direction direction) {
    long space = server.number("SELECT id FROM " + schema + ".spaces");
    boolean forward = direction == Direction.FORWARD;
    SortRange all = SortRange.all();
    SortRange range = forward ? all.from(bound, false) : all.to(bound, false);
    RowStatements statements = (RowStatements) engine.statements(Layout.ROWS);
    return engine
        .database()
        .read(
            connection ->
                statements.read(
                    connection,
                    space,
                    engine.nowMillis(),
                    ROW,
                    RowQuery.page(range, direction, 1_000, 4 * MEGABYTE)))
        .records()
        .size();
  }

  @Test
  void aTransactionReadsPagesThatFit() {
    Space space = filled(Layout.ROWS);
    assertThat(pageInTransaction(new byte[] {99}, Direction.FORWARD)).isEqualTo(4);
    assertThat(pageInTransaction(new byte[] {105}, Direction.FORWARD)).isEqualTo(14);
    assertThat(pageInTransaction(new byte[] {(byte) 130}, Direction.FORWARD)).isEqualTo(29);
    assertThat(pageInTransaction(new byte[] {(byte) 130}, Direction.BACKWARD)).isEqualTo(14);
    assertThat(
            engine.atomically(
                () -> walked(space.scan(ROW, SortRange.all(), Direction.FORWARD, SIZES.length))))
        .isEqualTo(sizes(SIZES.length, false));
  }

  @Test
  void keysCountForPages() {
    List<Integer> limits = new ArrayList<>();
    byte[] key = new byte[PostgresLimits.MAX_HASH_KEY_BYTES];
    List<RowRecord> page =
        Collections.nCopies(64, new RowRecord(key, key, new byte[0], Expiry.NEVER));
    PageCursor.Pages pages =
        (last, limit) -> {
          limits.add(limit);
          return limits.size() == 1 ? page : List.of();
        };
    assertThat(walked(new PageCursor(pages, () -> {}, Long.MAX_VALUE))).hasSize(64);
    assertThat(limits).containsExactly(64, MEGABYTE / 2_000 + 1);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void splitsDivideAllKeysIntoEqualParts(Layout layout) throws SQLException {
    int many = 10_007;
    Space space = engine.create(new SpaceSpec("space", layout, Map.of()));
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      byte[] key = {(byte) (i >> 8), (byte) i};
      boolean isOfRows = layout == Layout.ROWS;
      records.add(
          new RowRecord(
              isOfRows ? new byte[] {(byte) (i / 3_000)} : key,
              isOfRows ? key : Space.NO_SORT_KEY,
              new byte[0],
              Expiry.NEVER));
    }
    space.putAll(records);
    assertThat(space.splits(1)).isEmpty();
    for (int parts : new int[] {2, 3, 7, 100}) {
      List<RecordKey> splits = space.splits(parts);
      assertThat(splits).hasSize(parts - 1);
      int walked = 0;
      RecordKey after = null;
      for (int i = 0; i < parts; i++) {
        RecordKey upTo = i == parts - 1 ? null : splits.get(i);
        int part = walked(space.scanAll(after, upTo)).size();
        assertThat(part).isBetween(many / parts, many / parts + 1);
        walked += part;
        after = upTo;
      }
      assertThat(walked).isEqualTo(many);
    }
  }
}
