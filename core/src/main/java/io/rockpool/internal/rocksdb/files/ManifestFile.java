package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.RecoveryPoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * RocksDB's list of the files that a database consists of: a log that grows, in a file that {@code
 * CURRENT} names. RocksDB takes one whose end is cut off, or hidden by a damaged length, for one
 * whose writer died, and opens without the files that were added there, and without a word. So the
 * recovery point says how long it was.
 *
 * @param number the number in the file's name; a later one is higher
 * @param bytes how long it is, without a record at its end that is not whole: a full disk leaves
 *     such
 */
public record ManifestFile(long number, long bytes) {
  private static final String CURRENT = "CURRENT";
  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d{1,18})\n");

  /** A record of the log lies in one block. */
  private static final int BLOCK_BYTES = 32 << 10;

  /** Masked CRC-32C of what follows the length (4), length (2), type (1). */
  private static final int HEADER_BYTES = 7;

  private static final int LENGTH_OFFSET = 4;
  private static final int TYPE_OFFSET = 6;

  /** The one of a store now. */
  public static ManifestFile of(StoreDirectory directory) {
    return new ManifestFile(0, 0).next(directory);
  }

  /** The one of the same store now, of which no more is read than was added. */
  public ManifestFile next(StoreDirectory directory) {
    try {
      Matcher name = NAME.matcher(current(directory));
      if (!name.matches()) {
        throw damaged(directory, "CURRENT does not name a MANIFEST");
      }
      long numberNow = Long.parseLong(name.group(1));
      Path path = path(directory, name);
      if (numberNow == number && Files.size(path) == bytes) {
        return this;
      }
      return new ManifestFile(numberNow, wholeBytes(path, numberNow == number ? bytes : 0));
    } catch (IOException e) {
      throw StoreDirectory.refused("look at the MANIFEST of", directory.path(), e);
    }
  }

  /** What the recovery point says of a store that has this one. */
  public RecoveryPoint point(boolean closed, long sequence) {
    return new RecoveryPoint(closed, sequence, number, bytes);
  }

  /**
   * Refuses a store that is not open, if its manifest is not all that it was. What RocksDB notices
   * by itself is left to it.
   *
   * @throws CorruptStoreException if a part is missing
   */
  public static void check(StoreDirectory directory, RecoveryPoint before) {
    try {
      if (Files.notExists(directory.database().resolve(CURRENT))) {
        return;
      }
      Matcher name = NAME.matcher(current(directory));
      if (!name.matches() || Files.notExists(path(directory, name))) {
        return;
      }
      long number = Long.parseLong(name.group(1));
      if (number < before.manifest()) {
        throw damaged(
            directory, "CURRENT names MANIFEST " + number + ", after it was " + before.manifest());
      }
      long whole = wholeBytes(path(directory, name), 0);
      if (number == before.manifest() && whole < before.manifestBytes()) {
        throw damaged(
            directory,
            "of the MANIFEST's " + before.manifestBytes() + " bytes only " + whole + " are left");
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("look at the MANIFEST of", directory.path(), e);
    }
  }

  private static String current(StoreDirectory directory) throws IOException {
    return Files.readString(directory.database().resolve(CURRENT), StandardCharsets.ISO_8859_1);
  }

  private static Path path(StoreDirectory directory, Matcher name) {
    return directory.database().resolve(name.group().strip());
  }

  private static CorruptStoreException damaged(StoreDirectory directory, String what) {
    return new CorruptStoreException(
        "Could not open the store at "
            + directory.path()
            + ": "
            + what
            + ". Its files are damaged or some are missing; restore the directory from a copy.",
        null);
  }

  /**
   * How many bytes there are up to the first that is no part of a whole record, where a whole one
   * ends at {@code from}.
   */
  private static long wholeBytes(Path file, long from) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      long before = from - from % BLOCK_BYTES;
      in.skipNBytes(before);
      byte[] block = in.readNBytes(BLOCK_BYTES);
      while (block.length > 0) {
        int whole = wholeBytes(block);
        // What is left of a block is too short for a header, and filled with zeros.
        if (block.length < BLOCK_BYTES || BLOCK_BYTES - whole >= HEADER_BYTES) {
          return before + whole;
        }
        before += BLOCK_BYTES;
        block = in.readNBytes(BLOCK_BYTES);
      }
      return before;
    }
  }

  private static int wholeBytes(byte[] block) {
    int at = 0;
    while (block.length - at >= HEADER_BYTES) {
      int end = at + HEADER_BYTES + length(block, at + LENGTH_OFFSET);
      if (end > block.length || !MaskedChecksum.isAt(at, block, at + TYPE_OFFSET, end)) {
        return at;
      }
      at = end;
    }
    return at;
  }

  private static int length(byte[] block, int at) {
    return (block[at] & 0xFF) | (block[at + 1] & 0xFF) << Byte.SIZE;
  }
}
