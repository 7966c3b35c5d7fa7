package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.RecoveryPoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * RocksDB's list of a database's files: a growing log, in a file that {@code CURRENT} names. If its
 * end is missing, or hidden by a damaged length, RocksDB assumes that its writer died. It then
 * opens without the files listed there and reports nothing. So the recovery point records its
 * length.
 *
 * @param number the number in the file's name; a later file has a higher one
 * @param bytes its length, without an incomplete record at the end, which a full disk can leave
 */
public record ManifestFile(long number, long bytes) {
  static final String CURRENT = "CURRENT";
  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d{1,18})\n");

  /** No record of the log spans two blocks. */
  private static final int BLOCK_BYTES = 32 << 10;

  /** Checksum of type and data (4 bytes), length (2), type (1). */
  private static final int HEADER_BYTES = 7;

  private static final int LENGTH_OFFSET = 4;
  private static final int TYPE_OFFSET = 6;

  /** The current manifest of a store. */
  public static ManifestFile of(StoreDirectory directory) {
    return new ManifestFile(0, 0).next(directory);
  }

  /** The current manifest of the same store; reads only what was added. */
  public ManifestFile next(StoreDirectory directory) {
    try {
      Matcher name = name(current(directory.path()), directory.path());
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

  /** The recovery point of a store with this manifest. */
  public RecoveryPoint point(boolean closed, long sequence) {
    return new RecoveryPoint(closed, sequence, number, bytes);
  }

  /**
   * Rejects a store if part of its manifest is missing. The store is not open yet. Damage that
   * RocksDB detects is left to RocksDB.
   *
   * @throws CorruptStoreException if a part is missing
   */
  public static void check(StoreDirectory directory, RecoveryPoint before) {
    try {
      if (Files.notExists(directory.database().resolve(CURRENT))) {
        return;
      }
      Matcher name = NAME.matcher(current(directory.path()));
      if (!name.matches() || Files.notExists(path(directory, name))) {
        return;
      }
      long number = Long.parseLong(name.group(1));
      if (number < before.manifest()) {
        throw damaged(
            directory.path(),
            "CURRENT names MANIFEST " + number + ", after it was " + before.manifest());
      }
      long whole = wholeBytes(path(directory, name), 0);
      if (number == before.manifest() && whole < before.manifestBytes()) {
        throw damaged(
            directory.path(),
            "of the MANIFEST's " + before.manifestBytes() + " bytes only " + whole + " are left");
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("look at the MANIFEST of", directory.path(), e);
    }
  }

  /**
   * Checks that the database of a store has a MANIFEST.
   *
   * @throws CorruptStoreException if it has none
   */
  static void requireThere(Path store) throws IOException {
    Path database = store.resolve(StoreDirectory.DATABASE);
    if (Files.notExists(database.resolve(CURRENT))) {
      throw damaged(store, "the file " + CURRENT + " is missing");
    }
    Path manifest = named(current(store), store);
    if (Files.notExists(database.resolve(manifest))) {
      throw damaged(store, "the file " + manifest + " is missing");
    }
  }

  /** The content of the file that names the manifest of a store. */
  static String current(Path store) throws IOException {
    Path file = store.resolve(StoreDirectory.DATABASE).resolve(CURRENT);
    BasicFileAttributes unused = FileModes.requireFile(file);
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** The file name of the manifest that {@code current} names. */
  static Path named(String current, Path store) {
    return Path.of(name(current, store).group().strip());
  }

  private static Matcher name(String current, Path store) {
    Matcher name = NAME.matcher(current);
    if (!name.matches()) {
      throw damaged(store, "CURRENT does not name a MANIFEST");
    }
    return name;
  }

  private static Path path(StoreDirectory directory, Matcher name) {
    return directory.database().resolve(name.group().strip());
  }

  private static CorruptStoreException damaged(Path store, String what) {
    return new CorruptStoreException(
        "Could not open the store at "
            + store
            + ": "
            + what
            + ". Its files are damaged or some are missing; restore the directory from a copy,"
            + " or copy what is readable with StoreSalvage.copy.",
        store,
        null);
  }

  /** The end of the last whole record, if a whole record ends at {@code from}. */
  private static long wholeBytes(Path file, long from) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      long before = from - from % BLOCK_BYTES;
      in.skipNBytes(before);
      byte[] block = in.readNBytes(BLOCK_BYTES);
      while (block.length > 0) {
        int whole = wholeBytes(block);
        // The rest of a block is zeros if it is too short for a header.
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
