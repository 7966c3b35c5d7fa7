package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.StoreIoException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The paths that mean the same directory to RocksDB and to the JDK. RocksDB's Java interface passes
 * a path in Java's modified UTF-8, which writes a character beyond U+FFFF in six bytes, not in
 * four. The JDK passes it in the encoding of the locale.
 */
public final class NativePaths {
  private static final int LAST_ASCII = 0x7F;

  private NativePaths() {}

  /**
   * Refuses a path that RocksDB takes for another one. Changes nothing.
   *
   * @param directory an absolute path
   */
  public static void check(Path directory) {
    check(directory, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
  }

  /**
   * As {@link #check(Path)}.
   *
   * @param encoding what the JDK encodes paths in
   */
  static void check(Path directory, Charset encoding) {
    String path = directory.toString();
    int refused = path.codePoints().filter(c -> c > Character.MAX_VALUE).findFirst().orElse(0);
    if (refused != 0) {
      throw new StoreIoException(
          "The path "
              + directory
              + " has the character U+"
              + Integer.toHexString(refused).toUpperCase(Locale.ROOT)
              + ", which RocksDB cannot use in a path; nothing was changed. Choose a path without"
              + " characters beyond U+FFFF, such as emoji.",
          directory,
          null);
    }
    boolean ascii = path.chars().allMatch(c -> c <= LAST_ASCII);
    if (!ascii && !encoding.equals(StandardCharsets.UTF_8) && !isWindows()) {
      throw new StoreIoException(
          "The path "
              + directory
              + " has characters beyond ASCII, and this process has paths in "
              + encoding
              + ", but RocksDB has them in UTF-8; nothing was changed. Start Java in a locale with"
              + " UTF-8, such as LC_ALL=C.UTF-8, or choose another path.",
          directory,
          null);
    }
  }

  private static boolean isWindows() {
    return System.getProperty("os.name", "").startsWith("Windows");
  }
}
