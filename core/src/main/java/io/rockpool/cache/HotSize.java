package io.rockpool.cache;

import java.io.Serializable;

/**
 * How much of a cache stays in memory: a number of entries, or of bytes. In files and properties a
 * number without a unit counts entries ({@code 10000}), and one with a unit counts bytes ({@code
 * 64MiB}); 0 is nothing.
 *
 * @param amount the number of entries or bytes
 * @param isBytes whether it is a number of bytes
 */
public record HotSize(long amount, boolean isBytes) implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String BYTE_UNIT = "B";

  /** So many entries, whatever their size. */
  public static HotSize entries(long entries) {
    return new HotSize(entries, false);
  }

  /** So many bytes of entries, as encoded and with their overhead. */
  public static HotSize bytes(long bytes) {
    return new HotSize(bytes, true);
  }

  /** Reads what {@link #toString} returns. */
  static HotSize parse(String text) {
    return text.endsWith(BYTE_UNIT)
        ? bytes(Long.parseLong(text.substring(0, text.length() - BYTE_UNIT.length())))
        : entries(Long.parseLong(text));
  }

  /** The size as it stands in files: {@code 10000}, or {@code 67108864B}. */
  @Override
  public String toString() {
    return isBytes ? amount + BYTE_UNIT : String.valueOf(amount);
  }
}
