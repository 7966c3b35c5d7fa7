package io.rockpool.cache;

import org.jspecify.annotations.Nullable;

/**
 * A key during one operation. It equals any other key with the same bytes, so it finds entries in
 * maps of {@link ByteKey}s.
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
   * The key in the hot tier: the application's object if keys are known to be immutable, else the
   * bytes.
   */
  Object hot() {
    return itself == null ? this : itself;
  }

  /** The bytes alone, to be stored in a map. Equal for every cache of the space. */
  ByteKey byBytes() {
    return itself == null ? this : new ByteKey(this);
  }
}
