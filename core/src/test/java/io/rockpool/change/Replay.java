package io.rockpool.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a consumer knows after the changes that it has applied. */
final class Replay<K, V> {
  /** The key of values and counters. */
  static final String ONLY = "only";

  private final ChangeFeed<K, V> feed;
  private final Map<Object, Living> all = new LinkedHashMap<>();
  private Optional<Instant> clearsAt = Optional.empty();
  private long position;
  private long transaction;

  private record Living(Object value, Optional<Instant> expires) {}

  Replay(ChangeFeed<K, V> feed) {
    this.feed = feed;
    this.position = feed.oldest();
  }

  /** Applies what is new, and returns what should be there now. */
  Map<Object, Object> catchUp(Instant now) {
    long next = feed.next();
    feed.from(position).forEach(this::apply);
    assertThat(position).isGreaterThanOrEqualTo(next);
    clearIfDue(now);
    Map<Object, Object> living = new LinkedHashMap<>();
    all.forEach(
        (key, it) -> {
          if (it.expires.isEmpty() || it.expires.get().isAfter(now)) {
            living.put(key, it.value);
          }
        });
    return living;
  }

  private void apply(ChangeEvent<K, V> change) {
    assertThat(change.position()).isEqualTo(position++);
    assertThat(change.transaction()).isBetween(transaction, change.position());
    transaction = change.transaction();
    clearIfDue(change.time());
    Object key = change.key() == null ? ONLY : change.key();
    switch (change.kind()) {
      case PUT -> {
        Object value = change.value() == null ? "" : change.value();
        all.put(key, new Living(value, change.expires()));
      }
      case REMOVE -> all.remove(key);
      case CLEAR -> all.clear();
      case CLEAR_AT -> clearsAt = change.expires();
    }
  }

  private void clearIfDue(Instant now) {
    if (clearsAt.isPresent() && !clearsAt.get().isAfter(now)) {
      all.clear();
      clearsAt = Optional.empty();
    }
  }
}
