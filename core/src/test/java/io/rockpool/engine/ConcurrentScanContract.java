package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Scans while the space changes: what stays is shown, once and in order; the rest may be shown or
 * not.
 */
interface ConcurrentScanContract extends EngineUnderTest {
  /** More than a page, so that an engine that reads by pages reads more than one. */
  int STABLE = Limits.MAX_PAGE_RECORDS + 500;

  private Space stable() {
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < STABLE; i++) {
      records.add(EngineUnderTest.record(ROW, String.format(Locale.ROOT, "%06d", i), "stable"));
    }
    rows().putAll(records);
    return rows();
  }

  @Test
  default void whatStaysIsShownOnceAndInOrderWhileOthersWrite() throws Exception {
    Space space = stable();
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        3,
        thread -> {
          try {
            for (int i = 0; thread == 0 ? i < 6 : !done.get(); i++) {
              if (thread == 0) {
                assertShowsWhatStays(space, i);
              } else {
                String moving = String.format(Locale.ROOT, "%06d+%d", i * 31 % STABLE, thread);
                put(space, ROW, moving, "moving");
                space.delete(bytes(ROW), bytes(moving));
                change(space, ROW, row -> row.putCounted(bytes("counted"), bytes("v"), 0));
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
  }

  private void assertShowsWhatStays(Space space, int round) {
    List<Supplier<Cursor>> scans =
        List.of(
            () -> space.scan(bytes(ROW), SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE),
            () -> space.scan(bytes(ROW), SortRange.all(), Direction.BACKWARD, Integer.MAX_VALUE),
            () -> space.scanAll(null));
    boolean backward = round % 3 == 1;
    List<String> all = new ArrayList<>();
    int stable = 0;
    try (Cursor cursor = scans.get(round % 3).get()) {
      while (cursor.next()) {
        all.add(text(cursor.sortKey()));
        stable += text(cursor.value()).equals("stable") ? 1 : 0;
      }
    }
    assertThat(stable).isEqualTo(STABLE);
    assertThat(all).doesNotHaveDuplicates();
    for (int i = 1; i < all.size(); i++) {
      int order = all.get(i - 1).compareTo(all.get(i));
      assertThat(backward ? -order : order).isNegative();
    }
  }

  @Test
  default void aScanOverAClearShowsWhatWasThereOrEnds() {
    Space space = stable();
    try (Cursor forward = space.scanAll(null);
        Cursor backward =
            space.scan(bytes(ROW), SortRange.all(), Direction.BACKWARD, Integer.MAX_VALUE)) {
      assertThat(forward.next() && backward.next()).isTrue();
      space.clear();
      put(space, ROW, "late", "late");
      for (Cursor cursor : List.of(forward, backward)) {
        List<String> shown = new ArrayList<>();
        while (cursor.next()) {
          shown.add(text(cursor.sortKey()));
          assertThat(text(cursor.value())).isIn("stable", "late");
        }
        assertThat(shown).hasSizeLessThanOrEqualTo(STABLE).doesNotHaveDuplicates();
      }
    }
    assertThat(scanAll(space)).containsExactly("row/late=late");
  }

  @Test
  default void aScanThatBeginsAfterAClearShowsNothingOlder() throws Exception {
    Space space = rows();
    Threads.run(
        3,
        thread -> {
          for (int i = 0; i < 50; i++) {
            String sortKey = thread + "-" + i;
            put(space, ROW, sortKey, "v");
            if (thread == 0) {
              space.clear();
              assertThat(scan(space, ROW)).doesNotContain(sortKey);
            }
          }
        });
  }

  @Test
  default void aScanWhileTheScannedIsDeletedEnds() {
    Space space = stable();
    int shown = 0;
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        shown++;
        space.delete(cursor.hashKey(), cursor.sortKey());
      }
    }
    assertThat(shown).isEqualTo(STABLE);
    assertThat(scanAll(space)).isEmpty();
  }

  @Test
  default void aScanWhileTheScannedIsReplacedShowsEachOnce() {
    Space space = stable();
    int shown = 0;
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        shown++;
        put(space, text(cursor.hashKey()), text(cursor.sortKey()), "again");
      }
    }
    assertThat(shown).isEqualTo(STABLE);
  }

  @Test
  default void aScanOfEntriesWhileTheyAreReplacedShowsEachOnce() {
    Space space = entries();
    for (int i = 0; i < 200; i++) {
      put(space, "key" + i, "", "v");
    }
    List<String> shown = new ArrayList<>();
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        shown.add(text(cursor.hashKey()));
        put(space, text(cursor.hashKey()), "", "again");
      }
    }
    assertThat(shown).hasSize(200).doesNotHaveDuplicates();
  }
}
