package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.text;
import static io.rockpool.testing.Threads.CONTENDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Row transactions are serial, with each other and with every other write of their row. */
interface ContentionContract extends EngineUnderTest {
  /** How often each thread changes something in one test. */
  int CHANGES = 250;

  private static long number(Row row, String sortKey) {
    RowRecord record = row.get(bytes(sortKey));
    return record == null ? 0 : Long.parseLong(text(record.value()));
  }

  private static void add(Row row, String sortKey, long delta) {
    byte[] sum = bytes(Long.toString(number(row, sortKey) + delta));
    row.put(bytes(sortKey), sum, Expiry.NEVER);
  }

  /** Whether the record at "a" was {@code expected}, and is {@code next} now. */
  private boolean compareAndSet(Space space, String hashKey, long expected, long next) {
    return space.transact(
        bytes(hashKey),
        row -> {
          if (number(row, "") != expected) {
            return false;
          }
          row.put(Space.NO_SORT_KEY, bytes(Long.toString(next)), Expiry.NEVER);
          return true;
        });
  }

  private long number(Space space, String hashKey, String sortKey) {
    String found = get(space, hashKey, sortKey);
    return found == null ? 0 : Long.parseLong(found);
  }

  @Test
  default void compareAndSetOfOneRecordIsExact() throws Exception {
    for (Space space : spaces()) {
      Threads.run(
          CONTENDERS,
          thread -> {
            for (int i = 0; i < CHANGES; i++) {
              long seen;
              do {
                seen = number(space, ROW, "");
              } while (!compareAndSet(space, ROW, seen, seen + thread + 1));
            }
          });
      assertThat(number(space, ROW, ""))
          .isEqualTo((long) CHANGES * CONTENDERS * (CONTENDERS + 1) / 2);
    }
  }

  @Test
  default void aWriteOverAnUnchangedRecordIsExact() throws Exception {
    for (Space space : spaces()) {
      Threads.run(
          CONTENDERS,
          thread -> {
            for (int i = 0; i < CHANGES; i++) {
              RowRecord seen;
              long next;
              do {
                seen = space.get(bytes(ROW), Space.NO_SORT_KEY);
                next = 1 + (seen == null ? 0 : Long.parseLong(text(seen.value())));
              } while (!replace(space, seen, bytes(Long.toString(next))));
            }
          });
      assertThat(number(space, ROW, "")).isEqualTo((long) CHANGES * CONTENDERS);
    }
  }

  private static boolean replace(Space space, @Nullable RowRecord expected, byte[] value) {
    return space.transact(
        bytes(ROW),
        row -> {
          boolean unchanged = row.isUnchanged(Space.NO_SORT_KEY, expected);
          if (unchanged) {
            row.put(Space.NO_SORT_KEY, value, Expiry.NEVER);
          }
          return unchanged;
        });
  }

  @Test
  default void sumsOfManyRowsAreExact() throws Exception {
    int rows = 5;
    for (Space space : spaces()) {
      Threads.run(
          CONTENDERS,
          thread -> {
            for (int i = 0; i < CHANGES; i++) {
              change(space, "row" + (i + thread) % rows, row -> add(row, "", 1));
            }
          });
      long sum = 0;
      for (int i = 0; i < rows; i++) {
        sum += number(space, "row" + i, "");
      }
      assertThat(sum).isEqualTo((long) CHANGES * CONTENDERS);
    }
  }

  @Test
  default void allOfATransactionIsSeenOrNothing() throws Exception {
    Space space = rows();
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        CONTENDERS,
        thread -> {
          try {
            for (int i = 0; thread < 4 ? i < CHANGES : !done.get(); i++) {
              if (thread < 4) {
                change(
                    space,
                    ROW,
                    row -> {
                      add(row, "a", 1);
                      add(row, "b", -1);
                    });
              } else {
                long sum = space.transact(bytes(ROW), row -> number(row, "a") + number(row, "b"));
                assertThat(sum).isZero();
                long scanned =
                    space.transact(
                        bytes(ROW),
                        row ->
                            row.scan(SortRange.all(), Direction.FORWARD, 9).stream()
                                .mapToLong(record -> Long.parseLong(text(record.value())))
                                .sum());
                assertThat(scanned).isZero();
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
    assertThat(number(space, ROW, "a")).isEqualTo(4L * CHANGES);
    assertThat(number(space, ROW, "b")).isEqualTo(-4L * CHANGES);
  }

  /**
   * Two transactions that each read what the other writes: one of them must have seen the other.
   */
  @Test
  default void whatWasScannedStaysTrueUntilTheCommit() throws Exception {
    Space space = rows();
    for (int round = 0; round < 100; round++) {
      String hashKey = "row" + round;
      Threads.run(
          2,
          thread ->
              change(
                  space,
                  hashKey,
                  row -> {
                    if (row.scan(SortRange.all(), Direction.FORWARD, 1).isEmpty()) {
                      row.put(bytes("by" + thread), bytes("v"), Expiry.NEVER);
                    }
                  }));
      assertThat(scan(space, hashKey)).hasSize(1);
    }
  }

  @Test
  default void whatWasCountedStaysTrueUntilTheCommit() throws Exception {
    Space space = rows();
    Threads.run(
        CONTENDERS,
        thread -> {
          for (int i = 0; i < CHANGES / 5; i++) {
            change(
                space,
                ROW,
                row -> row.putCounted(bytes("at" + row.count()), bytes("v"), Expiry.NEVER));
          }
        });
    assertThat(space.count(bytes(ROW))).isEqualTo((long) CONTENDERS * (CHANGES / 5));
    assertThat(scan(space, ROW)).hasSize(CONTENDERS * (CHANGES / 5));
  }

  /**
   * A transaction that writes back what it read must never undo a blind put that came in between.
   */
  @Test
  default void aBlindPutIsNotLostToATransaction() throws Exception {
    for (Space space : spaces()) {
      AtomicBoolean done = new AtomicBoolean();
      Threads.run(
          CONTENDERS,
          thread -> {
            try {
              for (int i = 1; thread == 0 ? i <= CHANGES : !done.get(); i++) {
                if (thread == 0) {
                  put(space, ROW, "", Integer.toString(i));
                  assertThat(number(space, ROW, "")).isEqualTo(i);
                } else {
                  change(space, ROW, row -> add(row, "", 0));
                }
              }
            } finally {
              if (thread == 0) {
                done.set(true);
              }
            }
          });
      assertThat(number(space, ROW, "")).isEqualTo(CHANGES);
    }
  }

  @Test
  default void aBlindDeleteIsNotLostToATransaction() throws Exception {
    for (Space space : spaces()) {
      AtomicBoolean done = new AtomicBoolean();
      Threads.run(
          4,
          thread -> {
            try {
              for (int i = 1; thread == 0 ? i <= CHANGES : !done.get(); i++) {
                if (thread == 0) {
                  put(space, ROW, "", Integer.toString(i));
                  space.delete(bytes(ROW), Space.NO_SORT_KEY);
                  assertThat(get(space, ROW, "")).isNull();
                } else {
                  change(
                      space,
                      ROW,
                      row -> {
                        RowRecord there = row.get(Space.NO_SORT_KEY);
                        if (there != null) {
                          row.put(Space.NO_SORT_KEY, there.value(), Expiry.NEVER);
                        }
                      });
                }
              }
            } finally {
              if (thread == 0) {
                done.set(true);
              }
            }
          });
      assertThat(get(space, ROW, "")).isNull();
    }
  }

  @Test
  default void blindPutsOfManyThreadsAllArrive() throws Exception {
    Space space = rows();
    Threads.run(
        CONTENDERS,
        thread -> {
          for (int i = 0; i < CHANGES; i++) {
            put(space, "row" + i % 3, thread + "-" + i, "v");
          }
        });
    assertThat(scanAll(space)).hasSize(CONTENDERS * CHANGES);
  }

  @Test
  default void countsOfContendedRowsAreExact() throws Exception {
    Space space = rows();
    Threads.run(
        CONTENDERS,
        thread -> {
          for (int i = 0; i < CHANGES; i++) {
            byte[] sortKey = bytes("k" + (i * 7 + thread) % 20);
            int kind = (i + thread) % 3;
            change(
                space,
                ROW,
                row -> {
                  if (kind == 0) {
                    row.delete(sortKey);
                  } else {
                    row.putCounted(sortKey, bytes("v"), Expiry.NEVER);
                  }
                });
          }
        });
    assertThat(space.count(bytes(ROW))).isEqualTo(scan(space, ROW).size());
  }

  /**
   * A clear takes all of a transaction or nothing of it, and no transaction carries anything over
   * it.
   */
  @Test
  default void clearIsSerialWithTransactions() throws Exception {
    Space space = rows();
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        4,
        thread -> {
          try {
            for (int i = 0; thread == 0 ? i < CHANGES : !done.get(); i++) {
              if (thread == 0) {
                space.clear();
              } else {
                change(
                    space,
                    ROW,
                    row -> {
                      assertThat(number(row, "a")).isEqualTo(number(row, "b"));
                      assertThat(row.count()).isEqualTo(row.get(bytes("c")) == null ? 0 : 1);
                      add(row, "a", 1);
                      add(row, "b", 1);
                      row.putCounted(bytes("c"), bytes("v"), Expiry.NEVER);
                    });
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
    assertThat(get(space, ROW, "a")).isEqualTo(get(space, ROW, "b"));
    assertThat(space.count(bytes(ROW))).isEqualTo(get(space, ROW, "c") == null ? 0 : 1);
    space.clear();
    assertThat(space.count(bytes(ROW))).isZero();
    assertThat(scanAll(space)).isEmpty();
  }
}
