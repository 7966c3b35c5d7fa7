package io.rockpool.cache;

import java.util.Arrays;

/**
 * A key on its way through the cache.
 *
 * @param bytes as encoded: the hash key in the store
 * @param hash of the bytes, so that it is the same whatever class loader the key came from
 * @param hot by which the hot tier knows it: itself where keys are known to be immutable, else its
 *     bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EntryKey(byte[] bytes, int hash, Object hot) {
  static EntryKey of(Object key, byte[] bytes, boolean immutable) {
    return new EntryKey(bytes, Arrays.hashCode(bytes), immutable ? key : new ByteKey(bytes));
  }

  /** The key by its bytes alone, which is the same for every cache of its space. */
  ByteKey byBytes() {
    return hot instanceof ByteKey bytesAlone ? bytesAlone : new ByteKey(bytes);
  }
}
