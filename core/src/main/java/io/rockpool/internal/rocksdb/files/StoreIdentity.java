package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The id of a store: the random one that RocksDB gave its database. It is also in the MANIFEST, so
 * copies, backups and restored stores have it. A salvaged store has another one.
 */
public final class StoreIdentity {
  private static final String FILE = "IDENTITY";

  /** An id has 36 characters. */
  private static final int MAX_BYTES = 256;

  private StoreIdentity() {}

  /** Reads the id of a store; empty if its database has none. */
  public static String of(Path store) {
    try (InputStream in =
        Files.newInputStream(store.resolve(StoreDirectory.DATABASE).resolve(FILE))) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw StoreDirectory.refused("read the id of", store, e);
    }
  }
}
