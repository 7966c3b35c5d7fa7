package io.rockpool.internal.encryption;

import io.rockpool.engine.SpaceSnapshot;

/** Decrypts what another snapshot shows. */
final class EncryptedSnapshot extends EncryptedView implements SpaceSnapshot {
  private final SpaceSnapshot snapshot;

  EncryptedSnapshot(SpaceSnapshot snapshot, SpaceCipher cipher) {
    super(snapshot, cipher);
    this.snapshot = snapshot;
  }

  @Override
  public long takenMillis() {
    return snapshot.takenMillis();
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
