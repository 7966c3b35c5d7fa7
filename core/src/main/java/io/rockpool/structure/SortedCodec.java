package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.ShownKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The codec of entries that have an order, for the keys of one range: others are refused where an
 * entry would be put, and not found where one is asked for.
 */
final class SortedCodec<K, V> extends EntryCodec<K, V> {
  /** The codecs with which a part of a key is a part of its bytes. */
  private static final Set<String> IDS_WITH_PARTS = Set.of("string", "bytes");

  private final @Nullable Comparator<? super K> comparator;
  private final boolean hasParts;
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
    this.hasParts = IDS_WITH_PARTS.contains(keys.id());
    this.range = KeyRange.ALL;
  }

  private SortedCodec(SortedCodec<K, V> all, KeyRange range) {
    super(all);
    this.comparator = all.comparator;
    this.hasParts = all.hasParts;
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

  /** One end of a part of the range, which may lie outside of it. */
  KeyRange.Bound bound(K key, boolean inclusive) {
    return new KeyRange.Bound(anyKey(key), inclusive);
  }

  /** The bytes of a key, whether it lies in the range or not. */
  byte[] anyKey(K key) {
    return super.key(checkClass(key));
  }

  /**
   * The bytes of what keys may begin with, end with or hold.
   *
   * @throws UnsupportedOperationException if the bytes of keys do not tell that
   */
  byte[] partOfKey(K part) {
    if (!hasParts) {
      throw new UnsupportedOperationException(
          space() + " has keys that are neither strings nor byte arrays; give a range's two ends.");
    }
    return anyKey(part);
  }

  @Override
  byte[] key(K key) {
    byte[] bytes = anyKey(key);
    if (!range.contains(bytes)) {
      throw new IllegalArgumentException(
          space()
              + " was asked to put a key that lies outside of the range of the view: "
              + ShownKey.of(bytes));
    }
    return bytes;
  }

  /**
   * The bytes of a key, or null if it is not of the range.
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
