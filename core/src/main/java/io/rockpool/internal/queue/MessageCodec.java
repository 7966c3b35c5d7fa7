package io.rockpool.internal.queue;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Expiry;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueDeath;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.internal.format.Utf8;
import io.rockpool.internal.queue.QueueRow.Outgoing;
import io.rockpool.queue.SendOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts between messages and their records. */
final class MessageCodec<T> {
  private static final int MAX_DEDUPLICATION_BYTES = 1_024;
  private static final int MAX_HEADER_BYTES = 64 << 10;

  private final QueueSpace space;
  private final Codec<T> codec;

  MessageCodec(QueueSpace space, Codec<T> codec) {
    this.space = space;
    this.codec = codec;
  }

  /** The content of a message. */
  byte[] encode(T message) {
    try {
      return codec.encode(Objects.requireNonNull(message, "message"));
    } catch (UnencodableValueException e) {
      String why = space + " cannot keep an object. " + e.getMessage();
      throw new UnencodableValueException(why, space.name(), e.className().orElse(null), e);
    }
  }

  T decode(long id, QueueMessage message) {
    byte[] value = message.value();
    try {
      return codec.decode(value, message.contentAt(), value.length - message.contentAt());
    } catch (UndecodableValueException e) {
      throw new UndecodableValueException(
          "Message "
              + id
              + " of the queue \""
              + space.name()
              + "\" cannot be decoded: "
              + e.getMessage(),
          space.name(),
          null,
          String.valueOf(id),
          e);
    }
  }

  /** A message to send now. */
  static Outgoing outgoing(byte[] content, SendOptions options, long nowMillis) {
    return new Outgoing(
        new QueueMessage(nowMillis, checked(options.headers()), null, content, 0).encode(),
        options.priority(),
        after(nowMillis, options.delay()),
        bytes("group", options.group(), QueueKeyFormat.MAX_GROUP_BYTES),
        bytes("deduplication id", options.deduplicationId(), MAX_DEDUPLICATION_BYTES),
        Expiry.after(nowMillis, options.deduplicationWindow()),
        options.timeToLive() == null
            ? Expiry.NEVER
            : Expiry.after(nowMillis, options.timeToLive()));
  }

  private static long after(long nowMillis, Duration delay) {
    return delay.isZero() ? 0 : Math.min(Expiry.after(nowMillis, delay), Expiry.MAX_MILLIS);
  }

  /** The dead letter of a message that a queue gave up, with the time when it expires. */
  static Outgoing deadLetter(String queue, Taken taken, long expiryMillis) {
    QueueAttempts attempts = taken.attempts();
    byte[] key = attempts.messageKey();
    QueueMessage message = QueueMessage.decode(taken.value());
    QueueDeath death =
        new QueueDeath(
            queue,
            attempts.cause(),
            QueueKeyFormat.isGrouped(key)
                ? new String(QueueKeyFormat.groupOf(key), StandardCharsets.UTF_8)
                : null,
            attempts.id(),
            QueueKeyFormat.MAX_PRIORITY - QueueKeyFormat.laneOf(key),
            attempts.deliveries(),
            attempts.firstMillis(),
            attempts.dueMillis());
    return new Outgoing(
        new QueueMessage(
                message.sentMillis(),
                message.headers(),
                death,
                message.value(),
                message.contentAt())
            .encode(),
        0,
        0,
        null,
        null,
        0,
        expiryMillis);
  }

  /** A dead letter to send again now, as a message of the queue that gave it up. */
  static Outgoing again(QueueMessage letter, QueueDeath death) {
    String group = death.group();
    QueueMessage message =
        new QueueMessage(
            letter.sentMillis(), letter.headers(), null, letter.value(), letter.contentAt());
    return new Outgoing(
        message.encode(),
        group == null ? death.priority() : 0,
        0,
        group == null ? null : group.getBytes(StandardCharsets.UTF_8),
        null,
        0,
        Expiry.NEVER);
  }

  private static byte @Nullable [] bytes(String what, @Nullable String text, int most) {
    if (text == null) {
      return null;
    }
    byte[] bytes = Utf8.bytes("The " + what + " of a message", text);
    check(what, most, bytes.length);
    return bytes;
  }

  private static Map<String, String> checked(Map<String, String> headers) {
    int length = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      length += Utf8.bytes("The key of a header", header.getKey()).length;
      length += Utf8.bytes("The header \"" + header.getKey() + "\"", header.getValue()).length;
    }
    check("headers", MAX_HEADER_BYTES, length);
    return headers;
  }

  private static void check(String what, int most, int length) {
    if (length > most) {
      throw new LimitExceededException(
          "The message has "
              + length
              + " bytes of "
              + what
              + ", past the limit of "
              + most
              + " bytes; make it shorter.",
          what,
          most,
          length,
          null);
    }
  }
}
