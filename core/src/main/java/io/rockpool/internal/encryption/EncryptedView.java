package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decrypts what another view shows. */
class EncryptedView implements SpaceView {
  private final SpaceView view;
  private final SpaceCipher cipher;

  EncryptedView(SpaceView view, SpaceCipher cipher) {
    this.view = view;
    this.cipher = cipher;
  }

  @Override
  public String name() {
    return view.name();
  }

  @Override
  public <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader) {
    Objects.requireNonNull(reader, "reader");
    byte[] hash = cipher.hash(hashKey);
    byte[] sort = cipher.sort(sortKey);
    return view.get(hash, sort, cipher.reader(hash, sort, reader));
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return cipher.openAll(
        keys, view.getAll(cipher.keys().hidden() == null ? keys : cipher.stored(keys)));
  }

  @Override
  public long count(byte[] hashKey) {
    return view.count(cipher.hash(hashKey));
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    byte[] hash = cipher.hash(hashKey);
    return new EncryptedCursor(view.scan(hash, cipher.range(range), direction, limit), cipher);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    return new EncryptedCursor(
        view.scanAll(cipher.storedOrNull(after), cipher.storedOrNull(upTo)), cipher);
  }

  @Override
  public boolean searchesLong() {
    return view.searchesLong();
  }

  /**
   * {@inheritDoc} An estimated key is none that can be decrypted, so the next record's is taken.
   */
  @Override
  public List<RecordKey> splits(int parts) {
    List<RecordKey> splits = view.splits(parts);
    if (cipher.keys().hidden() == null) {
      return splits;
    }
    List<RecordKey> shown = new ArrayList<>(splits.size());
    RecordKey last = null;
    for (RecordKey split : splits) {
      try (Cursor next = view.scanAll(split)) {
        if (next.next()) {
          RecordKey stored = new RecordKey(next.hashKey(), next.sortKey());
          if (last == null || !isSame(last, stored)) {
            shown.add(
                new RecordKey(
                    cipher.shownHash(stored.hashKey()), cipher.shownSort(stored.sortKey())));
          }
          last = stored;
        }
      }
    }
    return shown;
  }

  private static boolean isSame(RecordKey one, RecordKey other) {
    return Arrays.equals(one.hashKey(), other.hashKey())
        && Arrays.equals(one.sortKey(), other.sortKey());
  }
}
