package io.rockpool.internal.logging;

import java.util.Locale;

/**
 * The form of a key in messages and reports: enough to find it, but no more user data than that.
 * Values are never shown.
 */
public final class ShownKey {
  /** Enough to distinguish most keys. A whole key may be a name, an address or a token. */
  private static final int MAX_SHOWN_BYTES = 24;

  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7E;

  private ShownKey() {}

  /**
   * The first bytes of a key: printable ASCII as is, any other byte as {@code \xHH}, so that it can
   * neither break a line nor control a terminal. {@code …} replaces the rest.
   */
  public static String of(byte[] key) {
    int shown = Math.min(key.length, MAX_SHOWN_BYTES);
    StringBuilder text = new StringBuilder(2 * shown);
    for (int i = 0; i < shown; i++) {
      int b = key[i] & 0xFF;
      if (b < FIRST_PRINTABLE || b > LAST_PRINTABLE || b == '\\') {
        text.append(String.format(Locale.ROOT, "\\x%02x", b));
      } else {
        text.append((char) b);
      }
    }
    return shown < key.length ? text.append('…').toString() : text.toString();
  }

  /**
   * A hash key and a sort key, with a space between them; the hash key alone if the sort key is
   * empty.
   */
  public static String of(byte[] hashKey, byte[] sortKey) {
    return sortKey.length == 0 ? of(hashKey) : of(hashKey) + " " + of(sortKey);
  }
}
