package io.rockpool.engine;

import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.testing.FakeClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * What each part of the contract works with. Keys and values are written as strings, one character
 * from {@code \u0000} to {@code \u00ff} for each byte.
 */
interface EngineUnderTest {
  /** The key of the row that most tests use. */
  String ROW = "row";

  /** The engine, opened empty for each test; another one after {@link #reopen}. */
  Engine engine();

  /** The engine's background work and measurements. */
  default EngineUpkeep upkeep() {
    return EngineUpkeep.of(engine());
  }

  /** The engine's clock. */
  FakeClock clock();

  /**
   * Closes the engine and opens one on the same data; ends the test as not applicable where nothing
   * persists.
   */
  void reopen();

  /** Opens another handle of the engine's data; the test closes it. */
  Engine openAnother();

  /** The longest value the engine takes. */
  int maxValueBytes();

  /** The longest hash key the engine takes. */
  int maxHashKeyBytes();

  /** The longest sort key the engine takes. */
  int maxSortKeyBytes();

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static SpaceSpec spec(String name, Layout layout) {
    return new SpaceSpec(name, layout, Map.of());
  }

  static SortRange prefix(String prefix) {
    return SortRange.prefix(bytes(prefix));
  }

  /** From {@code from}, included, up to {@code to}, excluded. */
  static SortRange range(String from, String to) {
    return SortRange.all().from(bytes(from), true).to(bytes(to), false);
  }

  static RowRecord record(String hashKey, String sortKey, String value) {
    return new RowRecord(bytes(hashKey), bytes(sortKey), bytes(value), Expiry.NEVER);
  }

  static RecordKey key(String hashKey, String sortKey) {
    return new RecordKey(bytes(hashKey), bytes(sortKey));
  }

  /**
   * The space a test uses, of rows; created on first use. Ends the test where there can be none.
   */
  default Space rows() {
    assume(Capability.COLLECTIONS);
    return space("rows", Layout.ROWS);
  }

  /** The space a test uses, of entries; created on first use. */
  default Space entries() {
    return space("entries", Layout.ENTRIES);
  }

  /** The spaces of each layout that the engine has. */
  default List<Space> spaces() {
    return layout() == Layout.ROWS ? List.of(rows(), entries()) : List.of(entries());
  }

  /** A layout that the engine has, for tests whose records have the empty sort key. */
  default Layout layout() {
    return engine().capabilities().contains(Capability.COLLECTIONS) ? Layout.ROWS : Layout.ENTRIES;
  }

  private Space space(String name, Layout layout) {
    Space space = engine().open(name);
    return space == null ? engine().create(spec(name, layout)) : space;
  }

  default void put(Space space, String hashKey, String sortKey, String value) {
    put(space, hashKey, sortKey, value, Expiry.NEVER);
  }

  default void put(Space space, String hashKey, String sortKey, String value, long expiryMillis) {
    space.put(bytes(hashKey), bytes(sortKey), bytes(value), expiryMillis);
  }

  default void putCounted(Space space, String hashKey, String sortKey, String value) {
    putCounted(space, hashKey, sortKey, value, Expiry.NEVER);
  }

  default void putCounted(
      Space space, String hashKey, String sortKey, String value, long expiryMillis) {
    change(space, hashKey, row -> row.putCounted(bytes(sortKey), bytes(value), expiryMillis));
  }

  /** Runs a transaction that returns nothing. */
  default void change(Space space, String hashKey, RowChange change) {
    space.<@Nullable Void>transact(
        bytes(hashKey),
        row -> {
          change.make(row);
          return null;
        });
  }

  /** The value at a place, or null if there is none. */
  default @Nullable String get(Space space, String hashKey, String sortKey) {
    return value(space.get(bytes(hashKey), bytes(sortKey)));
  }

  default @Nullable String value(@Nullable RowRecord record) {
    return record == null ? null : text(record.value());
  }

  /** The sort keys a scan of a row shows, in its order. */
  default List<String> scan(
      Space space, String hashKey, SortRange range, Direction direction, int limit) {
    List<String> found = new ArrayList<>();
    try (Cursor cursor = space.scan(bytes(hashKey), range, direction, limit)) {
      while (cursor.next()) {
        found.add(text(cursor.sortKey()));
      }
    }
    return found;
  }

  /** The sort keys of a row, lowest first. */
  default List<String> scan(Space space, String hashKey) {
    return scan(space, hashKey, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE);
  }

  /** Each record of a space as {@code hashKey/sortKey=value}, in the order of the scan. */
  default List<String> scanAll(Space space) {
    return scanAll(space, null);
  }

  /** As {@link #scanAll(Space)}, of what comes after a record. */
  default List<String> scanAll(Space space, @Nullable RecordKey after) {
    return scanAll(space, after, null);
  }

  /** As {@link #scanAll(Space, RecordKey)}, up to another record. */
  default List<String> scanAll(Space space, @Nullable RecordKey after, @Nullable RecordKey upTo) {
    List<String> found = new ArrayList<>();
    try (Cursor cursor = space.scanAll(after, upTo)) {
      while (cursor.next()) {
        found.add(
            text(cursor.hashKey()) + "/" + text(cursor.sortKey()) + "=" + text(cursor.value()));
      }
    }
    return found;
  }

  /**
   * Puts a record for each of {@code sortKeys} into the test's usual row, with the value {@code
   * "v"}.
   */
  default Space rowOf(String... sortKeys) {
    Space space = rows();
    for (String sortKey : sortKeys) {
      put(space, ROW, sortKey, "v");
    }
    return space;
  }

  /** Ends the test as not applicable where the engine lacks something. */
  default void assume(Capability capability) {
    Assumptions.assumeTrue(
        engine().capabilities().contains(capability),
        () -> engine().description() + " has no " + capability);
  }

  /** Runs a transaction over any rows that returns nothing. */
  default void atomically(Runnable work) {
    engine()
        .<@Nullable Void>atomically(
            () -> {
              work.run();
              return null;
            });
  }

  /** What a transaction that returns nothing does. */
  @FunctionalInterface
  interface RowChange {
    void make(Row row);
  }
}
