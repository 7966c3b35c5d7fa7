package io.rockpool.structure;

import io.rockpool.internal.format.RankNodeFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A node of a rank index in memory; see {@link RankNodeFormat}. */
final class RankNode {
  private final int level;
  private final List<byte[]> separators;
  private final List<Long> places;

  private RankNode(int level, List<byte[]> separators, List<Long> places) {
    this.level = level;
    this.separators = separators;
    this.places = places;
  }

  /** A node of one share, which begins with {@code separator}. */
  static RankNode ofOne(int level, byte[] separator, long places) {
    RankNode node = new RankNode(level, new ArrayList<>(), new ArrayList<>());
    node.insert(0, separator, places);
    return node;
  }

  static RankNode decode(byte[] value) {
    RankNodeFormat.Node node = RankNodeFormat.decode(value);
    return new RankNode(node.level(), node.separators(), node.places());
  }

  byte[] encode() {
    return RankNodeFormat.encode(new RankNodeFormat.Node(level, separators, places));
  }

  int level() {
    return level;
  }

  int size() {
    return separators.size();
  }

  byte[] separator(int share) {
    return separators.get(share);
  }

  /** Where a share ends, if this node ends at {@code end}. */
  byte[] end(int share, byte[] end) {
    return share + 1 < size() ? separators.get(share + 1) : end;
  }

  /** The sort key of the node that divides a share. */
  byte[] childKey(int share) {
    return RankNodeFormat.key(level - 1, separators.get(share));
  }

  long places(int share) {
    return places.get(share);
  }

  /** How many places the shares before one have. */
  long placesBefore(int share) {
    long before = 0;
    for (int i = 0; i < share; i++) {
      before += places.get(i);
    }
    return before;
  }

  long total() {
    return placesBefore(size());
  }

  /** The share that a key lies in: the last that does not begin behind it, or else the first. */
  int shareOf(byte[] key) {
    int low = 0;
    int high = size() - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (Arrays.compareUnsigned(separators.get(middle), key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  void add(int share, long delta) {
    places.set(share, places.get(share) + delta);
  }

  void set(int share, long count) {
    places.set(share, count);
  }

  void insert(int share, byte[] separator, long count) {
    separators.add(share, separator);
    places.add(share, count);
  }

  void remove(int share) {
    separators.remove(share);
    places.remove(share);
  }

  /** Takes away the shares from one on, and returns a node of them. */
  RankNode splitOff(int from) {
    List<byte[]> upperSeparators = separators.subList(from, size());
    List<Long> upperPlaces = places.subList(from, size());
    RankNode upper =
        new RankNode(level, new ArrayList<>(upperSeparators), new ArrayList<>(upperPlaces));
    upperPlaces.clear();
    upperSeparators.clear();
    return upper;
  }

  /** Appends the shares of the next node. */
  void append(RankNode next) {
    separators.addAll(next.separators);
    places.addAll(next.places);
  }
}
