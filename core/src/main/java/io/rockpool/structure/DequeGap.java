package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.RowRecord;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.PositionFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place between two neighbouring elements of a deque, where another is to be put.
 *
 * <p>It gets the middle of the gap, on the grid if the gap has a point of it. Where the neighbours
 * are next to each other, the elements around them move: those of the smallest window, 16 to each
 * side or that doubled, whose n elements can then lie n apart. So it takes about n/2 insertions
 * into a window until it is spread again, and each insertion costs some two moves for each
 * doubling, at the worst place: measured, six on average after 10,000 insertions and eleven after
 * 200,000. A window that reaches an end of the deque has all the room beyond it.
 */
final class DequeGap {
  /** How many elements on each side are moved at least. */
  private static final int MIN_SIDE = 16;

  /**
   * The distance beyond which more is not asked for. Elements that were added at an end lie four
   * times as far apart, so that a window is found that is not much larger than what was inserted.
   */
  private static final long ENOUGH = PositionFormat.SPACING / 4;

  private final DequeRow row;

  DequeGap(DequeRow row) {
    this.row = row;
  }

  /** Puts an element between two neighbours; null stands for the end of the deque. */
  void insert(
      @Nullable RowRecord left, @Nullable RowRecord right, byte[] value, long expiryMillis) {
    if (left == null) {
      row.add(FIRST, value, expiryMillis);
    } else if (right == null) {
      row.add(LAST, value, expiryMillis);
    } else {
      long below = DequeRow.position(left);
      long above = DequeRow.position(right);
      long position = above - below > 1 ? between(below, above) : makeRoom(left, right);
      row.put(position, value, expiryMillis);
    }
  }

  private static long between(long below, long above) {
    long middle = below + (above - below) / 2;
    long onGrid = PositionFormat.gridAtOrBelow(middle);
    if (onGrid > below) {
      return onGrid;
    }
    onGrid = PositionFormat.gridAtOrAbove(middle);
    return onGrid < above ? onGrid : middle;
  }

  /** Moves elements on both sides of the gap, and returns a free position in it. */
  private long makeRoom(RowRecord left, RowRecord right) {
    for (int side = MIN_SIDE; ; side *= 2) {
      List<RowRecord> leftSide = side(left, LAST, side);
      List<RowRecord> rightSide = side(right, FIRST, side);
      Long position = spread(leftSide, rightSide, side);
      if (position != null) {
        return position;
      }
    }
  }

  /**
   * {@code nearest} and those beyond it, one more than {@code side} in all if there are as many.
   */
  private List<RowRecord> side(RowRecord nearest, DequeEnd from, int side) {
    DequeEnds ends = row.ends();
    List<RowRecord> all = new ArrayList<>();
    all.add(nearest);
    all.addAll(row.page(DequeRow.behind(DequeRow.range(ends), nearest, from), from, side));
    return all;
  }

  /** Spreads a window's elements and the gap between its sides evenly, if there is room enough. */
  private @Nullable Long spread(List<RowRecord> leftSide, List<RowRecord> rightSide, int side) {
    boolean open = leftSide.size() <= side;
    boolean openAbove = rightSide.size() <= side;
    List<RowRecord> window = new ArrayList<>();
    for (int i = Math.min(side, leftSide.size()) - 1; i >= 0; i--) {
      window.add(leftSide.get(i));
    }
    int gap = window.size();
    window.addAll(rightSide.subList(0, Math.min(side, rightSide.size())));
    long below = open ? 0 : DequeRow.position(leftSide.get(side));
    long step = PositionFormat.SPACING;
    if (openAbove) {
      below = open ? row.ends().beforeFirst() : PositionFormat.gridAtOrAbove(below);
    } else {
      long above = DequeRow.position(rightSide.get(side));
      int steps = window.size() + 2;
      if (open) {
        below = PositionFormat.gridAtOrBelow(above) - steps * step;
      } else {
        step = (above - below) / steps;
        if (step < Math.min(window.size(), ENOUGH)) {
          return null;
        }
      }
    }
    window.forEach(row::lift);
    for (int i = 0; i < window.size(); i++) {
      RowRecord element = window.get(i);
      long position = below + step * (i < gap ? i + 1 : i + 2);
      row.place(position, element.value(), element.expiryMillis());
    }
    return below + step * (gap + 1);
  }
}
