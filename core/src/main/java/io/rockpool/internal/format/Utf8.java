package io.rockpool.internal.format;

import java.nio.charset.StandardCharsets;

/** Texts that identify something, in UTF-8. */
public final class Utf8 {
  private Utf8() {}

  /**
   * The bytes of a text.
   *
   * @param what the subject of the message of a refusal
   * @throws IllegalArgumentException if it has half of a surrogate pair: each half would become a
   *     question mark, and so the same bytes as other texts
   */
  public static byte[] bytes(String what, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          what
              + " has half of a surrogate pair, which has no form in UTF-8; use whole characters.");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
