package io.rockpool.cache;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.PendingChangeFormat;
import io.rockpool.internal.format.PendingChangeFormat.Pending;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The pending changes of all caches of one name, in a hidden space: at most one a key, which later
 * changes replace. A change is committed with its entry and deleted after it was written. Until
 * then loads use it instead of their loader, and its entry is not evicted.
 */
final class PendingChanges {
  final PendingIndex index = new PendingIndex();
  final Engine engine;
  private final Space space;

  /** For acknowledgements: if a power loss undoes one, the change is written again. */
  private final Space unsynced;

  private final AtomicLong sequence = new AtomicLong();
  private volatile boolean attached;

  /** A pending change as it was read. */
  record Read(RowRecord record, Pending pending) {}

  /** Reads which changes are pending. */
  PendingChanges(Engine engine, Space space) {
    this.engine = engine;
    this.space = space;
    this.unsynced = space.withDurability(Durability.BUFFERED);
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        Pending pending = PendingChangeFormat.decode(cursor.value());
        sequence.accumulateAndGet(pending.sequence(), Math::max);
        byte[] key = cursor.hashKey();
        add(EntryKey.of(key, key, false), pending, cursor.value().length);
      }
    }
  }

  private void add(EntryKey key, Pending pending, int valueLength) {
    index.changed(
        key,
        pending.sequence(),
        pending.timeMillis(),
        (long) key.bytes().length + valueLength,
        pending.cause() != null);
  }

  /** Sets whether a writer is there: then every change becomes pending. */
  void attached(boolean isAttached) {
    attached = isAttached;
  }

  boolean isAttached() {
    return attached;
  }

  /** Whether a change may become pending: its key's change is, or a writer is there. */
  boolean isUsed() {
    return attached || !index.isEmpty();
  }

  /** Whether a change of this key becomes pending. */
  boolean takes(EntryKey key) {
    return attached || index.contains(key);
  }

  Space withDurability(Durability durability) {
    return space.withDurability(durability);
  }

  Space space() {
    return space;
  }

  /**
   * Makes a change pending, in the transaction that makes it.
   *
   * @param handle a handle of this space
   * @param value the value of the entry's record; null for a removal
   */
  void record(EntryKey key, byte @Nullable [] value, Space handle) {
    EntryKey bytes = key.byBytes();
    Pending pending =
        new Pending(sequence.incrementAndGet(), engine.clock().millis(), 0, null, value);
    byte[] encoded = PendingChangeFormat.encode(pending);
    handle.put(bytes.bytes(), Space.NO_SORT_KEY, encoded, Expiry.NEVER);
    engine.afterCommit(() -> add(bytes, pending, encoded.length));
  }

  /** The pending change of a key, or null; in a transaction with its own changes. One read. */
  @Nullable Read read(byte[] key) {
    return read(space.get(key, Space.NO_SORT_KEY));
  }

  private static @Nullable Read read(@Nullable RowRecord record) {
    return record == null ? null : new Read(record, PendingChangeFormat.decode(record.value()));
  }

  /** The pending changes of items, in their order. */
  List<@Nullable Read> readAll(List<PendingItem> items) {
    List<@Nullable Read> all = new ArrayList<>(items.size());
    space
        .getAll(
            items.stream().map(item -> new RecordKey(item.key.bytes(), Space.NO_SORT_KEY)).toList())
        .forEach(record -> all.add(read(record)));
    return all;
  }

  /** Deletes changes that were written, unless later ones have replaced them. */
  void acknowledge(List<Read> written) {
    engine.atomically(
        () -> {
          for (Read read : written) {
            delete(read);
          }
          return written;
        });
  }

  /** Deletes a change unless a later one has replaced it; returns whether it did. */
  boolean delete(Read read) {
    return unsynced.transact(
        read.record.hashKey(),
        row -> {
          boolean same = row.isUnchanged(Space.NO_SORT_KEY, read.record);
          if (same) {
            row.delete(Space.NO_SORT_KEY);
          }
          return same;
        });
  }

  /** Replaces what is known of a change, unless a later one has replaced it; whether it did. */
  boolean update(Read read, Pending after) {
    byte[] encoded = PendingChangeFormat.encode(after);
    return unsynced.transact(
        read.record.hashKey(),
        row -> {
          boolean same = row.isUnchanged(Space.NO_SORT_KEY, read.record);
          if (same) {
            row.put(Space.NO_SORT_KEY, encoded, Expiry.NEVER);
          }
          return same;
        });
  }
}
