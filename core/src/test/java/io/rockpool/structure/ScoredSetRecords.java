package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** The records of a scored set, to check that they agree with each other. */
final class ScoredSetRecords {
  private final Space space;
  private final int maxPlaces;
  private final int maxShares;
  private final NavigableSet<byte[]> places = new TreeSet<>(Arrays::compareUnsigned);
  private final NavigableSet<byte[]> due = new TreeSet<>(Arrays::compareUnsigned);
  private final Map<byte[], RankNode> nodes = new TreeMap<>(Arrays::compareUnsigned);
  private final NavigableSet<byte[]> expectedPlaces = new TreeSet<>(Arrays::compareUnsigned);
  private final NavigableSet<byte[]> expectedDue = new TreeSet<>(Arrays::compareUnsigned);
  private long earliestMillis = Expiry.NEVER;
  private long members;

  ScoredSetRecords(Space space, int maxPlaces, int maxShares) {
    this.space = space;
    this.maxPlaces = maxPlaces;
    this.maxShares = maxShares;
    try (Cursor cursor = space.scanAll()) {
      while (cursor.next()) {
        assertThat(cursor.expiryMillis()).isEqualTo(Expiry.NEVER);
        add(cursor.sortKey(), cursor.value());
      }
    }
  }

  /** Checks the records of a set, which may be expired and not swept. */
  static void check(Engine engine, PersistentScoredSet<?> set) {
    ScoredSetRecords records =
        new ScoredSetRecords(
            Objects.requireNonNull(engine.open(set.name())),
            RankWrites.MAX_SHARE_PLACES,
            RankWrites.MAX_SHARES);
    records.checkMembers();
    records.checkRanks(set.isRanked());
  }

  private void add(byte[] key, byte[] value) {
    switch (key[0]) {
      case 0 -> earliestMillis = ScoredSetFormat.time(value, 0, value.length);
      case 1 -> {
        byte[] element = Arrays.copyOfRange(key, 1, key.length);
        Member member = Member.read(value, 0, value.length);
        expectedPlaces.add(ScoredSetFormat.placeKey(member.score(), element));
        if (member.expires()) {
          expectedDue.add(ScoredSetFormat.dueKey(member.expiryMillis(), element));
        }
        members++;
      }
      case 2 -> places.add(key);
      case 3 -> due.add(key);
      case 4 -> nodes.put(key, RankNode.decode(value));
      default -> throw new AssertionError("an unknown record");
    }
  }

  private void checkMembers() {
    assertThat(places).isEqualTo(expectedPlaces);
    assertThat(due).isEqualTo(expectedDue);
    assertThat(space.count(new byte[] {0})).isEqualTo(members);
    if (!due.isEmpty()) {
      assertThat(earliestMillis).isLessThanOrEqualTo(ScoredSetFormat.expiryMillis(due.first()));
    }
  }

  /** Checks that each node counts what lies in its shares, and that none is left over. */
  void checkRanks(boolean ranked) {
    if (!ranked || places.isEmpty()) {
      assertThat(nodes.size()).isZero();
      return;
    }
    RankNode root = Objects.requireNonNull(nodes.remove(RankReads.ROOT));
    assertThat(root.level() == 0 || root.size() > 1).isTrue();
    check(root, new byte[] {2}, RankReads.END);
    assertThat(nodes.size()).isZero();
  }

  private void check(RankNode node, byte[] from, byte[] to) {
    assertThat(node.size()).isBetween(1, maxShares);
    assertThat(node.separator(0)).isEqualTo(from);
    for (int i = 0; i < node.size(); i++) {
      byte[] end = node.end(i, to);
      assertThat(Arrays.compareUnsigned(node.separator(i), end)).isNegative();
      assertThat(node.places(i)).isEqualTo(places.subSet(node.separator(i), end).size());
      if (node.level() > 0) {
        RankNode child = Objects.requireNonNull(nodes.remove(node.childKey(i)));
        assertThat(child.level()).isEqualTo(node.level() - 1);
        check(child, node.separator(i), end);
      } else {
        assertThat(node.places(i)).isLessThanOrEqualTo(maxPlaces);
      }
    }
  }
}
