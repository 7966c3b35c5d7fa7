package io.rockpool.internal.queue;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.format.QueueDeath;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.queue.DeadLetter;
import io.rockpool.queue.QueuedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message as it was read. */
class StoredMessage<T> implements QueuedMessage<T> {
  private final MessageCodec<T> codec;
  private final Taken taken;
  private volatile @Nullable QueueMessage record;
  private volatile @Nullable T decoded;

  StoredMessage(MessageCodec<T> codec, Taken taken) {
    this.codec = codec;
    this.taken = taken;
  }

  Taken taken() {
    return taken;
  }

  /** The record, decoded when it is first used. */
  QueueMessage record() {
    QueueMessage known = record;
    if (known == null) {
      known = QueueMessage.decode(taken.value());
      record = known;
    }
    return known;
  }

  @Override
  public long id() {
    return taken.attempts().id();
  }

  @Override
  public T message() {
    T known = decoded;
    return known == null ? decodeOnce() : known;
  }

  private synchronized T decodeOnce() {
    T known = decoded;
    if (known == null) {
      known = codec.decode(id(), record());
      decoded = known;
    }
    return known;
  }

  /** Whether the message can be decoded. */
  boolean isDecodable() {
    try {
      return message() != null;
    } catch (UndecodableValueException e) {
      return false;
    }
  }

  @Override
  public Instant sent() {
    return Instant.ofEpochMilli(record().sentMillis());
  }

  @Override
  public int deliveries() {
    return taken.attempts().deliveries();
  }

  @Override
  public int priority() {
    return QueueKeyFormat.MAX_PRIORITY - QueueKeyFormat.laneOf(taken.attempts().messageKey());
  }

  @Override
  public Optional<String> group() {
    byte[] key = taken.attempts().messageKey();
    return QueueKeyFormat.isGrouped(key)
        ? Optional.of(new String(QueueKeyFormat.groupOf(key), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  @Override
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(record().headers());
  }

  @Override
  public Optional<DeadLetter> deadLetter() {
    QueueDeath death = record().death();
    return death == null
        ? Optional.empty()
        : Optional.of(
            new DeadLetter(
                death.queue(),
                death.id(),
                death.cause(),
                death.deliveries(),
                Instant.ofEpochMilli(death.firstMillis()),
                Instant.ofEpochMilli(death.diedMillis()),
                death.priority(),
                Optional.ofNullable(death.group())));
  }

  @Override
  public String toString() {
    return "Message " + id() + ", delivery " + deliveries();
  }
}
