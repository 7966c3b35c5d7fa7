package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.bytes.Leb128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Changes in {@link BatchFormat} and where the newest change of each key is: a table with open
 * addressing. A slot is the offset of a change in the low 24 bits and eight bits of its key's hash
 * above. One thread at a time adds; any thread may look up meanwhile.
 *
 * <p>A change counts from the moment when the position that is given to a lookup is past it. So all
 * changes of a batch become visible at once. Until then a lookup finds the change that the slot had
 * before.
 */
final class ChangeIndex {
  /** What {@link #find} returns for a key without a change. */
  static final int NONE = 0;

  /** What {@link #find} returns if the change before {@code committed} is not known any longer. */
  static final int LOST = -1;

  /** A change of a small record takes about this many bytes. */
  private static final int BYTES_PER_SLOT = 32;

  private static final int OFFSET_BITS = 24;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;
  private static final int ROTATION = 29;

  /** So that no one can choose keys with equal hashes. */
  private static final long SEED = new SplittableRandom().nextLong();

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final byte[] bytes;
  private final int[] slots;

  /** For each slot, the offset of the change that was there before, or 0. */
  private final int[] previous;

  private final int shift;
  private int used;

  /** An index of changes in {@code capacity} bytes, a power of two of at least 64. */
  ChangeIndex(int capacity) {
    int count = capacity / BYTES_PER_SLOT;
    this.bytes = new byte[BatchFormat.HEADER_BYTES + capacity];
    this.slots = new int[count];
    this.previous = new int[count];
    this.shift = Integer.numberOfLeadingZeros(count - 1);
  }

  /** How many changes surely find a slot in an index of this capacity. */
  static int maxChanges(int capacity) {
    return capacity / BYTES_PER_SLOT / 4 * 3;
  }

  boolean hasRoom(int changes) {
    return used + changes <= slots.length / 4 * 3;
  }

  static int hash(int family, byte[] bytes, int from, int length) {
    long hash = SEED + family + ((long) length << Integer.SIZE);
    int end = from + length;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash, (long) LONGS.get(bytes, at));
    }
    if (at < end) {
      long rest = 0;
      for (; at < end; at++) {
        rest = rest << Byte.SIZE | (bytes[at] & 0xFF);
      }
      hash = mix(hash, rest);
    }
    return (int) (mix(hash, length) >>> Integer.SIZE);
  }

  private static long mix(long hash, long next) {
    return Long.rotateLeft((hash ^ next) * FACTOR, ROTATION) * FACTOR;
  }

  private static int slot(int hash, int offset) {
    return hash << OFFSET_BITS | offset;
  }

  /**
   * Adds the change at {@code offset}, which ends its key at {@code keyEnd}. Changes before {@code
   * committed} are visible.
   */
  void add(int hash, int offset, int keyEnd, int committed) {
    int last = slots.length - 1;
    for (int at = hash >>> shift; ; at = (at + 1) & last) {
      int slot = slots[at];
      if (slot == NONE) {
        used++;
        previous[at] = NONE;
        SLOTS.setRelease(slots, at, slot(hash, offset));
        return;
      }
      int other = slot & OFFSET_MASK;
      if ((slot ^ hash << OFFSET_BITS) >>> OFFSET_BITS == 0 && isSameKey(other, offset, keyEnd)) {
        if (other < committed) {
          previous[at] = other;
        }
        SLOTS.setRelease(slots, at, slot(hash, offset));
        return;
      }
    }
  }

  /** Family, length and key are the same bytes. */
  private boolean isSameKey(int other, int offset, int keyEnd) {
    int length = keyEnd - offset - 1;
    return Arrays.equals(
        bytes, other + 1, other + 1 + length, bytes, offset + 1, offset + 1 + length);
  }

  /**
   * The offset of the newest change of a key before {@code committed}, {@link #NONE} or {@link
   * #LOST}. If the index is cleared meanwhile, the result means nothing, and an exception may be
   * thrown.
   */
  int find(int hash, int family, byte[] key, int keyLength, int committed) {
    int last = slots.length - 1;
    int at = hash >>> shift;
    for (int looks = 0; looks <= last; looks++) {
      int slot = (int) SLOTS.getAcquire(slots, at);
      if (slot == NONE) {
        return NONE;
      }
      int offset = slot & OFFSET_MASK;
      if ((slot ^ hash << OFFSET_BITS) >>> OFFSET_BITS == 0
          && isOf(offset, family, key, keyLength)) {
        return offset < committed ? offset : before(at, committed);
      }
      at = (at + 1) & last;
    }
    return NONE;
  }

  private int before(int at, int committed) {
    int offset = previous[at];
    return offset < committed ? offset : LOST;
  }

  private boolean isOf(int offset, int family, byte[] key, int keyLength) {
    int at = offset + 1;
    if (Leb128.get(bytes, at, bytes.length) != family) {
      return false;
    }
    at += Leb128.length(family);
    if (Leb128.get(bytes, at, bytes.length) != keyLength) {
      return false;
    }
    at += Leb128.length(keyLength);
    return Arrays.equals(bytes, at, at + keyLength, key, 0, keyLength);
  }

  /** The offset of the value of a put at {@code offset}, after its length. */
  int valueOffset(int offset) {
    int at = offset + 1;
    at += Leb128.length(Leb128.get(bytes, at, bytes.length));
    int keyLength = Leb128.get(bytes, at, bytes.length);
    return at + Leb128.length(keyLength) + keyLength;
  }

  /** Forgets all changes. */
  void clear() {
    Arrays.fill(slots, NONE);
    used = 0;
  }
}
