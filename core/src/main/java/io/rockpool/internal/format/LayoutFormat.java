package io.rockpool.internal.format;

import io.rockpool.engine.Layout;
import io.rockpool.error.CorruptStoreException;

/** A layout in one byte: 1 for {@link Layout#ROWS}, 2 for {@link Layout#ENTRIES}. */
final class LayoutFormat {
  private static final byte ROWS = 1;
  private static final byte ENTRIES = 2;

  private LayoutFormat() {}

  static byte encode(Layout layout) {
    return switch (layout) {
      case ROWS -> ROWS;
      case ENTRIES -> ENTRIES;
    };
  }

  static Layout decode(byte code) {
    return switch (code) {
      case ROWS -> Layout.ROWS;
      case ENTRIES -> Layout.ENTRIES;
      default ->
          throw new CorruptStoreException(
              "a layout is " + code + "; expected " + ROWS + " or " + ENTRIES, null);
    };
  }
}
