package io.rockpool.error;

/**
 * What messages and reports show of a key: enough to find it by, and no more of a user's data than
 * that. Values are never shown.
 */
public final class ShownKey {
  /** As much as tells most keys apart; a whole one may be a name, an address, a token. */
  private static final int MAX_SHOWN_BYTES = 24;

  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7E;

  private ShownKey() {}

  /**
   * The first bytes of a key, printable ASCII as it is and any other byte as {@code \xHH}, so that
   * it can neither break a line nor steer a terminal; {@code …} stands for what is left out.
   */
  public static String of(byte[] key) {
    int shown = Math.min(key.length, MAX_SHOWN_BYTES);
    StringBuilder text = new StringBuilder(2 * shown);
    for (int i = 0; i < shown; i++) {
      int b = key[i] & 0xFF;
      if (b < FIRST_PRINTABLE || b > LAST_PRINTABLE || b == '\\') {
        text.append(String.format("\\x%02x", b));
      } else {
        text.append((char) b);
      }
    }
    return shown < key.length ? text.append('…').toString() : text.toString();
  }

  /** A row and a place in it, with a blank between them; the row alone where there is no place. */
  public static String of(byte[] hashKey, byte[] sortKey) {
    return sortKey.length == 0 ? of(hashKey) : of(hashKey) + " " + of(sortKey);
  }
}
