package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The head of a queue: the record at the empty sort key of its row. It says where the next message,
 * the next lease and the next due time are, so that no operation searches for them.
 *
 * <pre>
 * owner        8 bytes    drawn by each opening of the queue
 * flags        1 byte     1: paused
 * numbers      unsigned LEB128 each; a time is 0 for never, else 1 + milliseconds since the epoch
 *   next id
 *   number of messages on their way to the dead letters
 *   number of messages without a time to live; the others are in the count of the row
 *   leases: next, orphans from, orphans to, line from, line due (time), line last (milliseconds),
 *           checked, outside from, outside due (time); number of leases in the head
 *   number of lanes, and for each of them: lane, from, to - from, due (time)
 *   for each lease in the head: its number, the length of its attempts, its attempts (see {@link
 *   QueueAttempts})
 * </pre>
 *
 * @param owner the opening that owns the leases from {@link QueueLeases#orphansTo} on
 * @param paused whether nothing is delivered
 * @param nextId the id of the next message
 * @param dying the number of messages on their way to the dead letters
 * @param lasting the number of messages without a time to live
 * @param leases what is known of the leases
 * @param lanes the lanes with messages, highest priority first
 */
public record QueueHead(
    long owner,
    boolean paused,
    long nextId,
    long dying,
    long lasting,
    QueueLeases leases,
    List<QueueLane> lanes) {
  /** The head of a new queue. */
  public static final QueueHead NEW = new QueueHead(0, false, 1, 0, 0, QueueLeases.NEW, List.of());

  /** The head of a queue without messages, whose ids continue. */
  public static QueueHead startingAt(long nextId, boolean paused) {
    return new QueueHead(0, paused, nextId, 0, 0, QueueLeases.NEW, List.of());
  }

  private static final int FIXED_BYTES = Long.BYTES + 1;
  private static final int LEASE_NUMBERS = 10;

  /** Encodes the record's value. */
  public byte[] encode() {
    long[] numbers = new long[4 + LEASE_NUMBERS + 4 * lanes.size()];
    int count = 0;
    numbers[count++] = nextId;
    numbers[count++] = dying;
    numbers[count++] = lasting;
    numbers[count++] = leases.next();
    numbers[count++] = leases.orphansFrom();
    numbers[count++] = leases.orphansTo();
    numbers[count++] = leases.lineFrom();
    numbers[count++] = time(leases.lineDueMillis());
    numbers[count++] = leases.lineLastMillis();
    numbers[count++] = leases.checked();
    numbers[count++] = leases.outsideFrom();
    numbers[count++] = time(leases.outsideDueMillis());
    numbers[count++] = leases.here().size();
    numbers[count++] = lanes.size();
    for (QueueLane lane : lanes) {
      numbers[count++] = lane.lane();
      numbers[count++] = lane.from();
      numbers[count++] = Math.max(0, lane.to() - lane.from());
      numbers[count++] = time(lane.dueMillis());
    }
    int length = FIXED_BYTES;
    for (long number : numbers) {
      length += Leb128.length(number);
    }
    byte[][] attempts = new byte[leases.here().size()][];
    for (int i = 0; i < attempts.length; i++) {
      attempts[i] = leases.here().get(i).attempts().encode();
      length +=
          Leb128.length(leases.here().get(i).number())
              + Leb128.length(attempts[i].length)
              + attempts[i].length;
    }
    byte[] value = new byte[length];
    BigEndian.putLong(value, 0, owner);
    value[Long.BYTES] = (byte) (paused ? 1 : 0);
    int at = FIXED_BYTES;
    for (long number : numbers) {
      at = Leb128.put(value, at, number);
    }
    for (int i = 0; i < attempts.length; i++) {
      at = Leb128.put(value, at, leases.here().get(i).number());
      at = Leb128.put(value, at, attempts[i].length);
      System.arraycopy(attempts[i], 0, value, at, attempts[i].length);
      at += attempts[i].length;
    }
    return value;
  }

  /**
   * Decodes the record's value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static QueueHead decode(byte[] value) {
    if (value.length < FIXED_BYTES || value[Long.BYTES] < 0 || value[Long.BYTES] > 1) {
      throw new CorruptStoreException(
          "the head of a queue of " + value.length + " bytes cannot be read", null);
    }
    Numbers numbers = new Numbers(value);
    long nextId = numbers.next();
    long dying = numbers.next();
    long lasting = numbers.next();
    long next = numbers.next();
    long orphansFrom = numbers.next();
    long orphansTo = numbers.next();
    long lineFrom = numbers.next();
    long lineDueMillis = numbers.nextTime();
    long lineLastMillis = numbers.next();
    long checked = numbers.next();
    long outsideFrom = numbers.next();
    long outsideDueMillis = numbers.nextTime();
    long here = numbers.next();
    long size = numbers.next();
    if (size > QueueKeyFormat.MAX_PRIORITY + 1) {
      throw new CorruptStoreException("the head of a queue has " + size + " lanes", null);
    }
    List<QueueLane> lanes = new ArrayList<>((int) size);
    for (int i = 0; i < size; i++) {
      int lane = (int) numbers.next();
      long from = numbers.next();
      lanes.add(new QueueLane(lane, from, from + numbers.next(), numbers.nextTime()));
    }
    QueueLeases leases =
        new QueueLeases(
            next,
            orphansFrom,
            orphansTo,
            lineFrom,
            lineDueMillis,
            lineLastMillis,
            checked,
            outsideFrom,
            outsideDueMillis,
            numbers.leases(here));
    return new QueueHead(
        BigEndian.getLong(value, 0), value[Long.BYTES] == 1, nextId, dying, lasting, leases, lanes);
  }

  private static long time(long millis) {
    return millis == Expiry.NEVER ? 0 : millis + 1;
  }

  /** Reads the numbers of a head one after the other. */
  private static final class Numbers {
    private final byte[] value;
    private int at = FIXED_BYTES;

    Numbers(byte[] value) {
      this.value = value;
    }

    long next() {
      long number = Leb128.getLong(value, at, value.length);
      at += Leb128.length(number);
      return number;
    }

    long nextTime() {
      long number = next();
      return number == 0 ? Expiry.NEVER : number - 1;
    }

    List<QueueLease> leases(long count) {
      if (count == 0) {
        return List.of();
      }
      if (count > QueueLeases.MAX_HERE) {
        throw new CorruptStoreException("the head of a queue has " + count + " leases", null);
      }
      List<QueueLease> leases = new ArrayList<>((int) count);
      for (int i = 0; i < count; i++) {
        long number = next();
        int length = Leb128.get(value, at, value.length);
        at += Leb128.length(length);
        if (length > value.length - at) {
          throw new CorruptStoreException("the head of a queue ends early", null);
        }
        leases.add(
            new QueueLease(
                number, QueueAttempts.decode(Arrays.copyOfRange(value, at, at + length))));
        at += length;
      }
      return leases;
    }
  }

  /** Whether a receiver may find a message now, without another change of the queue. */
  public boolean hasReady(long nowMillis) {
    return nextDueMillis() <= nowMillis || lanes.stream().anyMatch(lane -> lane.from() < lane.to());
  }

  /** No message that is not ready becomes ready before this time by itself. */
  public long nextDueMillis() {
    long next = leases.nextDueMillis();
    for (QueueLane lane : lanes) {
      next = Math.min(next, lane.dueMillis());
    }
    return next;
  }
}
