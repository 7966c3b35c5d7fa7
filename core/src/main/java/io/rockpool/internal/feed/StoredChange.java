package io.rockpool.internal.feed;

import io.rockpool.change.ChangeEvent;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.LoggedChange;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A change as it was logged. */
record StoredChange<K, V>(long position, LoggedChange logged, ChangeDecoder<K, V> decoder)
    implements ChangeEvent<K, V> {

  @Override
  public long transaction() {
    return position - logged.offset();
  }

  @Override
  public Instant time() {
    return Instant.ofEpochMilli(logged.timeMillis());
  }

  @Override
  public Kind kind() {
    return switch (logged.kind()) {
      case LoggedChange.REMOVAL -> Kind.REMOVE;
      case LoggedChange.PUT -> Kind.PUT;
      case LoggedChange.CLEAR -> Kind.CLEAR;
      default -> Kind.CLEAR_AT;
    };
  }

  private boolean isPut() {
    return logged.kind() == LoggedChange.PUT;
  }

  @Override
  public @Nullable K key() {
    return isPut() || logged.kind() == LoggedChange.REMOVAL ? decoder.key().apply(logged) : null;
  }

  @Override
  public @Nullable V value() {
    return isPut() ? decoder.value().apply(logged) : null;
  }

  @Override
  public Optional<Instant> expires() {
    long millis = isPut() ? decoder.expiryMillis().applyAsLong(logged) : logged.expiryMillis();
    return millis == Expiry.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** The position and kind; neither key nor value. */
  @Override
  public String toString() {
    return kind() + " at " + position;
  }
}
