package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.StoreClosedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an {@link EntryDirectory}, in a hidden space that is created when it is first
 * written. They are shared by all caches of one name, and by all processes. Thread-safe.
 *
 * <p>A key is chosen before its entry is written. If the entry is never written, is removed, or
 * expires, a sweep ({@link #getAsBoolean}) deletes the choice.
 */
final class DirectoryEntries implements BooleanSupplier {
  /** How long an operation may take from its choice to its write, and twice that. */
  private static final long MOST_OPERATION_MILLIS = Duration.ofMinutes(15).toMillis();

  private static final long UNUSED_MILLIS = 2 * MOST_OPERATION_MILLIS;

  /** Before the name of a class; no key begins with it. */
  private static final byte WITNESS = 0x57;

  /** Keys that one step of a sweep reads. */
  private static final int PAGE = 256;

  private static final byte[] NO_SORT_KEY = Space.NO_SORT_KEY;
  private static final RecordReader<Boolean> FOUND = (bytes, offset, length, expiry) -> true;

  private final Space entries;
  private final InstantSource clock;

  /** Opens the hidden space; the argument says whether to create it. Null if there is none. */
  private final Function<Boolean, @Nullable Space> opener;

  private volatile @Nullable Space opened;
  private @Nullable RecordKey swept;

  DirectoryEntries(Space entries, InstantSource clock, Function<Boolean, @Nullable Space> opener) {
    this.entries = entries;
    this.clock = clock;
    this.opener = opener;
  }

  private @Nullable Space space(boolean create) {
    Space there = opened;
    if (there == null) {
      there = opener.apply(create);
      opened = there;
    }
    return there;
  }

  /** Runs an operation again if the hidden space was dropped, with the next one. */
  private <R extends @Nullable Object> R again(Supplier<R> operation) {
    try {
      return operation.get();
    } catch (StoreClosedException e) {
      opened = null;
      return operation.get();
    }
  }

  /** Reads the keys with one hash. One round trip. */
  DirectoryEntry read(byte[] common) {
    return again(
        () -> {
          Space there = space(false);
          return DirectoryEntry.of(there == null ? null : there.get(common, NO_SORT_KEY));
        });
  }

  /** Replaces the keys with one hash; returns false if they are not what was read. */
  boolean replace(byte[] common, DirectoryEntry read, List<DirectoryEntry.Chosen> keys) {
    RecordWrite put =
        keys.isEmpty()
            ? RecordWrite.delete(NO_SORT_KEY)
            : RecordWrite.put(NO_SORT_KEY, DirectoryEntry.bytes(keys), Expiry.NEVER);
    RecordWrite write = put.ifSame(read.record());
    try {
      return again(() -> write.isMadeOver(created().transact(common, write)));
    } catch (OutcomeUnknownException e) {
      return false; // the next read shows it
    }
  }

  private Space created() {
    Space there = space(true);
    if (there == null) {
      throw new StoreClosedException(
          "The cache \""
              + entries.name()
              + "\" was dropped, or its name is too long for keys of"
              + " this class. Open it again, or use a shorter name.");
    }
    return there;
  }

  /** Whether a choice is so old that an operation needs a newer one. */
  boolean isOld(DirectoryEntry.Chosen key) {
    return clock.millis() - key.chosenMillis() > MOST_OPERATION_MILLIS;
  }

  long nowMillis() {
    return clock.millis();
  }

  byte @Nullable [] witness(byte[] className) {
    RowRecord found =
        this.<@Nullable RowRecord>again(
            () -> {
              Space there = space(false);
              return there == null ? null : there.get(witnessKey(className), NO_SORT_KEY);
            });
    return found == null ? null : found.value();
  }

  void putWitness(byte[] className, byte[] witness) {
    RecordWrite put = RecordWrite.put(NO_SORT_KEY, witness, Expiry.NEVER).ifAbsent();
    RowRecord unused =
        this.<@Nullable RowRecord>again(() -> created().transact(witnessKey(className), put));
  }

  private static byte[] witnessKey(byte[] className) {
    return ByteBuffer.allocate(1 + className.length).put(WITNESS).put(className).array();
  }

  /** Removes all keys, after the entries were. */
  void clear() {
    Space there = space(false);
    if (there != null) {
      try {
        there.clear();
      } catch (StoreClosedException e) {
        opened = null; // it was dropped, with the keys
      }
    }
  }

  /** Deletes the choices without entries among the keys of one hash; returns how many. */
  int sweep(byte[] common) {
    DirectoryEntry read = read(common);
    List<DirectoryEntry.Chosen> used = new ArrayList<>();
    for (DirectoryEntry.Chosen key : read.keys()) {
      if (clock.millis() - key.chosenMillis() <= UNUSED_MILLIS
          || entries.get(key.entryKey(), NO_SORT_KEY, FOUND) != null) {
        used.add(key);
      }
    }
    int unused = read.keys().size() - used.size();
    return unused > 0 && replace(common, read, used) ? unused : 0;
  }

  /** Deletes unused choices of the next hashes; returns whether more follow. */
  @Override
  public synchronized boolean getAsBoolean() {
    try {
      swept = sweepPage(swept);
    } catch (IllegalStateException e) { // the cache was dropped, or the store is closed
      swept = null;
    }
    return swept != null;
  }

  private @Nullable RecordKey sweepPage(@Nullable RecordKey after) {
    Space there = space(false);
    if (there == null) {
      return null;
    }
    List<byte[]> page = new ArrayList<>(PAGE);
    try (Cursor cursor = there.scanAll(after)) {
      while (page.size() < PAGE && cursor.next()) {
        page.add(cursor.hashKey());
      }
    }
    for (byte[] common : page) {
      if (KeyCodec.isByEquality(common)) { // others are objects of classes
        int unused = sweep(common);
      }
    }
    return page.size() < PAGE ? null : new RecordKey(page.get(PAGE - 1), NO_SORT_KEY);
  }

  /** The place of a key's own bytes among those of one hash; null if it is not there. */
  static DirectoryEntry.@Nullable Chosen same(DirectoryEntry read, byte[] own) {
    for (DirectoryEntry.Chosen key : read.keys()) {
      if (Arrays.equals(key.own(), own)) {
        return key;
      }
    }
    return null;
  }
}
