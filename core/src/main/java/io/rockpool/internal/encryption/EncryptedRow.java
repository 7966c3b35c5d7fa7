package io.rockpool.internal.encryption;

import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.engine.ForwardingRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encrypts what is put into another row, and decrypts what is read from it. */
final class EncryptedRow extends ForwardingRow {
  private final Row row;
  private final byte[] hashKey;
  private final byte[] stored;
  private final SpaceCipher cipher;

  /**
   * Creates a row.
   *
   * @param stored its hash key as it is stored
   */
  EncryptedRow(Row row, byte[] hashKey, byte[] stored, SpaceCipher cipher) {
    this.row = row;
    this.hashKey = hashKey;
    this.stored = stored;
    this.cipher = cipher;
  }

  @Override
  protected Row row() {
    return row;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    return cipher.openOrNull(row.get(cipher.sort(sortKey)), hashKey, sortKey);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    List<RecordKey> keys = new ArrayList<>(sortKeys.size());
    List<byte[]> all = new ArrayList<>(sortKeys.size());
    for (byte[] sortKey : sortKeys) {
      keys.add(new RecordKey(hashKey, sortKey));
      all.add(cipher.sort(sortKey));
    }
    return cipher.openAll(keys, row.getAll(all));
  }

  @Override
  public boolean isUnchanged(byte[] sortKey, @Nullable RowRecord expected) {
    return expected == null
        ? row.isUnchanged(cipher.sort(sortKey), null)
        : RowRecord.isSame(get(sortKey), expected);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    List<RowRecord> records = row.scan(cipher.range(range), direction, limit);
    List<RowRecord> opened = new ArrayList<>(records.size());
    records.forEach(record -> opened.add(cipher.open(record)));
    return opened;
  }

  /** Stored values are compressed, so those that are opened count as well. */
  @Override
  public Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    Page page = row.page(cipher.range(range), direction, limit, maxBytes);
    List<RowRecord> opened = new ArrayList<>();
    long bytes = 0;
    for (RowRecord record : page.records()) {
      if (bytes >= maxBytes) {
        return new Page(opened, /* isLast= */ false);
      }
      RowRecord next = cipher.open(record);
      opened.add(next);
      bytes += next.value().length;
    }
    return new Page(opened, page.isLast());
  }

  @Override
  public int countIn(SortRange range, int limit) {
    return row.countIn(cipher.range(range), limit);
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    byte[] sort = sort(sortKey);
    row.put(sort, sealed(sort, value, expiryMillis, false), expiryMillis);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    byte[] sort = sort(sortKey);
    row.putCounted(sort, sealed(sort, value, expiryMillis, true), expiryMillis);
  }

  @Override
  public void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    byte[] sort = sort(sortKey);
    row.insert(sort, sealed(sort, value, expiryMillis, counted), expiryMillis, counted);
  }

  @Override
  public void delete(byte[] sortKey) {
    row.delete(cipher.sort(sortKey));
  }

  private byte[] sort(byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
    return cipher.sort(sortKey);
  }

  private byte[] sealed(byte[] sort, byte[] value, long expiryMillis, boolean counted) {
    EngineLimits.OF_CONTRACT.checkValue(value);
    return cipher.seal(stored, sort, value, Expiry.normalize(expiryMillis), counted);
  }
}
