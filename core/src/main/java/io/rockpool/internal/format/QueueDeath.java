package io.rockpool.internal.format;

import io.rockpool.internal.bytes.Leb128;
import java.nio.ByteBuffer;

/**
 * Why and when a message became a dead letter: a part of {@link QueueMessage}.
 *
 * <pre>
 * queue, cause, group   length (LEB128) and UTF-8 each; the group is empty for none
 * id, priority, deliveries, first delivery, death   LEB128 each; times in milliseconds
 * </pre>
 *
 * @param queue the queue that gave it up
 * @param cause why its last delivery failed
 * @param group its group there, or empty
 * @param id its id there
 * @param priority its priority there
 * @param deliveries how often it was delivered there
 * @param firstMillis when it was first delivered there; 0 for never
 * @param diedMillis when it was given up
 */
public record QueueDeath(
    String queue,
    String cause,
    String group,
    long id,
    int priority,
    int deliveries,
    long firstMillis,
    long diedMillis) {
  int length() {
    return Utf8Text.length(queue)
        + Utf8Text.length(cause)
        + Utf8Text.length(group)
        + Leb128.length(id)
        + Leb128.length(priority)
        + Leb128.length(deliveries)
        + Leb128.length(firstMillis)
        + Leb128.length(diedMillis);
  }

  void put(ByteBuffer record) {
    Utf8Text.put(record, queue);
    Utf8Text.put(record, cause);
    Utf8Text.put(record, group);
    RecordNumber.put(record, id);
    RecordNumber.put(record, priority);
    RecordNumber.put(record, deliveries);
    RecordNumber.put(record, firstMillis);
    RecordNumber.put(record, diedMillis);
  }

  static QueueDeath get(ByteBuffer record) {
    return new QueueDeath(
        Utf8Text.get(record),
        Utf8Text.get(record),
        Utf8Text.get(record),
        RecordNumber.get(record),
        (int) RecordNumber.get(record),
        (int) RecordNumber.get(record),
        RecordNumber.get(record),
        RecordNumber.get(record));
  }
}
