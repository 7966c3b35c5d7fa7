package io.rockpool.codec;

import org.apache.fory.serializer.StringSerializer;

/**
 * Whether this JVM keeps Latin-1 strings in one byte per character, which is the default. Fory
 * copies the bytes of strings from memory. A JVM without compact strings would read other texts
 * from them, without an error, so it neither writes nor reads with Fory.
 */
final class CompactStrings {
  static final boolean ARE_ON =
      StringSerializer.isLatin1Coder(StringSerializer.getStringCoder("a"));

  /** The message for a JVM without compact strings. */
  static final String NEEDED =
      "This JVM runs with -XX:-CompactStrings, where strings of other JVMs would be read as other"
          + " texts. Run it without the flag, or store what has a codec of its own.";

  private CompactStrings() {}
}
