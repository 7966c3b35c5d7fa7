package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;

/** Decrypts keys and values of another cursor, each when it is read. */
final class EncryptedCursor implements Cursor {
  private final Cursor cursor;
  private final SpaceCipher cipher;

  EncryptedCursor(Cursor cursor, SpaceCipher cipher) {
    this.cursor = cursor;
    this.cipher = cipher;
  }

  @Override
  public boolean next() {
    return cursor.next();
  }

  @Override
  public byte[] hashKey() {
    return cipher.shownHash(cursor.hashKey());
  }

  @Override
  public byte[] sortKey() {
    return cipher.shownSort(cursor.sortKey());
  }

  @Override
  public byte[] value() {
    return cipher.open(cursor.hashKey(), cursor.sortKey(), cursor.value(), cursor.expiryMillis());
  }

  @Override
  public long expiryMillis() {
    return cursor.expiryMillis();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
