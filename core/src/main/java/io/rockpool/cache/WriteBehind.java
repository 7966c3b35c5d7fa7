package io.rockpool.cache;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.format.PendingChangeFormat.Pending;
import io.rockpool.internal.logging.LoggerNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of a cache that its {@link BatchWriter} has yet to write, and those that were given
 * up; see {@link CacheOptions#writeBehind(BatchWriter, WriteBehindOptions)}. Thread-safe.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class WriteBehind<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final CacheEntries<K, V> entries;

  WriteBehind(CacheEntries<K, V> entries) {
    this.entries = entries;
  }

  /** The changes that are to be written, at most one a key; without dead letters. O(1). */
  public long pending() {
    entries.ensureOpen();
    return entries.pendingAmount().changes();
  }

  /**
   * Writes every change that was made before the call, and waits for that. Keys that wait after a
   * failure are tried once immediately, and then after their pauses. Dead letters are not tried:
   * see {@link #deadLetters}.
   *
   * @param timeout how long to wait at most
   * @return whether all of these changes were written; false if some are still pending, or if one
   *     was given up, in this call or before, and is a dead letter
   * @throws InterruptedException if the thread is interrupted; the changes stay pending
   * @throws IllegalStateException inside a transaction, or if changes are pending and the cache was
   *     opened without a writer
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    Objects.requireNonNull(timeout, "timeout");
    if (entries.inTransaction()) {
      throw new IllegalStateException(
          "flush of the cache \""
              + entries.space().name()
              + "\" was called inside a transaction, whose changes are pending only after the"
              + " commit. Call it after the transaction.");
    }
    long pending = pending();
    Draining drainer = entries.shared.drainer;
    if (drainer != null) {
      return drainer.flush(timeout);
    }
    if (pending > 0) {
      throw new IllegalStateException(
          "The cache \""
              + entries.space().name()
              + "\" has "
              + pending
              + " pending changes and was opened without a writer. Open it with its writer.");
    }
    return entries.pendingAmount().dead() == 0;
  }

  /**
   * The changes that were given up, in no particular order. One read for each. Those whose key or
   * value cannot be decoded are left out and logged; {@link #retry}, {@link #retryAll} and {@link
   * #drop} find them.
   */
  public List<DeadChange<K, V>> deadLetters() {
    entries.ensureOpen();
    PendingChanges changes = entries.shared.pending;
    List<DeadChange<K, V>> letters = new ArrayList<>();
    if (changes != null) {
      for (EntryKey key : changes.index.deadKeys()) {
        PendingChanges.Read read = changes.read(key.bytes());
        try {
          DeadChange<K, V> letter = letter(key, read);
          if (letter != null) {
            letters.add(letter);
          }
        } catch (UndecodableValueException e) {
          LOG.warn(
              "A dead letter of the cache \"{}\" is not listed: {}",
              entries.space().name(),
              e.getMessage());
        }
      }
    }
    return letters;
  }

  private @Nullable DeadChange<K, V> letter(EntryKey key, PendingChanges.@Nullable Read read) {
    Pending pending = read == null ? null : read.pending();
    String cause = pending == null ? null : pending.cause();
    return pending == null || cause == null
        ? null
        : new DeadChange<>(
            entries.format.decodeKey(key.bytes()),
            entries.format.pendingValue(pending),
            pending.attempts(),
            cause,
            Instant.ofEpochMilli(pending.timeMillis()));
  }

  /** Tries a dead letter again, with no attempts counted; returns whether there is one. */
  public boolean retry(K key) {
    EntryKey entryKey = key(key);
    PendingChanges changes = entries.shared.pending;
    return changes != null && retry(changes, entryKey.byBytes());
  }

  private static boolean retry(PendingChanges changes, EntryKey key) {
    PendingChanges.Read read = changes.read(key.bytes());
    boolean revived =
        read != null
            && read.pending().cause() != null
            && changes.update(read, read.pending().failed(0, null));
    if (revived) {
      changes.engine.afterCommit(() -> changes.index.revive(key));
    }
    return revived;
  }

  /** Tries all dead letters again; returns how many. */
  public int retryAll() {
    entries.ensureOpen();
    PendingChanges changes = entries.shared.pending;
    int retried = 0;
    if (changes != null) {
      for (EntryKey key : changes.index.deadKeys()) {
        retried += retry(changes, key) ? 1 : 0;
      }
    }
    return retried;
  }

  /**
   * Drops a dead letter with the entry of its key, so that the next load reads what the target has.
   * Atomic. Listeners are not notified.
   *
   * @return whether there was one
   */
  public boolean drop(K key) {
    EntryKey entryKey = key(key);
    PendingChanges changes = entries.shared.pending;
    PendingChanges.Read read = changes == null ? null : changes.read(entryKey.bytes());
    if (changes == null || read == null || read.pending().cause() == null) {
      return false;
    }
    boolean dropped =
        entries.engine.atomically(
            () -> {
              boolean deleted = changes.delete(read);
              if (deleted) {
                entries.updates.delete(entryKey);
              }
              return deleted;
            });
    if (dropped) {
      entries.engine.afterCommit(() -> changes.index.dropped(entryKey.byBytes()));
    }
    return dropped;
  }

  private EntryKey key(K key) {
    entries.ensureOpen();
    return entries.format.keyToRead(Objects.requireNonNull(key, "key"));
  }
}
