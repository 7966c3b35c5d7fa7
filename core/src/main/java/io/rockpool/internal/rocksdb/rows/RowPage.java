package io.rockpool.internal.rocksdb.rows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All records of a row from one key to another, raw and in order. Immutable; its arrays must not be
 * changed.
 */
final class RowPage {
  /** Small pages that touch become one up to this size. */
  static final int MAX_JOINED_RECORDS = 64;

  /** A page that grows beyond this is divided. */
  static final int MAX_RECORDS = 128;

  /** The heap that a page takes besides its bytes, and each of its records. */
  private static final int PAGE_BYTES = 200;

  private static final int RECORD_BYTES = 48;

  /** The first key that it covers. */
  final byte[] from;

  /** The first key behind what it covers. */
  final byte[] to;

  private final byte[][] keys;
  private final byte[][] records;

  /** About the heap that it takes. */
  final int bytes;

  RowPage(byte[] from, byte[] to, byte[][] keys, byte[][] records) {
    this(from, to, keys, records, PAGE_BYTES + from.length + to.length + bytes(keys, records));
  }

  private RowPage(byte[] from, byte[] to, byte[][] keys, byte[][] records, int bytes) {
    this.from = from;
    this.to = to;
    this.keys = keys;
    this.records = records;
    this.bytes = bytes;
  }

  private static int bytes(byte[][] keys, byte[][] records) {
    int sum = 0;
    for (int i = 0; i < keys.length; i++) {
      sum += RECORD_BYTES + keys[i].length + records[i].length;
    }
    return sum;
  }

  int size() {
    return keys.length;
  }

  /** Whether it covers all up to a key that is not below its first. */
  boolean reaches(byte[] end) {
    return Arrays.compareUnsigned(to, end) >= 0;
  }

  /** Whether it covers all from a key that is not above its last. */
  boolean beginsBy(byte[] first) {
    return Arrays.compareUnsigned(from, first) <= 0;
  }

  byte[] key(int i) {
    return keys[i];
  }

  byte[] record(int i) {
    return records[i];
  }

  /** The record at a key that it covers, or {@link RowMemory#ABSENT}. */
  byte[] find(byte[] key) {
    int at = Arrays.binarySearch(keys, key, Arrays::compareUnsigned);
    return at < 0 ? RowMemory.ABSENT : records[at];
  }

  /** The number of its records below a key. */
  int below(byte[] key) {
    int at = Arrays.binarySearch(keys, key, Arrays::compareUnsigned);
    return at < 0 ? -at - 1 : at;
  }

  /** This page after a change at a key that it covers; null for a removed record. */
  RowPage with(byte[] key, byte @Nullable [] record) {
    int at = below(key);
    boolean there = at < keys.length && Arrays.equals(keys[at], key);
    if (record == null && !there) {
      return this;
    }
    int more = record == null ? 0 : record.length;
    if (!there) {
      int grown = bytes + RECORD_BYTES + key.length + more;
      return new RowPage(from, to, with(keys, at, key), with(records, at, record), grown);
    }
    int rest = bytes - records[at].length;
    if (record == null) {
      int less = rest - RECORD_BYTES - key.length;
      return new RowPage(from, to, without(keys, at), without(records, at), less);
    }
    byte[][] changed = records.clone();
    changed[at] = record;
    return new RowPage(from, to, keys, changed, rest + more);
  }

  private static byte[][] with(byte[][] all, int at, byte @Nullable [] added) {
    byte[][] result = new byte[all.length + 1][];
    System.arraycopy(all, 0, result, 0, at);
    result[at] = added;
    System.arraycopy(all, at, result, at + 1, all.length - at);
    return result;
  }

  private static byte[][] without(byte[][] all, int at) {
    byte[][] result = new byte[all.length - 1][];
    System.arraycopy(all, 0, result, 0, at);
    System.arraycopy(all, at + 1, result, at, result.length - at);
    return result;
  }

  /** The part between two keys that lie within what it covers. */
  RowPage part(byte[] first, byte[] end) {
    if (first == from && end == to) {
      return this;
    }
    int begin = below(first);
    int until = Math.max(begin, below(end));
    return new RowPage(
        first,
        end,
        Arrays.copyOfRange(keys, begin, until),
        Arrays.copyOfRange(records, begin, until));
  }

  /** This page and the one that begins where it ends. */
  RowPage and(RowPage next) {
    return new RowPage(from, next.to, joined(keys, next.keys), joined(records, next.records));
  }

  private static byte[][] joined(byte[][] one, byte[][] other) {
    byte[][] result = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, result, one.length, other.length);
    return result;
  }
}
