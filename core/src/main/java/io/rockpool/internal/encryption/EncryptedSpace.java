package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.internal.engine.ForwardingSpace;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Encrypts what is put into another space, and decrypts what is read from it. */
final class EncryptedSpace extends ForwardingSpace {
  private final Engine engine;
  private final SpaceCipher cipher;
  private final EncryptedView view;
  private final Copies copies;

  /** Copies the records of a space, with their keys. */
  @FunctionalInterface
  interface Copies {
    void copy(EncryptedSpace from, Space to);
  }

  /**
   * Creates a space.
   *
   * @param engine the engine of the other space
   * @param copies does {@link #copyTo}
   */
  EncryptedSpace(Engine engine, Space space, SpaceKeys keys, Copies copies) {
    super(space);
    this.engine = engine;
    this.cipher = new SpaceCipher(space.name(), keys);
    this.view = new EncryptedView(space, cipher);
    this.copies = copies;
  }

  /** The space with the encrypted records. */
  Space encrypted() {
    return space();
  }

  Engine engine() {
    return engine;
  }

  SpaceKeys keys() {
    return cipher.keys();
  }

  @Override
  public SpaceInfo info() {
    return NameKeys.shown(space().info());
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    return view.get(hashKey, sortKey, reader);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return view.getAll(keys);
  }

  @Override
  public long count(byte[] hashKey) {
    return view.count(hashKey);
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return view.scan(hashKey, range, direction, limit);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    return view.scanAll(after, upTo);
  }

  @Override
  public List<RecordKey> splits(int parts) {
    return view.splits(parts);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    if (cipher.keys().isClear()) {
      space().put(hashKey, sortKey, value, expiryMillis);
      return;
    }
    int begun = begin();
    try {
      RowRecord sealed = sealed(hashKey, sortKey, value, expiryMillis);
      space().put(sealed.hashKey(), sealed.sortKey(), sealed.value(), expiryMillis);
    } finally {
      end(begun);
    }
  }

  /** The record as it is stored. Checks before it encrypts, which needs the arguments. */
  private RowRecord sealed(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
    byte[] hash = cipher.hash(hashKey);
    byte[] sort = cipher.sort(sortKey);
    byte[] sealed = cipher.seal(hash, sort, value, Expiry.normalize(expiryMillis), false);
    return new RowRecord(hash, sort, sealed, expiryMillis);
  }

  @Override
  public void delete(byte[] hashKey, byte[] sortKey) {
    space().delete(cipher.hash(hashKey), cipher.sort(sortKey));
  }

  @Override
  public void deleteAll(Collection<RecordKey> keys) {
    space().deleteAll(cipher.keys().hidden() == null ? keys : cipher.stored(keys));
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    writing(
        () -> {
          List<RowRecord> all = new ArrayList<>(records.size());
          for (RowRecord record : Objects.requireNonNull(records, "records")) {
            Objects.requireNonNull(record, "record");
            all.add(
                sealed(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis()));
          }
          space().putAll(all);
          return null;
        });
  }

  @Override
  public <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    Objects.requireNonNull(transaction, "transaction");
    if (cipher.keys().isClear()) {
      return space().transact(hashKey, transaction);
    }
    return writing(() -> transactInFlight(hashKey, transaction));
  }

  @Override
  public List<LeasedRead> lease(List<byte[]> hashKeys) {
    List<LeasedRead> leased = space().lease(stored(hashKeys));
    List<LeasedRead> opened = new ArrayList<>(hashKeys.size());
    for (int i = 0; i < leased.size(); i++) {
      LeasedRead read = leased.get(i);
      opened.add(
          new LeasedRead(
              cipher.openOrNull(read.record(), hashKeys.get(i), NO_SORT_KEY), read.lease()));
    }
    return opened;
  }

  @Override
  public List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    if (cipher.keys().isClear()) {
      return space().writeLeased(hashKeys, writes);
    }
    return writing(
        () -> {
          List<LeasedWrite> all = new ArrayList<>(writes.size());
          for (int i = 0; i < writes.size(); i++) {
            all.add(sealed(hashKeys.get(i), writes.get(i)));
          }
          return space().writeLeased(stored(hashKeys), all);
        });
  }

  private List<byte[]> stored(List<byte[]> hashKeys) {
    return cipher.keys().hidden() == null ? hashKeys : hashKeys.stream().map(cipher::hash).toList();
  }

  private LeasedWrite sealed(byte[] hashKey, LeasedWrite write) {
    byte[] value = write.value();
    long expiry = write.expiryMillis();
    return value == null
        ? write
        : new LeasedWrite(
            write.lease(), sealed(hashKey, NO_SORT_KEY, value, expiry).value(), expiry);
  }

  // The result of a RecordWrite is a record or null, that of a LeasedWrite a Boolean.
  @SuppressWarnings({"unchecked", "NullAway"})
  private <R extends @Nullable Object> R transactInFlight(
      byte[] hashKey, RowTransaction<R> transaction) {
    if (transaction instanceof RecordWrite write
        && (!write.isConditional() || write.expected() == null)) {
      EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
      byte[] hash = cipher.hash(hashKey);
      RowRecord before = space().transact(hash, sealed(hash, write));
      return (R) cipher.openOrNull(before, hashKey, write.sortKey());
    }
    if (transaction instanceof LeasedWrite write) {
      return (R) space().transact(cipher.hash(hashKey), sealed(hashKey, write));
    }
    byte[] row = Objects.requireNonNull(hashKey, "hashKey").clone();
    byte[] stored = cipher.hash(row);
    return space()
        .transact(stored, there -> transaction.run(new EncryptedRow(there, row, stored, cipher)));
  }

  /**
   * A write that does not depend on the value before, so that the engine can decide it.
   *
   * @param hash the hash key as it is stored
   */
  private RecordWrite sealed(byte[] hash, RecordWrite write) {
    byte[] value = write.value();
    EngineLimits.OF_CONTRACT.checkSortKey(write.sortKey());
    byte[] sortKey = cipher.sort(write.sortKey());
    RecordWrite sealed;
    if (value == null) {
      sealed = RecordWrite.delete(sortKey);
    } else {
      EngineLimits.OF_CONTRACT.checkValue(value);
      long expiry = write.expiryMillis();
      byte[] bytes = cipher.seal(hash, sortKey, value, Expiry.normalize(expiry), write.isCounted());
      sealed =
          write.isCounted()
              ? RecordWrite.putCounted(sortKey, bytes, expiry)
              : RecordWrite.put(sortKey, bytes, expiry);
    }
    return write.isConditional() ? sealed.ifAbsent() : sealed;
  }

  private <R extends @Nullable Object> R writing(Supplier<R> write) {
    int begun = begin();
    try {
      return write.get();
    } finally {
      end(begun);
    }
  }

  private int begin() {
    return cipher.keys().writes().begin();
  }

  /** In a transaction, what was encrypted is written later. */
  private void end(int begun) {
    WritesInFlight writes = cipher.keys().writes();
    if (engine.inTransaction()) {
      engine.afterTransaction(() -> writes.end(begun));
    } else {
      writes.end(begun);
    }
  }

  @Override
  public SpaceSnapshot snapshot() {
    return new EncryptedSnapshot(space().snapshot(), cipher);
  }

  @Override
  public void copyTo(Space target) {
    copies.copy(this, target);
  }

  @Override
  public Space withDurability(Durability durability) {
    return new EncryptedSpace(engine, space().withDurability(durability), cipher.keys(), copies);
  }

  @Override
  public Space withReadsFromReplicas() {
    Space reading = space().withReadsFromReplicas();
    return reading == space() ? this : new EncryptedSpace(engine, reading, cipher.keys(), copies);
  }

  @Override
  public String toString() {
    return space().toString();
  }
}
