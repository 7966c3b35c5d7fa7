package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.format.ScoredSetFormat;

/** Decodes an element and discards the result, to check that it is decodable. */
@FunctionalInterface
interface Decoding {
  /** Decodes nothing. */
  Decoding NONE = element -> {};

  /**
   * Decodes an element.
   *
   * @throws io.rockpool.error.UndecodableValueException if it cannot be decoded
   */
  void decode(RowRecord element);

  static Decoding of(Codec<?> keys, Codec<?> values) {
    return element -> {
      decode(keys, element.sortKey());
      decode(values, element.value());
    };
  }

  static Decoding ofTable(Codec<?> hashKeys, Codec<?> sortKeys, Codec<?> values) {
    return element -> {
      decode(hashKeys, element.hashKey());
      decode(sortKeys, element.sortKey());
      decode(values, element.value());
    };
  }

  static Decoding ofValues(Codec<?> values) {
    return element -> decode(values, element.value());
  }

  /** For a scored set, whose elements are in the sort keys of its members. */
  static Decoding ofMembers(Codec<?> elements) {
    return member -> decode(elements, ScoredSetFormat.memberElement(member.sortKey()));
  }

  private static void decode(Codec<?> codec, byte[] bytes) {
    codec.decode(bytes, 0, bytes.length);
  }
}
