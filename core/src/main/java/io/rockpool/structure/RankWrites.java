package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Updates the rank index of a scored set when places are added or removed. A change reads one node
 * per level; {@link #finish} writes them. A node that grows too large is split, a small one is
 * joined with a neighbour, so the tree stays low.
 */
final class RankWrites extends RankReads {
  /**
   * Maximum places in a share. Finding a rank scans half as many on average; smaller shares need
   * more nodes.
   */
  static final int MAX_SHARE_PLACES = 256;

  /**
   * Maximum shares in a node. Each change writes one node per level: larger nodes mean larger
   * writes, smaller ones more levels. With 128, a million places need two levels.
   */
  static final int MAX_SHARES = 128;

  private final int maxPlaces;
  private final int maxShares;

  /** A node with fewer shares is joined with a neighbour if the result is small enough. */
  private final int minShares;

  /**
   * Maximum shares of a joined node. It is below the limit, so that the next change does not split
   * the node again.
   */
  private final int maxJoinedShares;

  /** Maximum places of a joined share, for the same reason. */
  private final int maxJoinedPlaces;

  private final Row target;
  private final Map<byte[], @Nullable RankNode> changes = new TreeMap<>(Arrays::compareUnsigned);

  RankWrites(Row target) {
    this(target, MAX_SHARE_PLACES, MAX_SHARES);
  }

  /** An index with other limits, at least 8 each. */
  RankWrites(Row target, int maxPlaces, int maxShares) {
    super(RowReads.of(target));
    this.target = target;
    this.maxPlaces = maxPlaces;
    this.maxShares = maxShares;
    this.minShares = maxShares / 4;
    this.maxJoinedShares = maxShares * 3 / 4;
    this.maxJoinedPlaces = maxPlaces / 2;
  }

  /** Counts a place that was put into the row. */
  void insert(byte[] place) {
    RankNode root = root();
    insert(ROOT, root, place, END);
    if (root.size() > maxShares) {
      divideRoot(root);
    }
  }

  private void insert(byte[] key, RankNode node, byte[] place, byte[] end) {
    int share = node.shareOf(place);
    byte[] shareEnd = node.end(share, end);
    node.add(share, 1);
    change(key, node);
    if (node.level() > 0) {
      byte[] childKey = node.childKey(share);
      RankNode child = child(node, share);
      insert(childKey, child, place, shareEnd);
      if (child.size() > maxShares) {
        RankNode upper = child.splitOff(child.size() / 2);
        node.set(share, child.total());
        node.insert(share + 1, upper.separator(0), upper.total());
        change(node.childKey(share + 1), upper);
      }
    } else if (node.places(share) > maxPlaces) {
      divideShare(node, share, shareEnd);
    }
  }

  private void divideShare(RankNode node, int share, byte[] end) {
    int lower = maxPlaces / 2;
    List<RowRecord> found =
        row.scan(placesFrom(node.separator(share)).to(end, false), Direction.FORWARD, lower + 1);
    checkFound(found, lower + 1);
    byte[] separator = between(found.get(lower - 1).sortKey(), found.get(lower).sortKey());
    node.insert(share + 1, separator, node.places(share) - lower);
    node.set(share, lower);
  }

  /** The shortest key above {@code low} and at or below {@code high}. */
  private static byte[] between(byte[] low, byte[] high) {
    return Arrays.copyOf(high, Arrays.mismatch(low, high) + 1);
  }

  private void divideRoot(RankNode lower) {
    RankNode upper = lower.splitOff(lower.size() / 2);
    RankNode root = RankNode.ofOne(lower.level() + 1, lower.separator(0), lower.total());
    root.insert(1, upper.separator(0), upper.total());
    change(ROOT, root);
    change(root.childKey(0), lower);
    change(root.childKey(1), upper);
  }

  /** Removes a deleted place from the counts. */
  void delete(byte[] place) {
    delete(ROOT, root(), place);
    while (root().level() > 0 && root().size() == 1) {
      byte[] childKey = root().childKey(0);
      change(ROOT, child(root(), 0));
      remove(childKey);
    }
  }

  private void delete(byte[] key, RankNode node, byte[] place) {
    int share = node.shareOf(place);
    node.add(share, -1);
    change(key, node);
    if (node.level() > 0) {
      RankNode child = child(node, share);
      delete(node.childKey(share), child, place);
      if (child.size() < minShares && !joinChildren(node, share)) {
        joinChildren(node, share - 1);
      }
    } else if (!joinShares(node, share)) {
      joinShares(node, share - 1);
    }
  }

  /** Joins a share with the next, if both exist and are small. */
  private boolean joinShares(RankNode node, int share) {
    if (share < 0 || share + 1 >= node.size()) {
      return false;
    }
    long together = node.places(share) + node.places(share + 1);
    if (together > maxJoinedPlaces) {
      return false;
    }
    node.set(share, together);
    node.remove(share + 1);
    return true;
  }

  /** Joins the child nodes of a share and of the next, if both exist and are small. */
  private boolean joinChildren(RankNode node, int share) {
    if (share < 0 || share + 1 >= node.size()) {
      return false;
    }
    RankNode lower = child(node, share);
    RankNode upper = child(node, share + 1);
    if (lower.size() + upper.size() > maxJoinedShares) {
      return false;
    }
    lower.append(upper);
    change(node.childKey(share), lower);
    remove(node.childKey(share + 1));
    node.set(share, lower.total());
    node.remove(share + 1);
    return true;
  }

  private void change(byte[] key, RankNode node) {
    replace(key, node);
    changes.put(key, node);
  }

  private void remove(byte[] key) {
    forget(key);
    changes.put(key, null);
  }

  /** Writes the changed nodes. */
  void finish() {
    changes.forEach(
        (key, node) -> {
          if (node == null || isEmptyRoot(key, node)) {
            target.delete(key);
          } else {
            target.put(key, node.encode(), Expiry.NEVER);
          }
        });
  }

  /** An empty tree has no record. */
  private static boolean isEmptyRoot(byte[] key, RankNode node) {
    return Arrays.equals(key, ROOT) && node.total() == 0;
  }
}
