package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.logging.ShownKey;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The codec of sorted entries within a range of keys. Puts of other keys are rejected; lookups of
 * other keys find nothing.
 */
final class SortedCodec<K, V> extends EntryCodec<K, V> {
  private final @Nullable Comparator<? super K> comparator;
  private final KeyRange range;

  /** The codec for all keys. */
  SortedCodec(
      StructureSpace space,
      TypeRef<K> keyType,
      OrderedCodec<K> keys,
      TypeRef<V> valueType,
      Codec<V> values) {
    super(space, keyType, keys, valueType, values);
    this.comparator = keys.isNaturalOrder() ? null : keys::compare;
    this.range = KeyRange.ALL;
  }

  private SortedCodec(SortedCodec<K, V> all, KeyRange range) {
    super(all);
    this.comparator = all.comparator;
    this.range = range;
  }

  /** The codec for the keys of another range. */
  SortedCodec<K, V> within(KeyRange other) {
    return new SortedCodec<>(this, other);
  }

  KeyRange range() {
    return range;
  }

  /** The order of the range; null if it is the natural one. */
  @Nullable Comparator<? super K> comparator() {
    return range.isDescending() ? Collections.reverseOrder(comparator) : comparator;
  }

  /** A bound at a key inside or outside the range. */
  KeyRange.Bound bound(K key, boolean inclusive) {
    return new KeyRange.Bound(anyKey(key), inclusive);
  }

  /** The bytes of a key, inside or outside the range. */
  byte[] anyKey(K key) {
    return super.key(checkClass(key));
  }

  @Override
  byte[] key(K key) {
    byte[] bytes = anyKey(key);
    if (!range.contains(bytes)) {
      throw new IllegalArgumentException(
          space()
              + " was asked to put a key that lies outside of the range of the view: "
              + shown(key, bytes));
    }
    return bytes;
  }

  private static String shown(Object key, byte[] bytes) {
    return ShownKey.of(
        key instanceof byte[] ? bytes : key.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The bytes of a key, or null if it is outside the range.
   *
   * @throws ClassCastException if it is of another class, which has no place in the order
   */
  @Override
  byte @Nullable [] keyOrNull(Object key) {
    byte[] bytes = super.keyOrNull(checkClass(key));
    return bytes != null && range.contains(bytes) ? bytes : null;
  }

  private <T> T checkClass(T key) {
    if (!isOfKeyClass(key)) {
      throw new ClassCastException(
          space()
              + " has no keys of "
              + key.getClass().getName()
              + ", so that it has no order there.");
    }
    return key;
  }
}
