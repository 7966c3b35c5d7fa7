package io.rockpool.codec;

import org.apache.fory.serializer.StringSerializer;

/**
 * Whether this JVM keeps strings in Latin-1 where it can, as all do unless told otherwise. Fory
 * copies the bytes of strings as they are in memory: a JVM without compact strings reads those of
 * another JVM as other texts, in silence, so nothing is written or read with Fory there.
 */
final class CompactStrings {
  static final boolean ARE_ON =
      StringSerializer.isLatin1Coder(StringSerializer.getStringCoder("a"));

  /** What to do where they are off. */
  static final String NEEDED =
      "This JVM runs with -XX:-CompactStrings, where strings of other JVMs would be read as other"
          + " texts. Run it without the flag, or store what has a codec of its own.";

  private CompactStrings() {}
}
