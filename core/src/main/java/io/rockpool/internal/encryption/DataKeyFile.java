package io.rockpool.internal.encryption;

import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.internal.rocksdb.files.FileModes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The wrapped data keys of a store in a file outside of it: a first line with the id of the store's
 * keys, then lines of a key's id and the wrapped key in Base64. Replaced as a whole, durably.
 * Locked while a store that writes has it: two would overwrite each other's keys. Thread-safe.
 */
final class DataKeyFile implements AutoCloseable {
  private static final String FIRST = "rockpool-data-keys ";

  private final Path file;
  private final String ringId;
  private final @Nullable DirectoryLock lock;
  private Map<String, byte[]> keys;

  private DataKeyFile(
      Path file, String ringId, @Nullable DirectoryLock lock, Map<String, byte[]> keys) {
    this.file = file;
    this.ringId = ringId;
    this.lock = lock;
    this.keys = keys;
  }

  /**
   * The file of a store. Unless it may not be changed, it exists afterwards.
   *
   * @param mustExist whether the store has had the file before
   * @param readOnly whether nothing may be changed; then the file is not locked
   * @throws EncryptionKeyException if the file is missing or another store's
   * @throws StoreLockedException if another store that writes has the file
   */
  static DataKeyFile open(Path file, String ringId, boolean mustExist, boolean readOnly) {
    if (mustExist && Files.notExists(file)) {
      throw new EncryptionKeyException(
          "There is no file "
              + file
              + ", and the store has the keys of its names in a file. Give the path of that file,"
              + " or copy it there. If it is lost, so are the encrypted names; to open the store"
              + " without them, make the file with the line \""
              + FIRST
              + ringId
              + "\".",
          null,
          null);
    }
    if (readOnly) {
      return new DataKeyFile(file, ringId, null, read(file, ringId));
    }
    DirectoryLock lock = locked(file);
    boolean opened = false;
    try {
      DataKeyFile keys = new DataKeyFile(file, ringId, lock, read(file, ringId));
      if (Files.notExists(file)) {
        keys.replace(Map.of());
      }
      opened = true;
      return keys;
    } finally {
      if (!opened) {
        release(file, lock);
      }
    }
  }

  private static DirectoryLock locked(Path file) {
    try {
      DirectoryLock lock =
          DirectoryLock.take(
              DirectoryLock.Use.KEYS, file, file.resolveSibling(file.getFileName() + ".lock"));
      lock.writePid();
      return lock;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static void release(Path file, DirectoryLock lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static Map<String, byte[]> read(Path file, String ringId) {
    Map<String, byte[]> keys = new HashMap<>();
    if (Files.exists(file)) {
      if (!Files.isRegularFile(file)) {
        throw failed(file, new IOException("it is no regular file"));
      }
      List<String> lines = lines(file);
      if (lines.isEmpty() || !lines.get(0).equals(FIRST + ringId)) {
        throw new EncryptionKeyException(
            "The file "
                + file
                + " has not the keys of this store; give the file that the store was opened with"
                + " before.",
            null,
            null);
      }
      for (int number = 1; number < lines.size(); number++) {
        String[] parts = lines.get(number).split(" ", -1);
        try {
          if (parts.length != 2 || keys.put(parts[0], decoded(parts[1])) != null) {
            throw damaged(file, number + 1, null);
          }
        } catch (IllegalArgumentException e) { // no Base64
          throw damaged(file, number + 1, e);
        }
      }
    }
    return keys;
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static EncryptionKeyException damaged(
      Path file, int line, @Nullable IllegalArgumentException cause) {
    // The line may have a key, so it is not shown.
    return new EncryptionKeyException(
        "The keys of names cannot be read: line "
            + line
            + " of "
            + file
            + " is not an id and a key in Base64, or has an id twice. Give a copy of the file that"
            + " is whole.",
        null,
        cause);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  synchronized byte @Nullable [] get(String id) {
    return keys.get(id);
  }

  synchronized void put(String id, byte[] wrapped) {
    Map<String, byte[]> more = new HashMap<>(keys);
    more.put(id, wrapped);
    replace(more);
  }

  synchronized void removeIf(Predicate<String> ids) {
    Map<String, byte[]> fewer = new HashMap<>(keys);
    if (fewer.keySet().removeIf(ids)) {
      replace(fewer);
    }
  }

  private void replace(Map<String, byte[]> next) {
    StringBuilder text = new StringBuilder(FIRST).append(ringId).append('\n');
    new TreeMap<>(next)
        .forEach(
            (id, key) ->
                text.append(id)
                    .append(' ')
                    .append(Base64.getEncoder().encodeToString(key))
                    .append('\n'));
    Path written = file.resolveSibling(file.getFileName() + ".new");
    try {
      // Another user may have laid a link there, if the file's directory is shared.
      Files.deleteIfExists(written);
      try (FileChannel out =
          FileChannel.open(
              written,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              FileModes.file(written))) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          int unused = out.write(bytes);
        }
        out.force(true);
      }
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
        directory.force(true);
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
    keys = next;
  }

  private static StoreIoException failed(Path file, IOException e) {
    return new StoreIoException(
        "The keys of names in "
            + file
            + " cannot be read or written: "
            + FileErrors.text(e)
            + ". Check the file.",
        file,
        e);
  }

  /** Unlocks the file. */
  @Override
  public void close() {
    if (lock != null) {
      release(file, lock);
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
