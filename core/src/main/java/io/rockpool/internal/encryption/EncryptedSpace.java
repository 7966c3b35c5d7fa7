package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.Limits;
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
    Objects.requireNonNull(reader, "reader");
    return space().get(hashKey, sortKey, cipher.reader(hashKey, sortKey, reader));
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return cipher.openAll(space().getAll(keys));
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return new EncryptedCursor(space().scan(hashKey, range, direction, limit), cipher);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    return new EncryptedCursor(space().scanAll(after, upTo), cipher);
  }

  @Override
  public void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    if (cipher.keys().isClear()) {
      space().put(hashKey, sortKey, value, expiryMillis);
      return;
    }
    int begun = begin();
    try {
      space().put(hashKey, sortKey, sealed(hashKey, sortKey, value, expiryMillis), expiryMillis);
    } finally {
      end(begun);
    }
  }

  /** Checks before it encrypts, which needs the arguments. */
  private byte[] sealed(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    Limits.checkHashKey(Objects.requireNonNull(hashKey, "hashKey"));
    Limits.checkSortKey(Objects.requireNonNull(sortKey, "sortKey"));
    Limits.checkValue(Objects.requireNonNull(value, "value"));
    return cipher.seal(hashKey, sortKey, value, Expiry.normalize(expiryMillis), false);
  }

  @Override
  public void putAll(Collection<RowRecord> records) {
    writing(
        () -> {
          List<RowRecord> all = new ArrayList<>(records.size());
          for (RowRecord record : Objects.requireNonNull(records, "records")) {
            Objects.requireNonNull(record, "record");
            byte[] value =
                sealed(record.hashKey(), record.sortKey(), record.value(), record.expiryMillis());
            all.add(
                new RowRecord(record.hashKey(), record.sortKey(), value, record.expiryMillis()));
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
    List<LeasedRead> opened = new ArrayList<>(hashKeys.size());
    for (LeasedRead read : space().lease(hashKeys)) {
      opened.add(new LeasedRead(cipher.openOrNull(read.record()), read.lease()));
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
          return space().writeLeased(hashKeys, all);
        });
  }

  private LeasedWrite sealed(byte[] hashKey, LeasedWrite write) {
    byte[] value = write.value();
    long expiry = write.expiryMillis();
    return value == null
        ? write
        : new LeasedWrite(write.lease(), sealed(hashKey, NO_SORT_KEY, value, expiry), expiry);
  }

  // The result of a RecordWrite is a record or null, that of a LeasedWrite a Boolean.
  @SuppressWarnings({"unchecked", "NullAway"})
  private <R extends @Nullable Object> R transactInFlight(
      byte[] hashKey, RowTransaction<R> transaction) {
    if (transaction instanceof RecordWrite write
        && (!write.isConditional() || write.expected() == null)) {
      Limits.checkHashKey(Objects.requireNonNull(hashKey, "hashKey"));
      return (R) cipher.openOrNull(space().transact(hashKey, sealed(hashKey, write)));
    }
    if (transaction instanceof LeasedWrite write) {
      return (R) space().transact(hashKey, sealed(hashKey, write));
    }
    byte[] row = Objects.requireNonNull(hashKey, "hashKey").clone();
    return space()
        .transact(hashKey, there -> transaction.run(new EncryptedRow(there, row, cipher)));
  }

  /** A write that does not depend on the value before, so that the engine can decide it. */
  private RecordWrite sealed(byte[] hashKey, RecordWrite write) {
    byte[] value = write.value();
    byte[] sortKey = write.sortKey();
    RecordWrite sealed;
    if (value == null) {
      sealed = RecordWrite.delete(sortKey);
    } else {
      Limits.checkSortKey(sortKey);
      Limits.checkValue(value);
      long expiry = write.expiryMillis();
      byte[] bytes =
          cipher.seal(hashKey, sortKey, value, Expiry.normalize(expiry), write.isCounted());
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
  public String toString() {
    return space().toString();
  }
}
