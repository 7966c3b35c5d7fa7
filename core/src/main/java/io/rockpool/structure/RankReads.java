package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.RankNodeFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Reads the rank index of a scored set: ranks of keys, and places by rank. Each call takes one read
 * per level of the tree, and a scan of at most {@link RankWrites#MAX_SHARE_PLACES} places in the
 * last share. For one run of a transaction: it caches the nodes it has read.
 */
class RankReads {
  static final byte[] ROOT = RankNodeFormat.rootKey();
  private static final byte[] FIRST_SEPARATOR = ScoredSetFormat.PLACES.from();
  static final byte[] END = Objects.requireNonNull(ScoredSetFormat.PLACES.to());

  final RowReads row;
  private final Map<byte[], RankNode> nodes = new TreeMap<>(Arrays::compareUnsigned);

  RankReads(RowReads row) {
    this.row = row;
  }

  /** The number of places. */
  long total() {
    return root().total();
  }

  /** The number of places below a key. */
  long below(byte[] key) {
    RankNode node = root();
    if (Arrays.equals(key, END)) {
      return node.total();
    }
    long below = 0;
    while (true) {
      int share = node.shareOf(key);
      below += node.placesBefore(share);
      if (node.level() == 0) {
        SortRange range = placesFrom(node.separator(share)).to(key, false);
        return below + row.countIn(range, limit(node, share));
      }
      node = child(node, share);
    }
  }

  /** The sort key of the place at a rank below {@link #total}. */
  byte[] placeAt(long rank) {
    RankNode node = root();
    byte[] end = END;
    long left = rank;
    while (true) {
      int share = 0;
      while (left >= node.places(share)) {
        left -= node.places(share++);
      }
      byte[] shareEnd = node.end(share, end);
      if (node.level() == 0) {
        return placeWithin(node, share, shareEnd, (int) left);
      }
      end = shareEnd;
      node = child(node, share);
    }
  }

  /** The place at a rank within a share, by a scan from its nearer end. */
  private byte[] placeWithin(RankNode node, int share, byte[] end, int rank) {
    int places = limit(node, share);
    boolean forward = rank <= places / 2;
    int steps = forward ? rank + 1 : places - rank;
    List<RowRecord> found =
        row.scan(
            placesFrom(node.separator(share)).to(end, false),
            forward ? Direction.FORWARD : Direction.BACKWARD,
            steps);
    checkFound(found, steps);
    return found.get(steps - 1).sortKey();
  }

  static SortRange placesFrom(byte[] separator) {
    return ScoredSetFormat.PLACES.from(separator, true);
  }

  static void checkFound(List<RowRecord> found, int expected) {
    if (found.size() != expected) {
      throw new CorruptStoreException(
          "the rank index of a scored set counts "
              + expected
              + " places where there are "
              + found.size(),
          null);
    }
  }

  private static int limit(RankNode node, int share) {
    return Math.toIntExact(node.places(share));
  }

  final RankNode root() {
    return node(ROOT);
  }

  final RankNode child(RankNode parent, int share) {
    return node(parent.childKey(share));
  }

  private RankNode node(byte[] key) {
    RankNode node = nodes.get(key);
    if (node == null) {
      RowRecord record = row.get(key);
      if (record != null) {
        node = RankNode.decode(record.value());
      } else if (Arrays.equals(key, ROOT)) {
        node = RankNode.ofOne(0, FIRST_SEPARATOR, 0);
      } else {
        throw new CorruptStoreException(
            "a node of the rank index of a scored set is missing", null);
      }
      nodes.put(key, node);
    }
    return node;
  }

  final void replace(byte[] key, RankNode node) {
    nodes.put(key, node);
  }

  final void forget(byte[] key) {
    nodes.remove(key);
  }
}
