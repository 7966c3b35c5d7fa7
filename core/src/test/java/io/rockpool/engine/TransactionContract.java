package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.prefix;
import static io.rockpool.engine.EngineUnderTest.range;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Row transactions, one at a time. */
interface TransactionContract extends EngineUnderTest {
  @Test
  default void aTransactionReturnsWhatItsFunctionReturns() {
    put(rows(), ROW, "a", "1");
    assertThat(rows().<String>transact(bytes(ROW), row -> "got " + value(row.get(bytes("a")))))
        .isEqualTo("got 1");
    assertThat(rows().<@Nullable String>transact(bytes(ROW), row -> null)).isNull();
  }

  @Test
  default void allChangesAreMade() {
    Space space = rowOf("a", "b");
    change(
        space,
        ROW,
        row -> {
          row.put(bytes("a"), bytes("new"), Expiry.NEVER);
          row.delete(bytes("b"));
          row.putCounted(bytes("c"), bytes("counted"), Expiry.NEVER);
        });
    assertThat(scanAll(space)).containsExactly("row/a=new", "row/c=counted");
    assertThat(space.count(bytes(ROW))).isEqualTo(1);
  }

  @Test
  default void noChangeIsMadeIfItThrows() {
    Space space = rowOf("a", "b");
    for (Throwable failure : List.of(new RuntimeException("no"), new AssertionError("no"))) {
      assertThatThrownBy(
              () ->
                  change(
                      space,
                      ROW,
                      row -> {
                        row.put(bytes("a"), bytes("new"), Expiry.NEVER);
                        row.putCounted(bytes("c"), bytes("new"), Expiry.NEVER);
                        row.delete(bytes("b"));
                        if (failure instanceof Error error) {
                          throw error;
                        }
                        throw (RuntimeException) failure;
                      }))
          .isSameAs(failure);
      assertThat(scanAll(space)).containsExactly("row/a=v", "row/b=v");
      assertThat(space.count(bytes(ROW))).isZero();
    }
    change(space, ROW, row -> row.put(bytes("a"), bytes("later"), Expiry.NEVER));
    assertThat(get(space, ROW, "a")).isEqualTo("later");
  }

  @Test
  default void aRecordIsComparedWithAnEarlierRead() {
    Space space = rowOf("a");
    RowRecord read = Objects.requireNonNull(space.get(bytes(ROW), bytes("a")));
    assertUnchanged(space, read, true);
    assertUnchanged(space, null, false);
    put(space, ROW, "a", "v");
    assertUnchanged(space, read, true);
    put(space, ROW, "a", "w");
    assertUnchanged(space, read, false);
    space.put(bytes(ROW), bytes("a"), bytes("v"), clock().millis() + 1_000);
    assertUnchanged(space, read, false);
    RowRecord expiring = Objects.requireNonNull(space.get(bytes(ROW), bytes("a")));
    assertUnchanged(space, expiring, true);
    clock().advanceMillis(1_000);
    assertUnchanged(space, expiring, false);
    assertUnchanged(space, null, true);
    put(space, ROW, "a", "v");
    assertUnchanged(space, read, true);
    space.delete(bytes(ROW), bytes("a"));
    assertUnchanged(space, read, false);
    assertUnchanged(space, null, true);
  }

  private void assertUnchanged(Space space, @Nullable RowRecord expected, boolean unchanged) {
    RowTransaction<Boolean> compare = row -> row.isUnchanged(bytes("a"), expected);
    assertThat(space.transact(bytes(ROW), compare)).isEqualTo(unchanged);
    if (engine().capabilities().contains(Capability.MULTI_ROW_TRANSACTIONS)) {
      assertThat(engine().atomically(() -> space.transact(bytes(ROW), compare)))
          .isEqualTo(unchanged);
    }
  }

  @Test
  default void aComparisonSeesTheChangesOfItsTransaction() {
    Space space = rowOf("a");
    RowRecord read = space.get(bytes(ROW), bytes("a"));
    change(
        space,
        ROW,
        row -> {
          row.put(bytes("a"), bytes("w"), Expiry.NEVER);
          assertThat(row.isUnchanged(bytes("a"), read)).isFalse();
          row.put(bytes("a"), bytes("v"), Expiry.NEVER);
          assertThat(row.isUnchanged(bytes("a"), read)).isTrue();
          row.delete(bytes("a"));
          assertThat(row.isUnchanged(bytes("a"), read)).isFalse();
          assertThat(row.isUnchanged(bytes("a"), null)).isTrue();
        });
  }

  @Test
  default void manyRecordsAreReadAtOnce() {
    Space space = rowOf("a", "b", "c");
    change(
        space,
        ROW,
        row -> {
          row.put(bytes("b"), bytes("new"), Expiry.NEVER);
          row.delete(bytes("c"));
          row.putCounted(bytes("d"), bytes("added"), Expiry.NEVER);
          assertThat(values(row, "x", "d", "a", "b", "a", "c", "x"))
              .containsExactly(null, "added", "v", "new", "v", null, null);
        });
    assertThat(scanAll(space)).containsExactly("row/a=v", "row/b=new", "row/d=added");
    assertThat(space.count(bytes(ROW))).isEqualTo(1);
  }

  @Test
  default void manyRecordsAreReadAndChangedWhereverOthersLie() {
    for (String stored : List.of("nowhere", "k0500", "k0500x", "z")) {
      Space space = rows();
      space.clear();
      put(space, ROW, stored, "old");
      String[] keys =
          IntStream.range(0, 1500)
              .mapToObj(i -> String.format(Locale.ROOT, "k%04d", i))
              .toArray(String[]::new);
      change(
          space,
          ROW,
          row -> {
            assertThat(values(row, keys).stream().filter("old"::equals).count())
                .isEqualTo(stored.equals("k0500") ? 1 : 0);
            for (String key : keys) {
              row.putCounted(bytes(key), bytes("new"), Expiry.NEVER);
            }
            assertThat(values(row, keys)).hasSize(1500).containsOnly("new");
          });
      change(space, ROW, row -> assertThat(values(row, keys)).containsOnly("new"));
      assertThat(space.count(bytes(ROW))).isEqualTo(1500);
    }
  }

  private List<@Nullable String> values(Row row, String... keys) {
    List<@Nullable String> values = new ArrayList<>();
    row.getAll(Stream.of(keys).map(EngineUnderTest::bytes).toList())
        .forEach(record -> values.add(value(record)));
    return values;
  }

  @Test
  default void itReadsItsOwnChanges() {
    Space space = rowOf("a", "b");
    change(
        space,
        ROW,
        row -> {
          row.put(bytes("a"), bytes("2"), Expiry.NEVER);
          assertThat(value(row.get(bytes("a")))).isEqualTo("2");
          row.put(bytes("a"), bytes("3"), Expiry.NEVER);
          assertThat(value(row.get(bytes("a")))).isEqualTo("3");
          row.delete(bytes("a"));
          assertThat(row.get(bytes("a"))).isNull();
          row.put(bytes("a"), bytes("4"), Expiry.NEVER);
          assertThat(value(row.get(bytes("a")))).isEqualTo("4");
          row.delete(bytes("b"));
          row.delete(bytes("never there"));
          assertThat(row.get(bytes("b"))).isNull();
          assertThat(row.get(bytes("c"))).isNull();
        });
    assertThat(scanAll(space)).containsExactly("row/a=4");
  }

  @Test
  default void itsScansShowItsOwnChanges() {
    Space space = rowOf("b", "d", "f", "h");
    change(
        space,
        ROW,
        row -> {
          row.put(bytes("a"), bytes("new"), Expiry.NEVER);
          row.put(bytes("d"), bytes("new"), Expiry.NEVER);
          row.put(bytes("e"), bytes("new"), Expiry.NEVER);
          row.delete(bytes("f"));
          row.put(bytes("g"), bytes("gone"), Expiry.NEVER);
          row.delete(bytes("g"));
          row.put(bytes("i"), bytes("new"), Expiry.NEVER);

          assertThat(shown(row, SortRange.all(), Direction.FORWARD, 100))
              .containsExactly("a=new", "b=v", "d=new", "e=new", "h=v", "i=new");
          assertThat(shown(row, SortRange.all(), Direction.BACKWARD, 100))
              .containsExactly("i=new", "h=v", "e=new", "d=new", "b=v", "a=new");
          assertThat(shown(row, SortRange.all(), Direction.FORWARD, 4))
              .containsExactly("a=new", "b=v", "d=new", "e=new");
          assertThat(shown(row, SortRange.all(), Direction.BACKWARD, 4))
              .containsExactly("i=new", "h=v", "e=new", "d=new");
          assertThat(shown(row, range("b", "h"), Direction.FORWARD, 2))
              .containsExactly("b=v", "d=new");
          assertThat(shown(row, range("b", "h"), Direction.BACKWARD, 2))
              .containsExactly("e=new", "d=new");
          assertThat(shown(row, range("f", "h"), Direction.FORWARD, 100)).isEmpty();
          assertThat(shown(row, prefix("e"), Direction.BACKWARD, 100)).containsExactly("e=new");
          assertThat(shown(row, SortRange.all(), Direction.FORWARD, 0)).isEmpty();
        });
  }

  private List<String> shown(Row row, SortRange range, Direction direction, int limit) {
    return row.scan(range, direction, limit).stream()
        .map(record -> text(record.sortKey()) + "=" + text(record.value()))
        .toList();
  }

  @Test
  default void itsRecordsNameTheirPlace() {
    put(rows(), ROW, "a", "1");
    change(
        rows(),
        ROW,
        row -> {
          row.put(bytes("b"), bytes("2"), Expiry.NEVER);
          for (RowRecord record : row.scan(SortRange.all(), Direction.FORWARD, 9)) {
            assertThat(text(record.hashKey())).isEqualTo(ROW);
            RowRecord same = row.get(record.sortKey());
            assertThat(same).isNotNull();
            assertThat(value(same)).isEqualTo(value(record));
          }
        });
  }

  @Test
  default void itSeesOneRowAlone() {
    Space space = rows();
    put(space, "ro", "wa", "1");
    put(space, "row", "a", "2");
    put(space, "rowa", "", "3");
    change(
        space,
        "row",
        row -> {
          assertThat(shown(row, SortRange.all(), Direction.FORWARD, 9)).containsExactly("a=2");
          assertThat(shown(row, SortRange.all(), Direction.BACKWARD, 9)).containsExactly("a=2");
          row.put(bytes("b"), bytes("4"), Expiry.NEVER);
        });
    assertThat(scanAll(space))
        .containsExactlyInAnyOrder("ro/wa=1", "row/a=2", "row/b=4", "rowa/=3");
  }

  @Test
  default void itMayOnlyRead() {
    Space space = rowOf("a");
    change(space, ROW, row -> row.get(bytes("a")));
    change(space, ROW, row -> {});
    assertThat(scanAll(space)).containsExactly("row/a=v");
  }

  @Test
  default void itTakesMoreRecordsThanAPage() {
    int count = 3 * Limits.MAX_PAGE_RECORDS + 1;
    change(
        rows(),
        ROW,
        row -> {
          for (int i = 0; i < count; i++) {
            row.putCounted(bytes(String.format(Locale.ROOT, "%06d", i)), bytes("v"), Expiry.NEVER);
          }
        });
    assertThat(rows().count(bytes(ROW))).isEqualTo(count);
    change(
        rows(),
        ROW,
        row -> {
          for (Direction direction : Direction.values()) {
            assertThat(row.scan(SortRange.all(), direction, Integer.MAX_VALUE)).hasSize(count);
          }
          row.scan(SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)
              .forEach(record -> row.delete(record.sortKey()));
          assertThat(row.scan(SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)).isEmpty();
        });
    assertThat(scan(rows(), ROW)).isEmpty();
    assertThat(rows().count(bytes(ROW))).isZero();
  }

  @Test
  default void anotherTransactionInsideIsRefused() {
    Space space = rows();
    Space other = engine().create(EngineUnderTest.spec("other", Layout.ROWS));
    for (Space inner : List.of(space, other)) {
      for (String hashKey : List.of(ROW, "another row")) {
        assertThatThrownBy(
                () ->
                    change(
                        space,
                        ROW,
                        row -> {
                          row.put(bytes("a"), bytes("1"), Expiry.NEVER);
                          change(inner, hashKey, r -> r.put(bytes("b"), bytes("2"), Expiry.NEVER));
                        }))
            .isInstanceOf(IllegalStateException.class);
      }
    }
    assertThat(scanAll(space)).isEmpty();
    assertThat(scanAll(other)).isEmpty();
    putCounted(space, ROW, "a", "1");
    assertThat(get(space, ROW, "a")).isEqualTo("1");
  }

  @Test
  default void theRowIsOfNoUseAfterTheRun() {
    Space space = rowOf("a");
    AtomicReference<Row> escaped = new AtomicReference<>();
    change(space, ROW, escaped::set);
    assertRefused(escaped.get());

    assertThatThrownBy(
            () ->
                change(
                    space,
                    ROW,
                    row -> {
                      escaped.set(row);
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertRefused(escaped.get());
    assertThat(scanAll(space)).containsExactly("row/a=v");
  }

  private void assertRefused(Row row) {
    List<Runnable> operations =
        List.of(
            () -> row.get(bytes("a")),
            () -> row.isUnchanged(bytes("a"), null),
            () -> row.scan(SortRange.all(), Direction.FORWARD, 1),
            row::count,
            () -> row.put(bytes("a"), bytes("late"), Expiry.NEVER),
            () -> row.putCounted(bytes("a"), bytes("late"), Expiry.NEVER),
            () -> row.delete(bytes("a")));
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  default void entriesHaveTransactionsToo() {
    Space space = entries();
    put(space, "other", "", "kept");
    assertThat(
            space.<@Nullable String>transact(
                bytes(ROW),
                row -> {
                  String before = value(row.get(Space.NO_SORT_KEY));
                  row.put(Space.NO_SORT_KEY, bytes("1"), Expiry.NEVER);
                  assertThat(shown(row, SortRange.all(), Direction.FORWARD, 9))
                      .containsExactly("=1");
                  return before;
                }))
        .isNull();
    assertThat(get(space, ROW, "")).isEqualTo("1");

    long expiryMillis = clock().millis() + 1;
    change(space, ROW, row -> row.put(Space.NO_SORT_KEY, bytes("2"), expiryMillis));
    assertThat(get(space, ROW, "")).isEqualTo("2");
    clock().setMillis(expiryMillis);
    change(space, ROW, row -> assertThat(row.get(Space.NO_SORT_KEY)).isNull());

    change(space, "other", row -> row.delete(Space.NO_SORT_KEY));
    assertThat(scanAll(space)).isEmpty();
  }

  @Test
  default void scansOfATransactionRefuseANegativeLimit() {
    assertThatThrownBy(
            () -> change(entries(), ROW, row -> row.scan(SortRange.all(), Direction.FORWARD, -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
