package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a database that a compaction could not read, in the file {@code damaged} of the
 * store. Their column families are not compacted: RocksDB would stop all writes again. A line is
 * the name of a column family, a space and a file name.
 */
public final class DamagedTables {
  /** The file in the store's directory. */
  public static final String NAME = "damaged";

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final Path file;

  /** The column family of each table. */
  private final Map<String, String> tables = new TreeMap<>();

  private DamagedTables(Path file) {
    this.file = file;
  }

  /** Reads the file of a store; without one, no damage is known. */
  public static DamagedTables read(Path store) {
    DamagedTables damaged = new DamagedTables(store.resolve(NAME));
    try {
      for (String line : Files.readAllLines(damaged.file, StandardCharsets.US_ASCII)) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 2) {
          damaged.tables.put(parts[1], parts[0]);
        }
      }
    } catch (NoSuchFileException e) {
      return damaged;
    } catch (IOException e) {
      // It is only a hint: without it, the damage is found again.
      LOG.warn("The file {} cannot be read.", damaged.file, e);
    }
    return damaged;
  }

  /** Whether no damage is known. */
  public synchronized boolean isEmpty() {
    return tables.isEmpty();
  }

  /** Whether a column family has such a table. */
  public synchronized boolean isIn(String family) {
    return tables.containsValue(family);
  }

  /** The names of the column families and files, by file. */
  public synchronized Map<String, String> all() {
    return new TreeMap<>(tables);
  }

  /** Adds a table; durable on return. Returns whether it is new. */
  public synchronized boolean add(String family, String table) throws IOException {
    if (family.equals(tables.put(table, family))) {
      return false;
    }
    write();
    return true;
  }

  /** Forgets tables that the database does not have any longer; returns whether there were some. */
  public synchronized boolean retain(Collection<String> live) throws IOException {
    if (!tables.keySet().retainAll(Set.copyOf(live))) {
      return false;
    }
    write();
    return true;
  }

  private void write() throws IOException {
    if (tables.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    StringBuilder text = new StringBuilder();
    for (String table : new TreeSet<>(tables.keySet())) {
      text.append(tables.get(table)).append(' ').append(table).append('\n');
    }
    DurableFiles.write(file, text.toString());
  }
}
