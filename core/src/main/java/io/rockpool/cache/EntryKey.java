package io.rockpool.cache;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Space;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a key, which compare by their content, and during one operation also the key itself.
 */
final class EntryKey {
  private final byte[] bytes;
  private final int hash;
  private final @Nullable Object itself;

  /** A key of bytes alone. */
  EntryKey(byte[] bytes) {
    this(bytes, Arrays.hashCode(bytes), null);
  }

  private EntryKey(byte[] bytes, int hash, @Nullable Object itself) {
    this.bytes = bytes;
    this.hash = hash;
    this.itself = itself;
  }

  static EntryKey of(Object key, byte[] bytes, boolean immutable) {
    return new EntryKey(bytes, Arrays.hashCode(bytes), immutable ? key : null);
  }

  /** The keys of the records of entries. */
  static List<RecordKey> recordKeys(List<EntryKey> keys) {
    return keys.stream().map(key -> new RecordKey(key.bytes, Space.NO_SORT_KEY)).toList();
  }

  /** The encoded key, which is the hash key in the store. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * The key in the hot tier: the application's object if keys are known to be immutable, else the
   * bytes.
   */
  Object hot() {
    return itself == null ? this : itself;
  }

  /** The bytes alone, to be stored in a map. Equal for every cache of the space. */
  EntryKey byBytes() {
    return itself == null ? this : new EntryKey(bytes, hash, null);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EntryKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  /** The hash of the bytes. It does not depend on the class loader of the key. */
  @Override
  public int hashCode() {
    return hash;
  }
}
