package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One space and its model, through random operations of one seed. */
final class ModelRun {
  private static final String NAME = "model";
  private static final List<String> HASH_KEYS = List.of("", "\0", "\1", "\1\0", "\1\0\0", "\377");
  private static final List<String> SORT_KEYS =
      List.of("", "\0", "\0\0", "\0\377", "a", "a\0", "ab", "b", "\377", "\377\0", "\377\377");

  private final EngineUnderTest test;
  private final Layout layout;
  private final Random random;
  private final SpaceModel model = new SpaceModel();
  private Space space;
  private int writes;

  ModelRun(EngineUnderTest test, Layout layout, long seed) {
    this.test = test;
    this.layout = layout;
    this.random = new Random(seed);
    this.space = test.engine().create(EngineUnderTest.spec(NAME, layout));
  }

  void reopen() {
    test.reopen();
    space = Objects.requireNonNull(test.engine().open(NAME));
    compareAll();
  }

  /** Does one operation on both and compares what can be seen. */
  void step() {
    String hashKey = hashKey();
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> put(hashKey, blindSortKey());
      case 4, 5 -> delete(hashKey, blindSortKey());
      case 6 -> putAll();
      case 7 -> deleteAll();
      case 8, 9, 10, 11 -> transact(hashKey, random.nextInt(4) == 0);
      case 12, 13 -> compare(hashKey, sortKey());
      case 14 -> getAll();
      case 15, 16 -> scan(hashKey);
      case 17 -> compareAll();
      case 18, 19 -> count(hashKey);
      case 20, 21 -> test.clock().advanceMillis(random.nextInt(20));
      case 22 -> compareAll();
      default -> rare();
    }
  }

  private void rare() {
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        space.clear();
        model.clear();
      }
      case 2 -> {
        space = test.engine().reset(EngineUnderTest.spec(NAME, layout));
        model.clear();
      }
      case 3 -> {
        assertThat(test.engine().drop(NAME)).isTrue();
        space = test.engine().create(EngineUnderTest.spec(NAME, layout));
        model.clear();
      }
      default -> space = Objects.requireNonNull(test.engine().open(NAME));
    }
    compareAll();
  }

  private void put(String hashKey, String sortKey) {
    SpaceModel.Kept record = record(false);
    space.put(bytes(hashKey), bytes(sortKey), bytes(record.value()), record.expiryMillis());
    model.put(hashKey, sortKey, record);
    compare(hashKey, sortKey);
  }

  private void delete(String hashKey, String sortKey) {
    space.delete(bytes(hashKey), bytes(sortKey));
    model.delete(hashKey, sortKey);
    compare(hashKey, sortKey);
  }

  private void putAll() {
    List<RowRecord> records = new ArrayList<>();
    for (int i = random.nextInt(10); i > 0; i--) {
      String hashKey = hashKey();
      String sortKey = blindSortKey();
      SpaceModel.Kept record = record(false);
      records.add(
          new RowRecord(
              bytes(hashKey), bytes(sortKey), bytes(record.value()), record.expiryMillis()));
      model.put(hashKey, sortKey, record);
    }
    space.putAll(records);
  }

  private void deleteAll() {
    List<RecordKey> keys = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String hashKey = hashKey();
      String sortKey = blindSortKey();
      keys.add(EngineUnderTest.key(hashKey, sortKey));
      model.delete(hashKey, sortKey);
    }
    space.deleteAll(keys);
  }

  /** A few changes in one transaction, drawn before it: a transaction may run more than once. */
  private void transact(String hashKey, boolean fails) {
    List<Change> changes = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      String sortKey = sortKey();
      boolean counted = layout == Layout.ROWS && isCountedKey(sortKey);
      boolean deletes = random.nextInt(3) == 0;
      changes.add(new Change(sortKey, deletes ? null : record(counted)));
    }
    SortRange range = range();
    Direction direction = direction();
    RowTransaction<List<String>> transaction =
        row -> {
          changes.forEach(change -> change.make(row));
          if (fails) {
            throw new IllegalArgumentException("thrown on purpose");
          }
          return show(row.scan(range, direction, Integer.MAX_VALUE));
        };
    if (fails) {
      assertThatThrownBy(() -> space.transact(bytes(hashKey), transaction))
          .isInstanceOf(IllegalArgumentException.class);
    } else {
      List<String> seen = space.transact(bytes(hashKey), transaction);
      changes.forEach(change -> change.makeIn(model, hashKey));
      assertThat(seen)
          .isEqualTo(model.scan(hashKey, range, direction, Integer.MAX_VALUE, nowMillis()));
    }
    changes.forEach(change -> compare(hashKey, change.sortKey()));
  }

  /** A put, or a delete where there is no record. */
  private record Change(String sortKey, SpaceModel.@Nullable Kept record) {
    void make(Row row) {
      if (record == null) {
        row.delete(bytes(sortKey));
      } else if (record.counted()) {
        row.putCounted(bytes(sortKey), bytes(record.value()), record.expiryMillis());
      } else {
        row.put(bytes(sortKey), bytes(record.value()), record.expiryMillis());
      }
    }

    void makeIn(SpaceModel model, String hashKey) {
      if (record == null) {
        model.delete(hashKey, sortKey);
      } else {
        model.put(hashKey, sortKey, record);
      }
    }
  }

  private void getAll() {
    List<RecordKey> keys = new ArrayList<>();
    List<@Nullable String> expected = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      String hashKey = hashKey();
      String sortKey = sortKey();
      keys.add(EngineUnderTest.key(hashKey, sortKey));
      expected.add(expected(hashKey, sortKey));
    }
    assertThat(space.getAll(keys).stream().map(ModelRun::show)).isEqualTo(expected);
  }

  private void scan(String hashKey) {
    SortRange range = range();
    Direction direction = direction();
    int limit = random.nextInt(12);
    List<String> seen = new ArrayList<>();
    try (Cursor cursor = space.scan(bytes(hashKey), range, direction, limit)) {
      while (cursor.next()) {
        seen.add(
            SpaceModel.show(text(cursor.sortKey()), text(cursor.value()), cursor.expiryMillis()));
      }
    }
    assertThat(seen).isEqualTo(model.scan(hashKey, range, direction, limit, nowMillis()));
  }

  private void count(String hashKey) {
    if (layout == Layout.ENTRIES) {
      return;
    }
    boolean exact = test.engine().capabilities().contains(Capability.EXACT_COUNTS);
    long least = model.count(hashKey, nowMillis());
    long most = exact ? least : model.count(hashKey, Long.MIN_VALUE);
    assertThat(space.count(bytes(hashKey))).isBetween(least, most);
    assertThat(space.transact(bytes(hashKey), Row::count)).isBetween(least, most);
  }

  private void compare(String hashKey, String sortKey) {
    assertThat(show(space.get(bytes(hashKey), bytes(sortKey))))
        .isEqualTo(expected(hashKey, sortKey));
  }

  private void compareAll() {
    List<String> seen = new ArrayList<>();
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        String record =
            SpaceModel.show(text(cursor.sortKey()), text(cursor.value()), cursor.expiryMillis());
        seen.add(text(cursor.hashKey()) + "/" + record);
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(model.scanAll(nowMillis()));
  }

  private @Nullable String expected(String hashKey, String sortKey) {
    SpaceModel.Kept record = model.get(hashKey, sortKey, nowMillis());
    return record == null ? null : SpaceModel.show(sortKey, record.value(), record.expiryMillis());
  }

  private static @Nullable String show(@Nullable RowRecord record) {
    return record == null
        ? null
        : SpaceModel.show(text(record.sortKey()), text(record.value()), record.expiryMillis());
  }

  private static List<String> show(List<RowRecord> records) {
    return records.stream().map(record -> Objects.requireNonNull(show(record))).toList();
  }

  private long nowMillis() {
    return test.clock().millis();
  }

  private String hashKey() {
    return HASH_KEYS.get(random.nextInt(HASH_KEYS.size()));
  }

  private String sortKey() {
    return layout == Layout.ENTRIES ? "" : SORT_KEYS.get(random.nextInt(SORT_KEYS.size()));
  }

  /** Counted records are written in transactions alone, so these keys are theirs. */
  private static boolean isCountedKey(String sortKey) {
    return SORT_KEYS.indexOf(sortKey) % 2 == 1;
  }

  private String blindSortKey() {
    String sortKey = sortKey();
    while (isCountedKey(sortKey)) {
      sortKey = sortKey();
    }
    return sortKey;
  }

  private SpaceModel.Kept record(boolean counted) {
    long expiryMillis = random.nextBoolean() ? Expiry.NEVER : nowMillis() - 2 + random.nextInt(60);
    String value = "v" + writes++ + "x".repeat(random.nextInt(20));
    return new SpaceModel.Kept(value, expiryMillis, counted);
  }

  private Direction direction() {
    return random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
  }

  private SortRange range() {
    SortRange range = SortRange.all();
    if (random.nextInt(3) == 0) {
      range = SortRange.prefix(bytes(anySortKey()));
    }
    if (random.nextInt(3) == 0) {
      range = range.from(bytes(anySortKey()), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      range = range.to(bytes(anySortKey()), random.nextBoolean());
    }
    return range;
  }

  private String anySortKey() {
    return SORT_KEYS.get(random.nextInt(SORT_KEYS.size()));
  }
}
