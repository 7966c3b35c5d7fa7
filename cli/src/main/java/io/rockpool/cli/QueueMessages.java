package io.rockpool.cli;

import io.rockpool.engine.Cursor;
import io.rockpool.internal.format.QueueDeath;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages of a queue or timer among its records. */
final class QueueMessages {
  private QueueMessages() {}

  /** Whether a type of names has messages. */
  static boolean areIn(String type) {
    return type.equals("queue") || type.equals("timer");
  }

  /** Whether a record is a message, not the state of one or of the queue. */
  static boolean isMessage(byte[] sortKey, byte[] value) {
    return sortKey.length > 0
        && switch (sortKey[0]) {
          case QueueKeyFormat.FRESH -> QueueMessage.turnOf(value) == null;
          case QueueKeyFormat.DELAYED, QueueKeyFormat.GROUPED -> true;
          default -> false;
        };
  }

  /** The message of a record; null if it is none. */
  static @Nullable Element of(Cursor record) {
    byte[] key = record.sortKey();
    byte[] value = record.value();
    if (!isMessage(key, value)) {
      return null;
    }
    QueueMessage message = QueueMessage.decode(value);
    byte[] content = Arrays.copyOfRange(value, message.contentAt(), value.length);
    return new Element(
        null, null, content, null, false, record.expiryMillis(), properties(key, message));
  }

  private static Map<String, Object> properties(byte[] key, QueueMessage message) {
    QueueDeath death = message.death();
    return Output.row(
        "id",
        QueueKeyFormat.idOf(key),
        "priority",
        QueueKeyFormat.MAX_PRIORITY - QueueKeyFormat.laneOf(key),
        "group",
        QueueKeyFormat.isGrouped(key)
            ? new String(QueueKeyFormat.groupOf(key), StandardCharsets.UTF_8)
            : null,
        "sent",
        Instant.ofEpochMilli(message.sentMillis()).toString(),
        "headers",
        message.headers().isEmpty() ? null : message.headers(),
        "died in",
        death == null ? null : death.queue(),
        "cause",
        death == null || death.cause().isEmpty() ? null : death.cause());
  }
}
