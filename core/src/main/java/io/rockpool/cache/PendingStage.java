package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.store.Durability;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How write-behind joins the changes of one cache: which of them become pending, and how. Used only
 * where the name of the cache has, or had, a writer.
 */
final class PendingStage<V> {
  private final Engine engine;
  private final CacheEntryFormat<?, V> format;
  private final SharedSpace shared;
  private final PendingChanges changes;

  /** The space of pending changes, with the durability of this cache. */
  private final Space space;

  PendingStage(
      Engine engine,
      CacheEntryFormat<?, V> format,
      SharedSpace shared,
      PendingChanges changes,
      Optional<Durability> durability) {
    this.engine = engine;
    this.format = format;
    this.shared = shared;
    this.changes = changes;
    this.space = durability.map(changes::withDurability).orElseGet(changes::space);
  }

  /** Whether changes may become pending, so that no write may pass the conditional ones. */
  boolean readsFirst() {
    return changes.isUsed();
  }

  /** Whether a change is one that becomes pending. */
  boolean takes(EntryKey key, Change<V> change) {
    return change.behind() != null && changes.takes(key);
  }

  /**
   * Waits until a change may become pending, if it is to be; not in a transaction.
   *
   * @throws IllegalArgumentException if it is one of a foreign key
   */
  void admit(PlannedWrite<V> plan) {
    if (!takes(plan.key(), plan.change())) {
      return;
    }
    if (format.isForeign(plan.key())) {
      throw new IllegalArgumentException(
          "A key of the cache \""
              + shared.space.name()
              + "\" has a class that only its equals can compare, so its changes cannot be written"
              + " behind. Use keys whose bytes are equal, such as strings, numbers or records.");
    }
    Draining drainer = shared.drainer;
    if (drainer != null) {
      drainer.admit(plan.key());
    }
  }

  /**
   * Makes a change, and makes it pending in the same transaction if it is to be.
   *
   * @param written the record that the change puts; null if it puts none
   * @param change changes the entry; returns whether it did
   */
  boolean write(PlannedWrite<V> plan, @Nullable EncodedEntry written, BooleanSupplier change) {
    Change.Behind<V> behind = plan.change().behind();
    if (behind == null || !changes.takes(plan.key())) {
      return change.getAsBoolean();
    }
    byte[] bytes = pendingValue(plan.key(), behind.value(), written);
    return engine.atomically(
        () -> {
          boolean done = change.getAsBoolean();
          if (done) {
            changes.record(plan.key(), bytes, space);
          }
          return done;
        });
  }

  private byte @Nullable [] pendingValue(
      EntryKey key, @Nullable V value, @Nullable EncodedEntry written) {
    if (value == null) {
      return null;
    }
    return written == null ? format.write(key, value, Expiry.NEVER, null).value() : written.value();
  }

  /** The pending change of a key, which is newer than what a loader would return. One read. */
  Change.@Nullable Behind<V> newest(EntryKey key) {
    PendingChanges.Read read = changes.read(key.bytes());
    return read == null ? null : new Change.Behind<>(format.pendingValue(read.pending()));
  }
}
