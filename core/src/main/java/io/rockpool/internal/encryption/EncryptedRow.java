package io.rockpool.internal.encryption;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.engine.ForwardingRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Encrypts what is put into another row, and decrypts what is read from it. */
final class EncryptedRow extends ForwardingRow {
  private final Row row;
  private final byte[] hashKey;
  private final SpaceCipher cipher;

  EncryptedRow(Row row, byte[] hashKey, SpaceCipher cipher) {
    this.row = row;
    this.hashKey = hashKey;
    this.cipher = cipher;
  }

  @Override
  protected Row row() {
    return row;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    return cipher.openOrNull(row.get(sortKey));
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    return cipher.openAll(row.getAll(sortKeys));
  }

  @Override
  public boolean isUnchanged(byte[] sortKey, @Nullable RowRecord expected) {
    return expected == null
        ? row.isUnchanged(sortKey, null)
        : RowRecord.isSame(get(sortKey), expected);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    List<RowRecord> records = row.scan(range, direction, limit);
    List<RowRecord> opened = new ArrayList<>(records.size());
    records.forEach(record -> opened.add(cipher.open(record)));
    return opened;
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    row.put(sortKey, sealed(sortKey, value, expiryMillis, false), expiryMillis);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    row.putCounted(sortKey, sealed(sortKey, value, expiryMillis, true), expiryMillis);
  }

  @Override
  public void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    row.insert(sortKey, sealed(sortKey, value, expiryMillis, counted), expiryMillis, counted);
  }

  private byte[] sealed(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    Limits.checkSortKey(Objects.requireNonNull(sortKey, "sortKey"));
    Limits.checkValue(Objects.requireNonNull(value, "value"));
    return cipher.seal(hashKey, sortKey, value, Expiry.normalize(expiryMillis), counted);
  }
}
