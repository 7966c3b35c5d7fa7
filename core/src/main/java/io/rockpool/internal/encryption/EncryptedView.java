package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
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
    return view.get(hashKey, sortKey, cipher.reader(hashKey, sortKey, reader));
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<RecordKey> keys) {
    return cipher.openAll(view.getAll(keys));
  }

  @Override
  public long count(byte[] hashKey) {
    return view.count(hashKey);
  }

  @Override
  public Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit) {
    return new EncryptedCursor(view.scan(hashKey, range, direction, limit), cipher);
  }

  @Override
  public Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo) {
    return new EncryptedCursor(view.scanAll(after, upTo), cipher);
  }

  @Override
  public List<RecordKey> splits(int parts) {
    return view.splits(parts);
  }
}
