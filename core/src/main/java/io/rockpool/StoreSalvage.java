package io.rockpool;

import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceName;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.SalvagedFiles;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.KeyStretch;
import io.rockpool.internal.rocksdb.natives.NativeLibrary;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import io.rockpool.internal.rocksdb.salvage.DamagedStore;
import io.rockpool.store.Finding;
import io.rockpool.store.SalvageReport;
import io.rockpool.store.VerifyOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Copies what is readable of a damaged store into a new one. */
final class StoreSalvage {
  private static final long MEMORY_BYTES = 32L << 20;
  private static final Duration NEVER = Duration.ofDays(10_000);

  private final Path from;
  private final Path to;
  private final List<SalvageReport.Lost> lost = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<Long, SalvagedName> names = new TreeMap<>();
  private final TreeSet<Long> dead = new TreeSet<>();
  private final Map<Long, Long> unnamed = new TreeMap<>();
  private long malformed;

  private StoreSalvage(Path from, Path to) {
    this.from = from;
    this.to = to;
  }

  /** See {@link Rockpool#salvage}. */
  static SalvageReport run(Path from, Path to) {
    Path source = from.toAbsolutePath().normalize();
    Path target = to.toAbsolutePath().normalize();
    try {
      if (Files.exists(target)) {
        try (Stream<Path> content = Files.list(target)) {
          if (content.findAny().isPresent()) {
            throw new ForeignDirectoryException(
                "The directory "
                    + target
                    + " is not empty; it was left untouched. Choose an empty directory, or one that"
                    + " does not exist yet.",
                target);
          }
        }
      }
      Path parent = Objects.requireNonNull(target.getParent());
      Files.createDirectories(parent);
      Path work = Files.createTempDirectory(parent, ".rockpool-salvage-");
      try {
        return new StoreSalvage(source, target).copy(work);
      } finally {
        DirectoryTree.delete(work);
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("salvage", source, e);
    }
  }

  private SalvageReport copy(Path work) throws IOException {
    SalvagedFiles files = new SalvagedFiles(from, work);
    NativeLibrary.load(work);
    DamagedStore damaged =
        new DamagedStore(
            files,
            new StoreLimits(MEMORY_BYTES, 0, NEVER, NEVER, /* purgesInCompactions= */ false));
    try (Rockpool pool = Rockpool.at(to).memoryBytes(MEMORY_BYTES).open()) {
      OpenStore store = pool.store();
      damaged.read(ColumnFamily.CATALOG, this::addName);
      names.forEach(
          (generation, name) -> {
            if (SpaceName.isWithin(name.name(), SpaceName.HINTS)) {
              dead.add(generation);
            }
          });
      names.keySet().removeAll(dead);
      names.forEach((generation, name) -> name.create(store, mayLack(damaged, generation, name)));
      damaged.read(ColumnFamily.ROWS, this::addRow);
      damaged.read(ColumnFamily.ENTRIES, this::addEntry);
      names.values().forEach(SalvagedName::end);
      copyClasses();
      damaged.lost().forEach(this::report);
      report();
      notes.addAll(0, damaged.notes());
      for (Finding finding : store.verify(VerifyOptions.defaults()).findings()) {
        notes.add("The new store is not sound: " + finding);
      }
    }
    return new SalvageReport(
        names.values().stream().map(SalvagedName::report).toList(),
        lost,
        damaged.lostChanges(),
        notes);
  }

  private void addName(byte[] key, byte[] value) {
    if (CatalogKeyFormat.isDeadGeneration(key)) {
      dead.add(CatalogKeyFormat.deadGenerationOf(key));
    } else if (CatalogKeyFormat.isName(key)) {
      String name = CatalogKeyFormat.nameOf(key);
      try {
        Descriptor descriptor = Descriptor.decode(value);
        names.put(descriptor.generation(), new SalvagedName(name, descriptor));
      } catch (CorruptStoreException e) {
        notes.add("The name \"" + name + "\" is lost: " + e.getMessage() + ".");
      }
    }
  }

  private void addRow(byte[] key, byte[] value) {
    SalvagedName name = named(key, Layout.ROWS);
    if (name != null) {
      try {
        byte[] hashKey = RowKeyFormat.hashKey(key);
        byte[] sortKey = RowKeyFormat.sortKey(key);
        long expiry = RowRecordFormat.expiryMillis(value, value.length);
        boolean isCounted = RowRecordFormat.isCounted(value, value.length);
        byte[] content =
            Arrays.copyOfRange(value, RowRecordFormat.headerLength(expiry), value.length);
        name.add(new RowRecord(hashKey, sortKey, content, expiry), isCounted);
      } catch (CorruptStoreException e) {
        malformed++;
      }
    }
  }

  private void addEntry(byte[] key, byte[] value) {
    SalvagedName name = named(key, Layout.ENTRIES);
    if (name != null) {
      try {
        long expiry = EntryFormat.expiryMillis(value, value.length);
        int at = EntryFormat.HEADER_BYTES;
        byte[] content =
            Arrays.copyOfRange(value, at, at + EntryFormat.valueLength(value, value.length));
        byte[] hashKey = Arrays.copyOfRange(key, Generation.BYTES, key.length);
        name.add(new RowRecord(hashKey, new byte[0], content, expiry), false);
      } catch (CorruptStoreException e) {
        malformed++;
      }
    }
  }

  private @Nullable SalvagedName named(byte[] key, Layout layout) {
    if (key.length < Generation.BYTES) {
      malformed++;
      return null;
    }
    long generation = Generation.of(key);
    SalvagedName name = names.get(generation);
    if (name != null && name.layout() == layout) {
      return name;
    }
    if (!dead.contains(generation)) {
      unnamed.merge(generation, 1L, Long::sum);
    }
    return null;
  }

  /** Whether a structure may be incomplete, so that it must be built again. */
  private static boolean mayLack(DamagedStore damaged, long generation, SalvagedName name) {
    return damaged.mayLackAnything()
        || damaged.lost().stream().anyMatch(keys -> isIn(keys, generation, name));
  }

  private static boolean isIn(DamagedStore.LostKeys keys, long generation, SalvagedName name) {
    ColumnFamily family = name.layout() == Layout.ROWS ? ColumnFamily.ROWS : ColumnFamily.ENTRIES;
    byte[] first = Generation.prefix(generation);
    byte[] end = Objects.requireNonNull(SortRange.successorOfPrefix(first));
    KeyStretch stretch = keys.stretch();
    byte[] last = stretch.to();
    return (keys.family() == null || keys.family() == family)
        && Arrays.compareUnsigned(stretch.from(), end) < 0
        && (last == null || Arrays.compareUnsigned(last, first) > 0);
  }

  private void report(DamagedStore.LostKeys keys) {
    ColumnFamily family = keys.family();
    if (family == ColumnFamily.CATALOG) {
      lost.add(
          new SalvageReport.Lost(
              "",
              "",
              "",
              keys.records(),
              keys.file(),
              keys.problem() + " of names; compare them with what you expect"));
      return;
    }
    if (family == ColumnFamily.COUNTS
        || family == ColumnFamily.EXPIRIES
        || family == ColumnFamily.DEFAULT) {
      notes.add(
          "The file " + keys.file() + " " + keys.problem() + "; what it had was counted again.");
      return;
    }
    boolean[] found = new boolean[1];
    names.forEach(
        (generation, name) -> {
          if (family != null && isIn(keys, generation, name)) {
            found[0] = true;
            lost.add(
                new SalvageReport.Lost(
                    name.name(),
                    shown(keys.stretch().from(), generation),
                    shown(keys.stretch().to(), generation),
                    keys.records(),
                    keys.file(),
                    keys.problem()));
          }
        });
    if (!found[0]) {
      lost.add(new SalvageReport.Lost("", "", "", keys.records(), keys.file(), keys.problem()));
    }
  }

  private static String shown(byte @Nullable [] key, long generation) {
    return key == null || key.length <= Generation.BYTES || Generation.of(key) != generation
        ? ""
        : ShownKey.of(Arrays.copyOfRange(key, Generation.BYTES, key.length));
  }

  private void report() {
    unnamed.forEach(
        (generation, records) ->
            lost.add(
                new SalvageReport.Lost(
                    "",
                    "",
                    "",
                    records,
                    "",
                    "the name of these records is lost (generation " + generation + ")")));
    if (malformed > 0) {
      notes.add(malformed + " records are malformed and were left out.");
    }
  }

  private void copyClasses() throws IOException {
    Path classes = from.resolve(StoreDirectory.CLASSES);
    if (Files.isRegularFile(classes)) {
      Files.copy(classes, to.resolve(StoreDirectory.CLASSES), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
