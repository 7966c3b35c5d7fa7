package io.rockpool.engine.rocksdb;

import static io.rockpool.engine.rocksdb.CorruptedStore.delete;
import static io.rockpool.engine.rocksdb.CorruptedStore.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.DescriptorCopy;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.PositionFormat;
import io.rockpool.internal.format.RankNodeFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.testing.NotEncrypted;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the records of a structure must agree on is found where they do not. */
@Timeout(60)
@NotEncrypted("writes records past the layers")
final class StructureFindingsTest extends FindingsSetup {
  @Test
  void anEntryWithoutAnEntrysValue() {
    pool.cache("cache", String.class, String.class).put("a", SECRET);
    put(
        engine,
        ColumnFamily.ENTRIES,
        EntryKeyFormat.encode(generation("cache"), ROW),
        EntryFormat.encode(new byte[] {7}, Expiry.NEVER));
    only(FindingKind.BROKEN_STRUCTURE, "cache", 1);
  }

  @Test
  void aStructureOfNoShape() {
    pool.map("map", String.class, String.class).put("a", SECRET);
    Descriptor there = descriptor("map");
    Map<String, String> attributes = new HashMap<>(there.attributes());
    attributes.put("option.buckets", "17");
    byte[] key = CatalogKeyFormat.name("map");
    byte[] changed = there.withAttributes(attributes).encode();
    put(engine, ColumnFamily.CATALOG, key, changed);
    put(engine, ColumnFamily.DEFAULT, key, DescriptorCopy.encode(key, changed));
    only(FindingKind.BROKEN_STRUCTURE, "map", 1);
  }

  @Test
  void anElementInTheWrongBucket() {
    pool.map("map", String.class, String.class).put("order-1", SECRET);
    byte[] row = {3};
    putRow("map", row, bytes("order-1"), VALUE, true);
    put(
        engine,
        ColumnFamily.COUNTS,
        EntryKeyFormat.encode(generation("map"), row),
        CountFormat.encode(1));
    only(FindingKind.BROKEN_STRUCTURE, "map", 1);
  }

  @Test
  void elementsThatAreNotCountedOrHaveWhatTheyShouldNot() {
    putMap();
    putRow("map", ROW, bytes("c"), VALUE, false);
    only(FindingKind.BROKEN_STRUCTURE, "map", 1);
    pool.names().drop("map");
    pool.sortedSet("set", String.class).add("a");
    putRow("set", ROW, bytes("a"), VALUE, true);
    only(FindingKind.BROKEN_STRUCTURE, "set", 1);
    pool.names().drop("set");
    pool.counter("counter").incrementAndGet();
    putRow("counter", ROW, bytes("a"), VALUE, true);
    put(
        engine,
        ColumnFamily.COUNTS,
        EntryKeyFormat.encode(generation("counter"), ROW),
        CountFormat.encode(2));
    only(FindingKind.BROKEN_STRUCTURE, "counter", 1);
  }

  private void putEnds(DequeEnds ends) {
    putRow("deque", ROW, NOTHING, ends.encode(), false);
  }

  @Test
  void endsOfADequeThatDoNotHold() {
    for (int i = 0; i < 3; i++) {
      pool.deque("deque", String.class).offerLastExpiring(SECRET, Duration.ofDays(1));
    }
    long step = PositionFormat.SPACING;
    long expiry = clock.millis() + Duration.ofDays(1).toMillis();
    putEnds(new DequeEnds(1, 3 * step, 0, expiry));
    only(FindingKind.BROKEN_STRUCTURE, "deque", 1);
    putEnds(new DequeEnds(0, step, 0, expiry));
    only(FindingKind.BROKEN_STRUCTURE, "deque", 2);
    putEnds(new DequeEnds(0, 3 * step, 0, expiry + 1));
    only(FindingKind.BROKEN_STRUCTURE, "deque", 3);
    delete(engine, ColumnFamily.ROWS, rowKey("deque", ROW, NOTHING));
    only(FindingKind.BROKEN_STRUCTURE, "deque", 3);
    putRow("deque", ROW, NOTHING, new byte[4], false);
    assertThat(pool.verify().findings())
        .extracting(Finding::kind)
        .containsExactly(FindingKind.BROKEN_STRUCTURE);
    putEnds(new DequeEnds(0, 3 * step, 0, expiry));
    assertThat(pool.verify().isClean()).isTrue();
    clock.setMillis(expiry);
    putEnds(new DequeEnds(step, step, 0, Expiry.NEVER));
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void anElementOffTheGridThatADequeDoesNotKnowOf() {
    pool.deque("deque", Integer.class).addAll(List.of(1, 2));
    pool.deque("deque", Integer.class).insert(1, 3);
    assertThat(pool.verify().isClean()).isTrue();
    putEnds(new DequeEnds(0, 3 * PositionFormat.SPACING, 0, Expiry.NEVER));
    only(FindingKind.BROKEN_STRUCTURE, "deque", 1);
  }

  private void fillScored() {
    for (int i = 0; i < 1_000; i++) {
      pool.scoredSet("scored", String.class).add("m" + i, i);
    }
    pool.scoredSet("scored", String.class).add("m0", 0, Duration.ofDays(1));
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void membersAndPlacesThatDisagree() {
    fillScored();
    byte[] place = ScoredSetFormat.placeKey(5, bytes("m5"));
    delete(engine, ColumnFamily.ROWS, rowKey("scored", ROW, place));
    // The member misses its place, and the index counts one too many.
    only(FindingKind.BROKEN_STRUCTURE, "scored", 2);
    putRow("scored", ROW, place, NOTHING, false);
    byte[] stray = ScoredSetFormat.placeKey(5.5, bytes("m5"));
    putRow("scored", ROW, stray, NOTHING, false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 2);
    delete(engine, ColumnFamily.ROWS, rowKey("scored", ROW, stray));
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void expiriesOfAScoredSetThatDisagree() {
    fillScored();
    long expiry = clock.millis() + Duration.ofDays(1).toMillis();
    byte[] due = ScoredSetFormat.dueKey(expiry, bytes("m0"));
    delete(engine, ColumnFamily.ROWS, rowKey("scored", ROW, due));
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
    putRow("scored", ROW, due, NOTHING, false);
    putRow("scored", ROW, ScoredSetFormat.dueKey(expiry, bytes("m1")), NOTHING, false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
    delete(
        engine,
        ColumnFamily.ROWS,
        rowKey("scored", ROW, ScoredSetFormat.dueKey(expiry, bytes("m1"))));
    byte[] later = ScoredSetFormat.time(expiry + 1);
    putRow("scored", ROW, ScoredSetFormat.earliestKey(), later, false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
  }

  @Test
  void aRankIndexThatCountsWrong() {
    fillScored();
    byte[] rootKey = rowKey("scored", ROW, RankNodeFormat.rootKey());
    byte[] record =
        Objects.requireNonNull(engine.internals().database().get(ColumnFamily.ROWS, rootKey));
    RankNodeFormat.Node root = RankNodeFormat.decode(Arrays.copyOfRange(record, 1, record.length));
    root.places()[1]++;
    putRow("scored", ROW, RankNodeFormat.rootKey(), RankNodeFormat.encode(root), false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
    root.places()[1]--;
    putRow("scored", ROW, RankNodeFormat.rootKey(), RankNodeFormat.encode(root), false);
    putRow("scored", ROW, RankNodeFormat.key(0, ROW), RankNodeFormat.encode(root), false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
    delete(engine, ColumnFamily.ROWS, rootKey);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 2);
  }

  @Test
  void ranksOfASetWithout() {
    pool.scoredSet("scored", TypeRef.of(String.class), o -> o.ranked(false)).add("a", 1);
    putRow("scored", ROW, RankNodeFormat.rootKey(), new byte[] {0, 1, 1, 1, 2, 0}, false);
    only(FindingKind.BROKEN_STRUCTURE, "scored", 1);
  }

  @Test
  void aValueThatCannotBeDecoded() {
    putMap();
    putRow("map", ROW, bytes("a"), new byte[] {(byte) 0xEE, 1, 2}, true);
    assertThat(pool.verify().isClean()).isTrue();
    Finding finding = only(FindingKind.UNDECODABLE_VALUE, "map", 1);
    assertThat(finding.key()).isEqualTo("\\x00 a");
    pool.names().drop("map");
    pool.cache("cache", String.class, String.class).put("a", SECRET);
    put(
        engine,
        ColumnFamily.ENTRIES,
        EntryKeyFormat.encode(generation("cache"), bytes("a")),
        EntryFormat.encode(new byte[] {0, (byte) 0xEE}, Expiry.NEVER));
    only(FindingKind.UNDECODABLE_VALUE, "cache", 1);
  }
}
