package io.rockpool.internal.catalog;

/** Compares the ids of codecs, which describe what the bytes depend on. */
final class CodecIds {
  /** In front of the constants of an enum whose order counts. */
  private static final String ENUM = "ordered:enum(";

  private CodecIds() {}

  /**
   * Returns whether a codec reads what one with another id wrote: their ids are equal, or enums in
   * them have gained constants at the end.
   *
   * @param stored the id of the codec that wrote
   * @param now the id of the codec that reads
   */
  static boolean reads(String stored, String now) {
    int i = 0;
    int j = 0;
    while (i < stored.length() && j < now.length()) {
      if (stored.startsWith(ENUM, i) && now.startsWith(ENUM, j)) {
        int end = stored.indexOf(')', i);
        int endNow = now.indexOf(')', j);
        if (end < 0 || endNow < 0 || !now.startsWith(stored.substring(i, end), j)) {
          return false;
        }
        char next = now.charAt(j + end - i); // after the constants that were there
        if (next != ',' && next != ')') {
          return false; // a constant whose name only begins as the last one did
        }
        i = end + 1;
        j = endNow + 1;
      } else if (stored.charAt(i) != now.charAt(j)) {
        return false;
      } else {
        i++;
        j++;
      }
    }
    return i == stored.length() && j == now.length();
  }
}
