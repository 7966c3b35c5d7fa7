package io.rockpool.codec;

import org.apache.fory.serializer.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Whether Fory can be used on this JVM. Fory copies the bytes of strings from memory. A JVM without
 * compact strings, which are the default, would read other texts from them, without an error; one
 * that denies access to memory cannot read any. Such a JVM neither writes nor reads with Fory.
 */
final class CompactStrings {
  private static final String COMPACT =
      "This JVM runs with -XX:-CompactStrings, where strings of other JVMs would be read as other"
          + " texts. Run it without the flag, or store what has a codec of its own.";

  private static final String ACCESS =
      "This JVM denies access to the memory of strings, as"
          + " --sun-misc-unsafe-memory-access=deny does. Run it without that flag, or add"
          + " --add-opens=java.base/java.lang.invoke=ALL-UNNAMED (=org.apache.fory.core on the"
          + " module path), or store what has a codec of its own.";

  /** The message of a JVM on which Fory cannot be used; else null. */
  static final @Nullable String REFUSAL = refusal();

  private CompactStrings() {}

  private static @Nullable String refusal() {
    try {
      return StringSerializer.isLatin1Coder(StringSerializer.getStringCoder("a")) ? null : COMPACT;
    } catch (LinkageError e) { // A static initializer of Fory's failed.
      return ACCESS;
    }
  }
}
