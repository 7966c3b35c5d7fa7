package io.rockpool.structure;

/** Ranges whose bounds are in or out by a flag, for models. */
final class Ranges {
  private Ranges() {}

  static <K> Range<K> of(K low, boolean withLow, K high, boolean withHigh) {
    if (withLow) {
      return withHigh ? Range.closed(low, high) : Range.closedOpen(low, high);
    }
    return withHigh ? Range.openClosed(low, high) : Range.open(low, high);
  }
}
