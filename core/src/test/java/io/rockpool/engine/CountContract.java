package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The count of a row stays true whatever happens to its counted records. */
interface CountContract extends EngineUnderTest {
  private long count() {
    return rows().count(bytes(ROW));
  }

  /**
   * The count as read outside and inside of a transaction; {@code live} plus at most {@code
   * expired}.
   */
  private void assertCount(long live, long expired) {
    long most = engine().capabilities().contains(Capability.EXACT_COUNTS) ? live : live + expired;
    assertThat(count()).isBetween(live, most);
    assertThat(rows().transact(bytes(ROW), Row::count)).isBetween(live, most);
  }

  @Test
  default void aRowThatIsNotThereCountsZero() {
    assertCount(0, 0);
  }

  @Test
  default void onlyCountedPutsCount() {
    put(rows(), ROW, "blind", "v");
    change(rows(), ROW, row -> row.put(bytes("plain"), bytes("v"), Expiry.NEVER));
    putCounted(rows(), ROW, "a", "v");
    putCounted(rows(), ROW, "b", "v");
    putCounted(rows(), "other row", "c", "v");
    assertCount(2, 0);
  }

  @Test
  default void anInsertedRecordIsOneThatWasPut() {
    change(
        rows(),
        ROW,
        row -> {
          row.insert(bytes("a"), bytes("1"), Expiry.NEVER, true);
          row.insert(bytes("b"), bytes("2"), Expiry.NEVER, false);
          assertThat(row.get(bytes("a")).value()).isEqualTo(bytes("1"));
          assertThat(row.count()).isEqualTo(1);
        });
    assertThat(get(rows(), ROW, "a")).isEqualTo("1");
    assertThat(get(rows(), ROW, "b")).isEqualTo("2");
    assertCount(1, 0);
  }

  @Test
  default void aCountedPutOverAnythingCountsOnce() {
    putCounted(rows(), ROW, "a", "1");
    putCounted(rows(), ROW, "a", "2");
    assertCount(1, 0);
    put(rows(), ROW, "b", "1");
    putCounted(rows(), ROW, "b", "2");
    assertCount(2, 0);
  }

  @Test
  default void anUncountedPutOverACountedRecordUncountsIt() {
    putCounted(rows(), ROW, "a", "1");
    change(rows(), ROW, row -> row.put(bytes("a"), bytes("2"), Expiry.NEVER));
    assertCount(0, 0);
    assertThat(get(rows(), ROW, "a")).isEqualTo("2");
    change(rows(), ROW, row -> row.delete(bytes("a")));
    assertCount(0, 0);
  }

  /** An engine may look at what its many puts replace when the count is needed, and not before. */
  @Test
  default void manyChangesInOneTransactionCount() {
    Random random = new Random(1);
    Map<Integer, Boolean> counted = new HashMap<>();
    for (int round = 0; round < 40; round++) {
      int keys = round % 2 == 0 ? 1_000 : 100;
      List<Integer> draws = random.ints(150, 0, keys * 8).boxed().toList();
      Map<Integer, Boolean> after =
          rows()
              .transact(
                  bytes(ROW),
                  row -> {
                    Map<Integer, Boolean> model = new HashMap<>(counted);
                    draws.forEach(draw -> change(row, draw / 8, draw % 8, model));
                    return model;
                  });
      counted.clear();
      counted.putAll(after);
      assertCount(countedIn(counted), 0);
    }
  }

  private static long countedIn(Map<Integer, Boolean> model) {
    return model.values().stream().filter(isCounted -> isCounted).count();
  }

  private static void change(Row row, int key, int what, Map<Integer, Boolean> model) {
    byte[] sortKey = bytes(String.format(Locale.ROOT, "k%04d", key));
    switch (what) {
      case 0 -> {
        row.delete(sortKey);
        model.remove(key);
      }
      case 1 -> {
        row.put(sortKey, bytes("v"), Expiry.NEVER);
        model.put(key, false);
      }
      case 2 -> assertThat(row.get(sortKey) != null).isEqualTo(model.containsKey(key));
      case 3 -> {
        if (key % 50 == 0) {
          assertThat(row.count()).isEqualTo(countedIn(model));
        }
      }
      default -> {
        row.putCounted(sortKey, bytes("v"), Expiry.NEVER);
        model.put(key, true);
      }
    }
  }

  @Test
  default void aDeleteUncountsOnlyWhatCounted() {
    putCounted(rows(), ROW, "a", "v");
    putCounted(rows(), ROW, "b", "v");
    put(rows(), ROW, "c", "v");
    change(
        rows(),
        ROW,
        row -> {
          row.delete(bytes("a"));
          row.delete(bytes("c"));
          row.delete(bytes("never there"));
        });
    assertCount(1, 0);
    change(rows(), ROW, row -> row.delete(bytes("a")));
    assertCount(1, 0);
  }

  @Test
  default void manyChangesOfOneRecordInOneTransaction() {
    putCounted(rows(), ROW, "a", "v");
    change(
        rows(),
        ROW,
        row -> {
          assertThat(row.count()).isEqualTo(1);
          row.delete(bytes("a"));
          assertThat(row.count()).isZero();
          row.putCounted(bytes("a"), bytes("1"), Expiry.NEVER);
          row.putCounted(bytes("a"), bytes("2"), Expiry.NEVER);
          assertThat(row.count()).isEqualTo(1);
          row.put(bytes("a"), bytes("3"), Expiry.NEVER);
          assertThat(row.count()).isZero();
          row.putCounted(bytes("b"), bytes("1"), Expiry.NEVER);
          row.delete(bytes("b"));
          row.delete(bytes("b"));
          assertThat(row.count()).isZero();
          row.putCounted(bytes("c"), bytes("1"), Expiry.NEVER);
          row.putCounted(bytes("a"), bytes("4"), Expiry.NEVER);
          assertThat(row.count()).isEqualTo(2);
        });
    assertCount(2, 0);
  }

  @Test
  default void aTransactionThatThrowsCountsNothing() {
    putCounted(rows(), ROW, "a", "v");
    assertThatThrownBy(
            () ->
                change(
                    rows(),
                    ROW,
                    row -> {
                      row.putCounted(bytes("b"), bytes("v"), Expiry.NEVER);
                      row.delete(bytes("a"));
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertCount(1, 0);
  }

  @Test
  default void expiredRecordsCountAtMostUntilSwept() {
    long start = clock().millis();
    for (int i = 1; i <= 5; i++) {
      putCounted(rows(), ROW, "r" + i, "v", start + i);
    }
    putCounted(rows(), ROW, "forever", "v");
    for (int i = 0; i <= 5; i++) {
      clock().setMillis(start + i);
      assertCount(6 - i, i);
    }
  }

  @Test
  default void whatReplacesOrDeletesAnExpiredCountedRecordCountsAsItShould() {
    long start = clock().millis();
    for (String sortKey : List.of("counted", "plain", "deleted")) {
      putCounted(rows(), ROW, sortKey, "1", start + 1);
    }
    clock().setMillis(start + 1);
    putCounted(rows(), ROW, "counted", "2");
    change(rows(), ROW, row -> row.put(bytes("plain"), bytes("2"), Expiry.NEVER));
    change(rows(), ROW, row -> row.delete(bytes("deleted")));
    assertCount(1, 0);
  }

  @Test
  default void aCountedPutThatHasExpiredAlreadyCountsAtMostUntilSwept() {
    putCounted(rows(), ROW, "a", "1", clock().millis());
    assertCount(0, 1);
    change(rows(), ROW, row -> row.delete(bytes("a")));
    assertCount(0, 0);
  }

  @Test
  default void clearCountsNothing() {
    putCounted(rows(), ROW, "a", "v");
    putCounted(rows(), ROW, "b", "v", clock().millis() + 5);
    rows().clear();
    assertCount(0, 0);
    putCounted(rows(), ROW, "a", "v");
    assertCount(1, 0);
    clock().advanceMillis(5);
    assertCount(1, 0);
  }

  @Test
  default void countsAreThereAfterReopening() {
    long start = clock().millis();
    putCounted(rows(), ROW, "a", "v");
    putCounted(rows(), ROW, "b", "v", start + 5);
    put(rows(), ROW, "c", "v");
    reopen();
    assertCount(2, 0);
    change(rows(), ROW, row -> row.delete(bytes("a")));
    clock().setMillis(start + 5);
    assertCount(0, 1);
  }

  @Test
  default void manyRandomChanges() {
    Random random = new Random(7);
    boolean[] counted = new boolean[50];
    for (int i = 0; i < 300; i++) {
      int which = random.nextInt(counted.length);
      byte[] sortKey = bytes("k" + which);
      int kind = random.nextInt(3);
      counted[which] = kind == 0;
      change(
          rows(),
          ROW,
          row -> {
            switch (kind) {
              case 0 -> row.putCounted(sortKey, bytes("v"), Expiry.NEVER);
              case 1 -> row.put(sortKey, bytes("v"), Expiry.NEVER);
              default -> row.delete(sortKey);
            }
          });
    }
    long expected = 0;
    for (boolean one : counted) {
      expected += one ? 1 : 0;
    }
    assertCount(expected, 0);
  }

  @Test
  default void entriesAreNotCounted() {
    Space space = entries();
    assertThatThrownBy(() -> space.count(bytes(ROW)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> change(space, ROW, Row::count))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> putCounted(space, ROW, "", "v"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(scanAll(space)).isEmpty();
  }
}
