package io.rockpool.internal.format;

import io.rockpool.internal.bytes.Leb128;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Why and when a message became a dead letter: a part of {@link QueueMessage}.
 *
 * <pre>
 * queue, cause, group   length (LEB128) and UTF-8 each; the group is empty for none, and for an
 *                       empty one, which is a flag of the message
 * id, priority, deliveries, first delivery, death   LEB128 each; times in milliseconds
 * </pre>
 *
 * @param queue the queue that gave it up
 * @param cause why its last delivery failed
 * @param group its group there, or null
 * @param id its id there
 * @param priority its priority there
 * @param deliveries how often it was delivered there
 * @param firstMillis when it was first delivered there; 0 for never
 * @param diedMillis when it was given up
 */
public record QueueDeath(
    String queue,
    String cause,
    @Nullable String group,
    long id,
    int priority,
    int deliveries,
    long firstMillis,
    long diedMillis) {
  int length() {
    return Utf8Text.length(queue)
        + Utf8Text.length(cause)
        + Utf8Text.length(storedGroup())
        + Leb128.length(id)
        + Leb128.length(priority)
        + Leb128.length(deliveries)
        + Leb128.length(firstMillis)
        + Leb128.length(diedMillis);
  }

  void put(ByteBuffer record) {
    Utf8Text.put(record, queue);
    Utf8Text.put(record, cause);
    Utf8Text.put(record, storedGroup());
    RecordNumber.put(record, id);
    RecordNumber.put(record, priority);
    RecordNumber.put(record, deliveries);
    RecordNumber.put(record, firstMillis);
    RecordNumber.put(record, diedMillis);
  }

  private String storedGroup() {
    return group == null ? "" : group;
  }

  /** Whether the group is the one whose name is empty. */
  boolean isOfEmptyGroup() {
    return group != null && group.isEmpty();
  }

  static QueueDeath get(ByteBuffer record, boolean ofEmptyGroup) {
    String queue = Utf8Text.get(record);
    String cause = Utf8Text.get(record);
    String group = Utf8Text.get(record);
    return new QueueDeath(
        queue,
        cause,
        group.isEmpty() && !ofEmptyGroup ? null : group,
        RecordNumber.get(record),
        (int) RecordNumber.get(record),
        (int) RecordNumber.get(record),
        RecordNumber.get(record),
        RecordNumber.get(record));
  }
}
