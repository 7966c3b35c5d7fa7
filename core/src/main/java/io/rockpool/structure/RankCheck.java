package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.store.FindingKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rank index of a scored set: each node covers its whole part and counts the places in
 * its shares. It continues after a problem.
 */
final class RankCheck {
  private static final byte[] FIRST_SEPARATOR = ScoredSetFormat.PLACES.from();

  private final SpaceView view;
  private final byte[] row;
  private final Problems problems;
  private long seen;

  RankCheck(SpaceView view, byte[] row, Problems problems) {
    this.view = view;
    this.row = row;
    this.problems = problems;
  }

  /**
   * Checks the index of a set with at least one place. {@code nodes} is the number of stored nodes.
   */
  void check(long nodes) {
    RankNode root = node(RankReads.ROOT);
    if (root != null) {
      check(RankReads.ROOT, root, FIRST_SEPARATOR, RankReads.END);
    }
    if (seen < nodes) {
      problem(RankReads.ROOT, "nodes of the rank index belong to no other: " + (nodes - seen));
    }
  }

  private @Nullable RankNode node(byte[] key) {
    RowRecord record = view.get(row, key);
    if (record == null) {
      problem(key, "a node of the rank index is missing");
      return null;
    }
    seen++;
    return RankNode.decode(record.value());
  }

  private void check(byte[] key, RankNode node, byte[] from, byte[] to) {
    if (!Arrays.equals(node.separator(0), from)) {
      problem(key, "a node of the rank index does not begin where its part does");
    }
    for (int share = 0; share < node.size(); share++) {
      byte[] begin = node.separator(share);
      byte[] end = node.end(share, to);
      if (Arrays.compareUnsigned(begin, end) >= 0) {
        problem(key, "the shares of a node of the rank index are not in order");
      } else if (node.level() == 0) {
        checkPlaces(key, node.places(share), begin, end);
      } else {
        checkChild(key, node, share, begin, end);
      }
    }
  }

  private void checkPlaces(byte[] key, long expected, byte[] begin, byte[] end) {
    int limit = RankWrites.MAX_SHARE_PLACES + 1;
    long places = 0;
    try (Cursor cursor =
        view.scan(row, RankReads.placesFrom(begin).to(end, false), Direction.FORWARD, limit)) {
      while (cursor.next()) {
        places++;
      }
    }
    if (places != expected) {
      String more = places == limit ? " or more" : "";
      problem(key, "the rank index counts " + expected + " of " + places + more + " places");
    }
  }

  private void checkChild(byte[] key, RankNode node, int share, byte[] begin, byte[] end) {
    byte[] childKey = node.childKey(share);
    RankNode child = node(childKey);
    if (child == null) {
      return;
    }
    if (child.level() != node.level() - 1) {
      problem(childKey, "a node of the rank index is on the wrong level");
      return;
    }
    if (child.total() != node.places(share)) {
      problem(
          key,
          "the rank index counts "
              + node.places(share)
              + " places where the level below counts "
              + child.total());
    }
    check(childKey, child, begin, end);
  }

  private void problem(byte[] key, String detail) {
    problems.add(FindingKind.BROKEN_STRUCTURE, row, key, detail);
  }
}
