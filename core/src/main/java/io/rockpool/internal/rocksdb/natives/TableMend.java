package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.rocksdb.files.DurableFiles;
import io.rockpool.internal.rocksdb.files.FileModes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a damaged table, in which each damaged block of records is an empty one. So all other
 * records can be read and compacted, with their deletions and their order among other tables. It
 * takes the table's place, under the same name, while the database is closed.
 *
 * <p>A block of zeros is one without records. RocksDB's error about a block names its place and the
 * checksum that it should have. So this class knows the layout of a block's trailer, and no more:
 * one byte for the compression, 0 for none, and four for the checksum.
 *
 * @param table the damaged file
 * @param condition what can be read of it
 */
public record TableMend(Path table, TableCondition condition) {
  private static final String SUFFIX = ".mended";

  /** RocksDB's message about a block of records. The first number is 0 at the right checksum. */
  private static final Pattern DAMAGED_BLOCK =
      Pattern.compile(
          "block checksum mismatch: stored(?:\\(context removed\\))? = (\\d+), computed = (\\d+),"
              + " type = \\d+ .* offset (\\d+) size (\\d+), block_type = Data$");

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  /**
   * Makes the copy, unless the table is sound; durable on return. Reads the whole table twice for
   * each damaged block.
   *
   * @param stops whether to give up
   * @return null if the table cannot be mended, because other blocks than those of records are
   *     damaged
   */
  static @Nullable TableMend prepare(Path table, BooleanSupplier stops) throws IOException {
    TableCondition condition = TableCondition.of(table);
    if (condition.family() == null) {
      return null;
    }
    if (condition.problem() != null) {
      Path copy = copy(table);
      TableMend mended = null;
      try {
        copyTo(table, copy);
        if (mend(copy, stops)) {
          mended = new TableMend(table, condition.withLostIn(copy));
        }
      } finally {
        if (mended == null) {
          Files.deleteIfExists(copy);
        }
      }
      return mended;
    }
    return new TableMend(table, condition);
  }

  /** Removes copies that a killed process has left. */
  static void removeCopies(Path database) throws IOException {
    if (Files.isDirectory(database)) { // else it is new
      try (DirectoryStream<Path> copies = Files.newDirectoryStream(database, "*" + SUFFIX)) {
        for (Path copy : copies) {
          Files.delete(copy);
        }
      }
    }
  }

  private static Path copy(Path table) {
    return table.resolveSibling(table.getFileName() + SUFFIX);
  }

  private static void copyTo(Path table, Path copy) throws IOException {
    Files.deleteIfExists(copy);
    try (FileChannel from = FileChannel.open(table, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                copy,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                FileModes.file(copy))) {
      for (long at = 0; at < from.size(); ) {
        at += from.transferTo(at, from.size() - at, to);
      }
    }
  }

  private static boolean mend(Path copy, BooleanSupplier stops) throws IOException {
    try (FileChannel file =
        FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long last = -1;
      String problem = TableCondition.checksumProblem(copy);
      while (problem != null) {
        Matcher block = DAMAGED_BLOCK.matcher(problem);
        if (stops.getAsBoolean() || !block.find()) {
          return false;
        }
        long offset = Long.parseLong(block.group(3));
        if (offset < last) {
          return false;
        }
        boolean isEmptied = offset == last;
        int length = Integer.parseInt(block.group(4)) + 1;
        if (isEmptied) {
          // The context of the block is added to its checksum, and removed for the message.
          int stored = readChecksum(file, offset + length);
          int right =
              stored
                  - Integer.parseUnsignedInt(block.group(1))
                  + Integer.parseUnsignedInt(block.group(2));
          write(file, checksum().putInt(0, right), offset + length);
        } else {
          write(file, ByteBuffer.allocate(length), offset);
        }
        problem = TableCondition.checksumProblem(copy);
        if (isEmptied && problem != null && problem.contains(" offset " + offset + " ")) {
          return false;
        }
        last = offset;
      }
      file.force(true);
      return true;
    }
  }

  private static ByteBuffer checksum() {
    return ByteBuffer.allocate(CHECKSUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int readChecksum(FileChannel file, long at) throws IOException {
    ByteBuffer bytes = checksum();
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
      // Reads on.
    }
    return bytes.getInt(0);
  }

  private static void write(FileChannel file, ByteBuffer bytes, long at) throws IOException {
    while (bytes.hasRemaining()) {
      int unused = file.write(bytes, at + bytes.position());
    }
  }

  /** The table's file name. */
  public String file() {
    return String.valueOf(table.getFileName());
  }

  /**
   * Replaces the table by the copy, if it is still there; durable on return. The database is
   * closed.
   */
  void complete() throws IOException {
    Path copy = copy(table);
    if (Files.exists(copy) && Files.exists(table)) {
      Files.move(copy, table, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      DurableFiles.forceDirectory(Objects.requireNonNull(table.toAbsolutePath().getParent()));
    }
  }
}
