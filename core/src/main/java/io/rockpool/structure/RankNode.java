package io.rockpool.structure;

import io.rockpool.internal.format.RankNodeFormat;
import io.rockpool.internal.format.Separators;
import java.util.Arrays;
import java.util.List;

/** A node of a rank index in memory; see {@link RankNodeFormat}. */
final class RankNode {
  private final int level;
  private Separators separators;
  private long[] places;

  private RankNode(int level, Separators separators, long[] places) {
    this.level = level;
    this.separators = separators;
    this.places = places;
  }

  /** A node with one share, which starts at {@code separator}. */
  static RankNode ofOne(int level, byte[] separator, long places) {
    return new RankNode(level, Separators.of(List.of(separator)), new long[] {places});
  }

  static RankNode decode(byte[] value) {
    RankNodeFormat.Node node = RankNodeFormat.decode(value);
    return new RankNode(node.level(), node.separators(), node.places());
  }

  byte[] encode() {
    return RankNodeFormat.encode(new RankNodeFormat.Node(level, places, separators));
  }

  int level() {
    return level;
  }

  int size() {
    return places.length;
  }

  byte[] separator(int share) {
    return separators.get(share);
  }

  /** The end of a share. {@code end} is the end of this node. */
  byte[] end(int share, byte[] end) {
    return share + 1 < size() ? separators.get(share + 1) : end;
  }

  /** The sort key of the child node of a share. */
  byte[] childKey(int share) {
    return RankNodeFormat.key(level - 1, separators.get(share));
  }

  long places(int share) {
    return places[share];
  }

  /** The number of places before a share. */
  long placesBefore(int share) {
    long before = 0;
    for (int i = 0; i < share; i++) {
      before += places[i];
    }
    return before;
  }

  long total() {
    return placesBefore(size());
  }

  /** The share of a key: the last share that starts at or before the key, or else the first. */
  int shareOf(byte[] key) {
    int low = 0;
    int high = size() - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (separators.isAbove(middle, key)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  void add(int share, long delta) {
    places[share] += delta;
  }

  void set(int share, long count) {
    places[share] = count;
  }

  void insert(int share, byte[] separator, long count) {
    List<byte[]> all = separators.toList();
    all.add(share, separator);
    separators = Separators.of(all);
    long[] more = Arrays.copyOf(places, places.length + 1);
    System.arraycopy(places, share, more, share + 1, places.length - share);
    more[share] = count;
    places = more;
  }

  void remove(int share) {
    List<byte[]> all = separators.toList();
    all.remove(share);
    separators = Separators.of(all);
    long[] fewer = Arrays.copyOf(places, places.length - 1);
    System.arraycopy(places, share + 1, fewer, share, fewer.length - share);
    places = fewer;
  }

  /** Removes the shares from {@code from} on, and returns a node with them. */
  RankNode splitOff(int from) {
    List<byte[]> all = separators.toList();
    Separators upper = Separators.of(all.subList(from, size()));
    RankNode node = new RankNode(level, upper, Arrays.copyOfRange(places, from, size()));
    separators = Separators.of(all.subList(0, from));
    places = Arrays.copyOf(places, from);
    return node;
  }

  /** Appends the shares of the next node. */
  void append(RankNode next) {
    List<byte[]> all = separators.toList();
    all.addAll(next.separators.toList());
    separators = Separators.of(all);
    int size = size();
    places = Arrays.copyOf(places, size + next.size());
    System.arraycopy(next.places, 0, places, size, next.size());
  }
}
