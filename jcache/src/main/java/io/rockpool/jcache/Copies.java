package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.engine.EngineLimits;

/**
 * Copies keys and values, so that callers never share an object that one of them may change.
 *
 * @param sharesValues whether values are stored by reference, and so are not copied
 */
record Copies<K, V>(Codec<K> keys, Codec<V> values, boolean sharesValues) {
  K ofKey(K key) {
    return copy(keys, key);
  }

  V ofValue(V value) {
    return sharesValues ? value : copy(values, value);
  }

  /** A copy of a value that is about to be stored; refused if it could not be. */
  V ofStorable(V value) {
    byte[] bytes = encoded(value);
    return sharesValues || values.immutable() ? value : values.decode(bytes, 0, bytes.length);
  }

  /** Refuses a value that could not be stored. */
  void checkStorable(V value) {
    encoded(value);
  }

  private byte[] encoded(V value) {
    return StoreChanges.call(
        () -> {
          byte[] bytes = values.encode(value);
          EngineLimits.OF_CONTRACT.checkValue(bytes);
          return bytes;
        });
  }

  private static <T> T copy(Codec<T> codec, T thing) {
    if (codec.immutable()) {
      return thing;
    }
    return StoreChanges.call(
        () -> {
          byte[] bytes = codec.encode(thing);
          return codec.decode(bytes, 0, bytes.length);
        });
  }
}
