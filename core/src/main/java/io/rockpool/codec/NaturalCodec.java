package io.rockpool.codec;

/** A codec of an immutable type whose bytes sort in the order of {@code compareTo}. */
interface NaturalCodec<T extends Comparable<? super T>> extends HeadroomCodec<T>, OrderedCodec<T> {
  @Override
  default boolean immutable() {
    return true;
  }

  @Override
  default int compare(T a, T b) {
    return a.compareTo(b);
  }

  @Override
  default boolean isNaturalOrder() {
    return true;
  }
}
