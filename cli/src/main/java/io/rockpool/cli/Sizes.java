package io.rockpool.cli;

import java.util.Locale;

/** Numbers of bytes as people read them. */
final class Sizes {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1 << 10;

  private Sizes() {}

  /** A size as in {@code 1.4 MiB}. */
  static String text(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= STEP && unit < UNITS.length - 1) {
      size /= STEP;
      unit++;
    }
    return unit == 0
        ? bytes + " " + UNITS[0]
        : String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
  }
}
