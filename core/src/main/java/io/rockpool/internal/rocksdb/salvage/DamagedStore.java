package io.rockpool.internal.rocksdb.salvage;

import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.files.LiveTables;
import io.rockpool.internal.rocksdb.files.SalvagedFiles;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.KeyStretch;
import io.rockpool.internal.rocksdb.natives.SalvagedDatabase;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import io.rockpool.internal.rocksdb.natives.TableCondition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The files of a damaged store and the records that can be read of them.
 *
 * <p>Each table is read alone first, to find the keys of its damaged blocks. The records are then
 * read by RocksDB, from all tables together: so what was overwritten or deleted does not appear. In
 * the keys of a damaged block they are read from all other tables, so that an older value may
 * appear there.
 */
public final class DamagedStore {
  /** The problem of a file with records that were lost before, of names that may be gone. */
  public static final String LOST_BEFORE = "had a damaged block";

  private static final List<ColumnFamily> WITH_RECORDS =
      List.of(ColumnFamily.DEFAULT, ColumnFamily.CATALOG, ColumnFamily.ROWS, ColumnFamily.ENTRIES);

  private final SalvagedFiles files;
  private final StoreLimits limits;
  private final Map<Long, TableCondition> tables = new LinkedHashMap<>();
  private final List<LostKeys> lost = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final long lastInTables;
  private final @Nullable RecoveryPoint point;
  private final boolean isOrderKnown;
  private long lastInLog;

  /** The last change in the journal, which may be behind a gap. */
  private long journaled;

  /**
   * Keys that cannot be read.
   *
   * @param file the damaged or missing file
   * @param family the column family; null if that is not known
   * @param stretch the keys
   * @param records about how many records; -1 if that is not known
   * @param problem what is wrong with the file
   */
  public record LostKeys(
      String file,
      @Nullable ColumnFamily family,
      KeyStretch stretch,
      long records,
      String problem) {}

  /** Looks at all files of a store. */
  public DamagedStore(SalvagedFiles files, StoreLimits limits) throws IOException {
    this.files = files;
    this.limits = limits;
    this.point = files.recoveryPoint();
    if (point == null) {
      notes.add(
          "The recovery point is missing or damaged: it is not known which changes are lost.");
    }
    LiveTables live = files.liveTables(point);
    this.isOrderKnown = live.isWhole();
    this.lastInTables =
        Math.max(live.lastSequence(), live.isWhole() || point == null ? 0 : point.sequence());
    if (!live.isWhole()) {
      notes.add(
          "The MANIFEST is missing or damaged: all table files were read. Elements that were"
              + " overwritten or removed shortly before may be back.");
    }
    for (Map.Entry<Long, Path> table : files.tables().entrySet()) {
      if (live.isWhole() && !live.tables().containsKey(table.getKey())) {
        continue;
      }
      LiveTables.@Nullable Table known = live.tables().get(table.getKey());
      TableCondition condition = TableCondition.of(table.getValue());
      if (condition.family() == null) {
        addLost(table.getValue(), known, "cannot be read: " + condition.problem());
      } else {
        tables.put(table.getKey(), condition);
        addLost(table.getValue(), condition);
      }
    }
    if (live.isWhole()) {
      live.tables()
          .forEach(
              (number, table) -> {
                if (!files.tables().containsKey(number)) {
                  addLost(files.table(number), table, "is missing");
                }
              });
    }
    addLostBefore();
  }

  /** Adds what was lost before, with tables that were mended. */
  private void addLostBefore() {
    Set<String> damagedNow = new HashSet<>();
    lost.forEach(keys -> damagedNow.add(keys.file()));
    for (DamagedTables.Lost keys : DamagedTables.read(files.store()).lost()) {
      if (!damagedNow.contains(keys.table())) {
        lost.add(
            new LostKeys(
                keys.table(),
                ColumnFamily.valueOf(keys.family()),
                new KeyStretch(keys.from(), keys.to()),
                keys.records() == 0 ? -1 : keys.records(),
                LOST_BEFORE));
      }
    }
  }

  private void addLost(Path file, LiveTables.@Nullable Table known, String problem) {
    KeyStretch all =
        known == null
            ? new KeyStretch(new byte[0], null)
            : new KeyStretch(known.first(), Arrays.copyOf(known.last(), known.last().length + 1));
    ColumnFamily family = known == null ? null : family(known.family());
    lost.add(new LostKeys(name(file), family, all, -1, problem));
  }

  private static @Nullable ColumnFamily family(int id) {
    return Arrays.stream(ColumnFamily.values())
        .filter(family -> family.index() == id)
        .findAny()
        .orElse(null);
  }

  private void addLost(Path file, TableCondition condition) {
    long records = condition.lost();
    for (KeyStretch stretch : condition.damaged()) {
      lost.add(
          new LostKeys(name(file), condition.family(), stretch, records, "has a damaged block"));
      records = -1;
    }
    if (condition.problem() != null && condition.damaged().isEmpty()) {
      notes.add("The file " + name(file) + " is damaged where no records are.");
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /**
   * Shows all readable records of a column family. A key is shown once.
   *
   * @param records takes keys and values
   */
  public void read(ColumnFamily family, BiConsumer<byte[], byte[]> records) throws IOException {
    Map<Set<Long>, List<KeyStretch>> views = new LinkedHashMap<>();
    views.put(Set.of(), new ArrayList<>());
    TreeSet<byte[]> bounds = new TreeSet<>(Arrays::compareUnsigned);
    bounds.add(new byte[0]);
    Map<Long, List<KeyStretch>> damaged = new HashMap<>();
    tables.forEach(
        (number, table) -> {
          // Without a name, all its elements would be lost; its record shows whether it is whole.
          if (table.family() == family && !hasNames(family) && !table.damaged().isEmpty()) {
            damaged.put(number, table.damaged());
            for (KeyStretch stretch : table.damaged()) {
              bounds.add(stretch.from());
              if (stretch.to() != null) {
                bounds.add(stretch.to());
              }
            }
          }
        });
    for (byte[] from : bounds) {
      Set<Long> without = new HashSet<>();
      damaged.forEach(
          (number, stretches) -> {
            if (stretches.stream().anyMatch(stretch -> stretch.contains(from))) {
              without.add(number);
            }
          });
      views
          .computeIfAbsent(without, key -> new ArrayList<>())
          .add(new KeyStretch(from, bounds.higher(from)));
    }
    for (Map.Entry<Set<Long>, List<KeyStretch>> view : views.entrySet()) {
      readView(family, view.getKey(), view.getValue(), records);
    }
  }

  private void readView(
      ColumnFamily family,
      Set<Long> without,
      List<KeyStretch> stretches,
      BiConsumer<byte[], byte[]> records)
      throws IOException {
    Map<Long, Integer> used = new LinkedHashMap<>();
    tables.forEach(
        (number, table) -> {
          ColumnFamily of = table.family();
          if (of != null && WITH_RECORDS.contains(of) && !without.contains(number)) {
            used.put(number, of.index());
          }
        });
    List<String> names =
        Arrays.stream(ColumnFamily.values())
            .map(of -> new String(of.bytes(), StandardCharsets.US_ASCII))
            .toList();
    Path view = files.view(names, used, ColumnFamily.ROWS.index());
    try (SalvagedDatabase database =
        new SalvagedDatabase(files.store(), view, lastInTables, limits)) {
      lastInLog = Math.max(lastInLog, database.lastInLog());
      journaled = Math.max(journaled, database.journaled());
      for (KeyStretch stretch : stretches) {
        for (KeyStretch gap : database.scan(family, stretch, !hasNames(family), records)) {
          lost.add(new LostKeys("", family, gap, -1, "a value cannot be read"));
        }
      }
    }
    files.removeView(view);
  }

  private static boolean hasNames(ColumnFamily family) {
    return family == ColumnFamily.CATALOG || family == ColumnFamily.DEFAULT;
  }

  /** Whether a record of the catalog may be damaged or missing. */
  public boolean mayLackName(byte[] key) {
    return lost.stream().anyMatch(keys -> isOf(keys, ColumnFamily.CATALOG, key));
  }

  /** Whether a column family may be damaged anywhere. */
  public boolean mayLackSomeOf(ColumnFamily family) {
    return lost.stream().anyMatch(keys -> isOf(keys, family, keys.stretch().from()));
  }

  private static boolean isOf(LostKeys keys, ColumnFamily family, byte[] key) {
    return (keys.family() == null || keys.family() == family) && keys.stretch().contains(key);
  }

  /** What could not be read so far. */
  public List<LostKeys> lost() {
    return lost;
  }

  /** What else is wrong. */
  public List<String> notes() {
    return notes;
  }

  /** How many of the last changes are gone that were forced to disk or journaled, at least. */
  public long lostChanges() {
    long known = point == null ? 0 : Math.max(point.sequence(), journaled);
    return Math.max(0, known - Math.max(lastInTables, lastInLog));
  }

  /** Whether structures may be incomplete anywhere. */
  public boolean mayLackAnything() {
    return !isOrderKnown
        || point == null
        || lostChanges() > 0
        || files.hasDamagedLog()
        || lost.stream().anyMatch(keys -> keys.family() == null);
  }
}
