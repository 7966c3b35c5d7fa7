package io.rockpool.cache;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.HotKeysFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Saves which keys of a cache are hot, and reads their entries back into its hot tier when it is
 * opened again. It reads the current entries, by the rules of any other read, and skips keys
 * without one.
 */
final class WarmRestart<K, V> {
  /** Keys per native call: some tenths of a millisecond of work. */
  private static final int BATCH = 128;

  private static final String KEEPING = "Writing which keys are hot of";

  /** The minimum size of a saved key. */
  private static final int LEAST_KEY_BYTES = HotKeysFormat.bytes(Long.BYTES);

  private final CacheEntries<K, V> entries;
  private final HotTier tier;
  private final HotKeys kept;

  /** Completed when no more entries are read back. */
  final CompletableFuture<@Nullable Void> broughtBack = new CompletableFuture<>();

  /** Held while keys are saved, so that the later of two threads does not save older keys. */
  private final OrderedLock saving = new OrderedLock(LockLevel.HOT_KEYS);

  private volatile boolean stopped;

  /** Whether the tier's keys should be saved: not before half of it has been read back. */
  private volatile boolean settled;

  /**
   * The number of reads and writes when the keys were last saved. The stored keys are those of a
   * cache that was not used yet.
   */
  private volatile long keptAtUses;

  WarmRestart(CacheEntries<K, V> entries, HotTier tier, HotKeys kept) {
    this.entries = entries;
    this.tier = tier;
    this.kept = kept;
  }

  /**
   * Reads back what was hot, the most used first, until the tier is full or {@link #stop} is
   * called.
   *
   * @param rest called after each batch with the nanoseconds it took; waits
   */
  void bringBack(LongConsumer rest) {
    try {
      settled = bringBackAll(rest);
    } catch (IllegalStateException e) {
      stopped = true; // the cache was closed or dropped
    } catch (RuntimeException | Error e) {
      failed("Bringing back what was in memory of", e);
      settled = true;
    } finally {
      broughtBack.complete(null);
    }
  }

  private boolean bringBackAll(LongConsumer rest) {
    for (int number = 0; ; number++) {
      List<byte[]> part = kept.part(number);
      if (part == null) {
        return true;
      }
      for (int from = 0; from < part.size(); from += BATCH) {
        if (stopped) {
          return false;
        }
        long begun = System.nanoTime();
        if (!bringBack(part.subList(from, Math.min(from + BATCH, part.size())))) {
          return true;
        }
        rest.accept(System.nanoTime() - begun);
      }
    }
  }

  /** Reads back the entries of these keys; returns whether there is room for more. */
  private boolean bringBack(List<byte[]> keys) {
    List<EntryKey> wanted = new ArrayList<>(keys.size());
    for (byte[] bytes : keys) {
      EntryKey key = known(bytes);
      if (key != null && !tier.holds(key.hot())) {
        wanted.add(key);
      }
    }
    long[] tickets = wanted.stream().mapToLong(entries.writes::ticket).toArray();
    List<@Nullable RowRecord> records =
        entries
            .space()
            .getAll(
                wanted.stream().map(key -> new RecordKey(key.bytes(), Space.NO_SORT_KEY)).toList());
    for (int i = 0; i < tickets.length && !tier.isFull(); i++) {
      RowRecord record = records.get(i);
      if (record != null) {
        bringBack(wanted.get(i), tickets[i], record);
      }
    }
    return !tier.isFull();
  }

  private void bringBack(EntryKey key, long ticket, RowRecord record) {
    byte[] bytes = record.value();
    HotEntry entry;
    try {
      HotEntry read = entries.format.hotReader.read(bytes, 0, bytes.length, record.expiryMillis());
      entry = read == null ? null : entries.format.shared(read, entries.format.value(read));
    } catch (UndecodableValueException e) {
      return; // a later read reports it
    }
    if (entry != null && !entries.reader.isPast(key, entry)) {
      boolean unused =
          entries.writes.admit(
              key,
              ticket,
              () -> {
                if (!tier.holds(
                    key.hot())) { // a thread that has read it keeps getting the same instance
                  tier.put(key.hot(), entry);
                  entries.counters.warmed.increment();
                }
              });
    }
  }

  /** The key with these bytes; null if it is no longer a key of this cache. */
  private @Nullable EntryKey known(byte[] bytes) {
    try {
      return entries.format.keyOf(bytes);
    } catch (UndecodableValueException e) {
      return null;
    }
  }

  /** Stops reading back. */
  void stop() {
    stopped = true;
  }

  /**
   * Saves the hot keys, unless nothing was read or written since the last time, or the tier is
   * suspended and so empty.
   */
  void keep() {
    long uses = entries.counters.uses();
    if (!settled || uses == keptAtUses || tier.isSuspended()) {
      return;
    }
    try {
      kept.prepare();
      List<byte[]> keys = hottest(); // before the lock: a key codec may be the application's
      saving.lock();
      try {
        if (uses > keptAtUses) { // otherwise another thread has saved later ones
          kept.save(keys);
          keptAtUses = uses;
        }
      } finally {
        saving.unlock();
      }
      EngineUpkeep.of(entries.engine).upkeep().succeeded(name(KEEPING));
    } catch (IllegalStateException e) {
      stopped = true; // the cache was closed or dropped
    } catch (StoreFullException | ReadOnlyStoreException e) {
      // They are hints. Their absence only makes the next start colder.
    } catch (RuntimeException | Error e) {
      failed(KEEPING, e);
    }
  }

  private void failed(String what, Throwable e) {
    EngineUpkeep.of(entries.engine).upkeep().failed(name(what), e);
  }

  private String name(String what) {
    return what + " the cache \"" + entries.space().name() + "\"";
  }

  /** The keys in memory, the most used first, about as many as can be saved. */
  private List<byte[]> hottest() {
    List<byte[]> keys = new ArrayList<>();
    long bytes = 0;
    for (Object hotKey : tier.hottest(HotKeys.MAX_BYTES / LEAST_KEY_BYTES)) {
      byte[] key = entries.format.bytesOf(hotKey);
      bytes += HotKeysFormat.bytes(key.length);
      if (bytes > HotKeys.MAX_BYTES) {
        break;
      }
      keys.add(key);
    }
    return keys;
  }
}
