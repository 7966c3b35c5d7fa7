package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that a compaction could not read, and the records that were lost with them, in the
 * file {@code damaged} of the store. A table is first set aside: its column family is not
 * compacted, because RocksDB would stop all writes again. Once it is mended, it has fewer records
 * than it says.
 */
public final class DamagedTables {
  /** The file in the store's directory. */
  public static final String NAME = "damaged";

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);
  private static final String MENDED = "mended";
  private static final String LOST = "lost";
  private static final String END = "-";

  private final Path file;

  /** The column family of each table that is set aside. */
  private final Map<String, String> tables = new TreeMap<>();

  private final Set<String> mended = new TreeSet<>();
  private final List<Lost> lost = new ArrayList<>();

  /**
   * Keys of records that could not be read. Between them, older values may be back.
   *
   * @param family the name of the column family
   * @param table the file that had them
   * @param records about how many; 0 if they are counted with other keys of the table
   * @param from the first key
   * @param to the end, excluded; null for the end of all keys
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by line
  public record Lost(String family, String table, long records, byte[] from, byte @Nullable [] to) {
    private static Lost parse(String[] parts) {
      HexFormat hex = HexFormat.of();
      return new Lost(
          parts[1],
          parts[2],
          Long.parseLong(parts[3]),
          hex.parseHex(parts[4]),
          parts[5].equals(END) ? null : hex.parseHex(parts[5]));
    }

    /** Its line in the file. */
    public String line() {
      HexFormat hex = HexFormat.of();
      String end = to == null ? END : hex.formatHex(to);
      return String.join(
          " ", LOST, family, table, String.valueOf(records), hex.formatHex(from), end);
    }
  }

  private DamagedTables(Path file) {
    this.file = file;
  }

  /** Reads the file of a store; without one, no damage is known. */
  public static DamagedTables read(Path store) {
    DamagedTables damaged = new DamagedTables(store.resolve(NAME));
    try {
      for (String line : Files.readAllLines(damaged.file, StandardCharsets.US_ASCII)) {
        damaged.parse(line.split(" ", -1));
      }
    } catch (NoSuchFileException e) {
      return damaged;
    } catch (IOException | IllegalArgumentException e) {
      // It is only a hint: without it, the damage is found again.
      LOG.warn("The file {} cannot be read.", damaged.file, e);
    }
    return damaged;
  }

  private void parse(String[] parts) {
    if (parts.length == 2 && parts[0].equals(MENDED)) {
      mended.add(parts[1]);
    } else if (parts.length == 2) {
      tables.put(parts[1], parts[0]);
    } else if (parts.length == 6 && parts[0].equals(LOST)) {
      lost.add(Lost.parse(parts));
    }
  }

  /** Whether a column family has a table that is set aside. */
  public synchronized boolean isIn(String family) {
    return tables.containsValue(family);
  }

  /** The tables that are set aside: the names of their column families, by file. */
  public synchronized Map<String, String> setAside() {
    return new TreeMap<>(tables);
  }

  /** Whether a table was mended that the database may still have. */
  public synchronized boolean hasMended() {
    return !mended.isEmpty();
  }

  /** The keys of lost records. */
  public synchronized List<Lost> lost() {
    return List.copyOf(lost);
  }

  /** Whether nothing is known. */
  public synchronized boolean isEmpty() {
    return tables.isEmpty() && mended.isEmpty() && lost.isEmpty();
  }

  /** How many tables are set aside, or had records that are lost. */
  public synchronized int count() {
    Set<String> all = new TreeSet<>(tables.keySet());
    lost.forEach(keys -> all.add(keys.table()));
    return all.size();
  }

  /** Sets a table aside; durable on return. Returns whether it is new. */
  public synchronized boolean add(String family, String table) throws IOException {
    if (family.equals(tables.put(table, family))) {
      return false;
    }
    write();
    return true;
  }

  /** Notes lost records, before their table is mended; durable on return. */
  public synchronized void addLost(List<Lost> keys) throws IOException {
    for (Lost one : keys) {
      if (lost.stream().noneMatch(known -> known.line().equals(one.line()))) {
        lost.add(one);
      }
    }
    write();
  }

  /** Notes that a table is mended, so that it can be compacted; durable on return. */
  public synchronized void setMended(String table) throws IOException {
    String unused = tables.remove(table);
    mended.add(table);
    write();
  }

  /** Forgets lost records that concern no name any longer. */
  public synchronized void forgetLost(Predicate<Lost> isOver) throws IOException {
    if (lost.removeIf(isOver)) {
      write();
    }
  }

  /** Forgets tables that the database does not have any longer; returns whether there were some. */
  public synchronized boolean retain(Collection<String> live) throws IOException {
    boolean any = tables.keySet().retainAll(Set.copyOf(live));
    any |= mended.retainAll(live);
    if (any) {
      write();
    }
    return any;
  }

  /** Replaces the file as a whole: a kill leaves the old or the new one. */
  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    tables.forEach((table, family) -> lines.add(family + " " + table));
    mended.forEach(table -> lines.add(MENDED + " " + table));
    lost.forEach(keys -> lines.add(keys.line()));
    if (lines.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    Path next = file.resolveSibling(NAME + ".new");
    DurableFiles.write(next, String.join("\n", lines) + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    DurableFiles.forceDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }
}
