package io.rockpool.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A walk in a transaction has about a megabyte of records in memory, however large each is. */
final class RowCursorTest {
  private static final byte[] ROW = {1};
  private static final int RECORDS = 120;
  private static final int LARGE = 300_000;

  /** A row that notes how many records each page of a walk has. */
  private static final class NotingRow extends ForwardingRow {
    private final Row row;
    private final List<Integer> pages = new ArrayList<>();

    NotingRow(Row row) {
      this.row = row;
    }

    @Override
    protected Row row() {
      return row;
    }

    @Override
    public Page page(SortRange range, Direction direction, int limit, long maxBytes) {
      Page page = super.page(range, direction, limit, maxBytes);
      if (limit > 0) {
        pages.add(page.records().size());
      }
      return page;
    }
  }

  private static List<Integer> pages(int valueBytes) {
    try (MemoryEngine engine = MemoryEngine.builder().build()) {
      Space space = engine.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
      for (int i = 0; i < RECORDS; i++) {
        space.put(ROW, new byte[] {(byte) i}, new byte[valueBytes], Expiry.NEVER);
      }
      return space.transact(
          ROW,
          row -> {
            NotingRow noting = new NotingRow(row);
            JoinedSpace joined = new JoinedSpace(any -> noting, new TransactionNotes(), () -> {});
            try (Cursor cursor =
                joined.scan(ROW, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)) {
              for (int i = 0; i < RECORDS; i++) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.sortKey()).containsExactly(i);
              }
              assertThat(cursor.next()).isFalse();
            }
            return noting.pages;
          });
    }
  }

  @Test
  void aPageHasFewLargeRecords() {
    assertThat(pages(LARGE)).hasSize(RECORDS / 4).allMatch(records -> records <= 4);
  }

  @Test
  void aPageHasManySmallRecords() {
    assertThat(pages(10)).containsExactly(64, RECORDS - 64);
  }
}
