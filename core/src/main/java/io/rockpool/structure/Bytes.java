package io.rockpool.structure;

import java.util.Arrays;

/** Searches a byte array within another. */
final class Bytes {
  private Bytes() {}

  static boolean startsWith(byte[] whole, byte[] part) {
    return isAt(whole, 0, part);
  }

  static boolean endsWith(byte[] whole, byte[] part) {
    return isAt(whole, whole.length - part.length, part);
  }

  static boolean contains(byte[] whole, byte[] part) {
    for (int at = 0; at <= whole.length - part.length; at++) {
      if (isAt(whole, at, part)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(byte[] whole, int at, byte[] part) {
    return at >= 0
        && at + part.length <= whole.length
        && Arrays.equals(whole, at, at + part.length, part, 0, part.length);
  }
}
