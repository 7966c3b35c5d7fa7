package io.rockpool.cache;

import org.jspecify.annotations.Nullable;

/**
 * A key during one operation. It is equal to any other key with the same bytes, so that maps of
 * {@link ByteKey}s can be searched with it.
 */
final class EntryKey extends ByteKey {
  private final @Nullable Object itself;

  private EntryKey(byte[] bytes, @Nullable Object itself) {
    super(bytes);
    this.itself = itself;
  }

  static EntryKey of(Object key, byte[] bytes, boolean immutable) {
    return new EntryKey(bytes, immutable ? key : null);
  }

  /**
   * The key under which the hot tier has the entry: the application's object if keys are known to
   * be immutable, else the bytes.
   */
  Object hot() {
    return itself == null ? this : itself;
  }

  /** The bytes alone, to be stored in a map; the same for every cache of its space. */
  ByteKey byBytes() {
    return itself == null ? this : new ByteKey(this);
  }
}
