package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.ArrayList;
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
 *   leases: next, orphans from, orphans to, line from, line due (time), line last (milliseconds),
 *           checked, outside from, outside due (time)
 *   number of lanes, and for each of them: lane, from, to - from, due (time)
 * </pre>
 *
 * @param owner the opening that owns the leases from {@link QueueLeases#orphansTo} on
 * @param paused whether nothing is delivered
 * @param nextId the id of the next message
 * @param dying the number of messages on their way to the dead letters
 * @param leases what is known of the leases
 * @param lanes the lanes with messages, highest priority first
 */
public record QueueHead(
    long owner,
    boolean paused,
    long nextId,
    long dying,
    QueueLeases leases,
    List<QueueLane> lanes) {
  /** The head of a new queue. */
  public static final QueueHead NEW = new QueueHead(0, false, 1, 0, QueueLeases.NEW, List.of());

  private static final int FIXED_BYTES = Long.BYTES + 1;
  private static final int LEASE_NUMBERS = 9;

  /** Encodes the record's value. */
  public byte[] encode() {
    long[] numbers = new long[3 + LEASE_NUMBERS + 4 * lanes.size()];
    int count = 0;
    numbers[count++] = nextId;
    numbers[count++] = dying;
    numbers[count++] = leases.next();
    numbers[count++] = leases.orphansFrom();
    numbers[count++] = leases.orphansTo();
    numbers[count++] = leases.lineFrom();
    numbers[count++] = time(leases.lineDueMillis());
    numbers[count++] = leases.lineLastMillis();
    numbers[count++] = leases.checked();
    numbers[count++] = leases.outsideFrom();
    numbers[count++] = time(leases.outsideDueMillis());
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
    byte[] value = new byte[length];
    BigEndian.putLong(value, 0, owner);
    value[Long.BYTES] = (byte) (paused ? 1 : 0);
    int at = FIXED_BYTES;
    for (long number : numbers) {
      at = Leb128.put(value, at, number);
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
    QueueLeases leases =
        new QueueLeases(
            numbers.next(),
            numbers.next(),
            numbers.next(),
            numbers.next(),
            numbers.nextTime(),
            numbers.next(),
            numbers.next(),
            numbers.next(),
            numbers.nextTime());
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
    return new QueueHead(
        BigEndian.getLong(value, 0), value[Long.BYTES] == 1, nextId, dying, leases, lanes);
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
  }

  /** Whether a receiver may find a message now, without another change of the queue. */
  public boolean hasReady(long nowMillis) {
    return nextDueMillis() <= nowMillis || lanes.stream().anyMatch(lane -> lane.from() < lane.to());
  }

  /** No message that is not ready becomes ready before this time by itself. */
  public long nextDueMillis() {
    if (leases.orphansFrom() < leases.orphansTo()) {
      return 0;
    }
    long next = Math.min(leases.lineDueMillis(), leases.outsideDueMillis());
    for (QueueLane lane : lanes) {
      next = Math.min(next, lane.dueMillis());
    }
    return next;
  }
}
