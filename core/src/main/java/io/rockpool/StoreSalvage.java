package io.rockpool;

import io.rockpool.encryption.Encryption;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.DescriptorCopy;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.NativePaths;
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
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Copies what is readable of a damaged store into a new one. */
public final class StoreSalvage {
  private static final long MEMORY_BYTES = 32L << 20;
  private static final Duration NEVER = Duration.ofDays(10_000);

  private final Path from;
  private final Path to;
  private final UnaryOperator<RockpoolBuilder> options;
  private final List<SalvageReport.Lost> lost = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<Long, SalvagedName> names = new TreeMap<>();
  private final TreeSet<Long> dead = new TreeSet<>();
  private final Map<Long, Long> unnamed = new TreeMap<>();

  /** What is wrong with the keys of names, by generation. */
  private final Map<Long, SalvageReport.Lost> keyless = new TreeMap<>();

  /** Whether copies have all names of damaged parts of the catalog. */
  private boolean areNamesKnown;

  private long malformed;

  private StoreSalvage(Path from, Path to, UnaryOperator<RockpoolBuilder> options) {
    this.from = from;
    this.to = to;
    this.options = options;
  }

  /**
   * Copies what is readable of a damaged store into a new one. The damaged store stays as it is; no
   * process may have it open. Reads all of it, and takes its space again.
   *
   * <p>Tables with damaged blocks are read around them; missing files, a damaged MANIFEST, log,
   * journal or marker are passed over. Counts and indexes are made again, deques and scored sets
   * are built of their elements, and messages of a damaged queue are sent again. Where a block is
   * damaged, an older value of an element may be copied, or an element that was removed: the report
   * names these keys.
   *
   * @param damaged the directory of the damaged store
   * @param directory an empty directory, or one that does not exist
   * @return what was copied and what was not
   * @throws ForeignDirectoryException if {@code damaged} is no store, or the other is not empty or
   *     inside of a store
   * @throws io.rockpool.error.FormatVersionException if a newer library wrote the store
   * @throws StoreLockedException if a process has the store open
   * @throws io.rockpool.error.StoreFullException if the disk is full
   * @throws io.rockpool.error.StoreIoException if a file system fails
   */
  public static SalvageReport copy(Path damaged, Path directory) {
    return copy(damaged, directory, options -> options);
  }

  /**
   * Like {@link #copy(Path, Path)}, with options for the new store, as in {@code o ->
   * o.encryption(keys)}: an encrypted store needs its keys. Names in the new store are encrypted as
   * this option says.
   *
   * @throws io.rockpool.error.EncryptionKeyException if a key of the store is missing or wrong;
   *     then nothing was copied. A name whose own key is lost is reported as lost
   */
  public static SalvageReport copy(
      Path damaged, Path directory, UnaryOperator<RockpoolBuilder> options) {
    return run(damaged, directory, options);
  }

  private static SalvageReport run(Path from, Path to, UnaryOperator<RockpoolBuilder> options) {
    Path source = from.toAbsolutePath().normalize();
    Path target = to.toAbsolutePath().normalize();
    NativePaths.check(source);
    NativePaths.check(target);
    NativeLibrary.requireClasses();
    try {
      requireNoContent(target);
      requireOutside(source, target);
      Path parent = Objects.requireNonNull(target.getParent());
      Files.createDirectories(parent);
      Path work = Files.createTempDirectory(parent, ".rockpool-salvage-");
      try {
        return new StoreSalvage(source, target, options).salvage(work);
      } finally {
        DirectoryTree.delete(work);
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("salvage", source, e);
    }
  }

  private static void requireNoContent(Path target) throws IOException {
    if (Files.exists(target) && !(Files.isDirectory(target) && isEmpty(target))) {
      throw new ForeignDirectoryException(
          "The directory "
              + target
              + " is not empty; it was left untouched. Choose an empty directory, or one that does"
              + " not exist yet.",
          target);
    }
  }

  /** A damaged store stays as it is, and any other is left alone. */
  private static void requireOutside(Path source, Path target) throws IOException {
    Path outer = StoreDirectory.storeAround(target);
    if (outer == null && target.startsWith(source)) {
      outer = source; // whose marker is missing
    }
    if (outer != null) {
      throw new ForeignDirectoryException(
          "The directory "
              + target
              + " is inside of the store at "
              + outer
              + "; nothing was changed. Choose a directory outside of the store.",
          target);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> content = Files.list(directory)) {
      return content.findAny().isEmpty();
    }
  }

  private SalvageReport salvage(Path work) throws IOException {
    SalvagedFiles files = new SalvagedFiles(from, work);
    NativeLibrary.load(work);
    DamagedStore damaged =
        new DamagedStore(
            files,
            new StoreLimits(MEMORY_BYTES, 0, NEVER, NEVER, /* purgesInCompactions= */ false));
    damaged.read(ColumnFamily.CATALOG, this::addName);
    if (damaged.mayLackSomeOf(ColumnFamily.CATALOG)) {
      readCopies(damaged);
    }
    names.forEach(
        (generation, name) -> {
          if (SpaceName.isWithin(name.name(), SpaceName.HINTS)) {
            dead.add(generation);
          }
        });
    names.keySet().removeAll(dead);
    boolean hasKeys = takeStoreKeys();
    try (Rockpool pool = openTarget()) {
      OpenStore store = pool.store();
      if (!hasKeys) {
        decrypt(store.encryption());
      }
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

  /**
   * Gives the new store the keys of an encrypted one, and lets the names decrypt their records with
   * them. When the new store is opened to be written, it drops older keys that none of its own
   * names has; those that a rotation did not reach still need them.
   *
   * @return whether there were such keys
   */
  private boolean takeStoreKeys() {
    Encryption encryption =
        options.apply(new RockpoolBuilder(null, null)).options().get(StoreOptions.ENCRYPTION);
    for (SalvagedName name : List.copyOf(names.values())) {
      if (name.name().equals(SpaceName.KEYS)) {
        names.values().remove(name);
        try (RocksDbEngine engine =
            RocksDbEngine.open(
                to, RocksDbOptions.builder().memoryBudgetBytes(MEMORY_BYTES).build())) {
          Space unused =
              engine.create(new SpaceSpec(SpaceName.KEYS, name.layout(), name.attributes()));
          try (Engine keys =
              EncryptedEngine.over(
                  engine, SharedStores.orByDefault(encryption, engine), /* readOnly= */ true)) {
            decrypt(keys instanceof EncryptedEngine encrypted ? encrypted : null);
          }
        } catch (EncryptionKeyException e) {
          throw undone(e);
        }
        return true;
      }
    }
    return false;
  }

  /** Deletes the new store, because it cannot be filled. */
  private RockpoolException undone(RockpoolException e) {
    try {
      DirectoryTree.delete(to);
    } catch (IOException failure) {
      e.addSuppressed(failure);
    }
    return e;
  }

  private Rockpool openTarget() {
    try {
      return options.apply(Rockpool.at(to).memoryBytes(MEMORY_BYTES)).open();
    } catch (EncryptionKeyException | StoreLockedException e) {
      throw undone(e);
    }
  }

  /** Lets the names decrypt their records; without its key, a name is lost. */
  private void decrypt(@Nullable EncryptedEngine encrypted) {
    names
        .entrySet()
        .removeIf(
            entry -> {
              SalvagedName name = entry.getValue();
              if (!EncryptedEngine.areEncrypted(name.attributes())) {
                return false;
              }
              String problem = "the keys of the store are lost";
              try {
                if (encrypted != null) {
                  name.decryptWith(encrypted.decrypting(name.name(), name.attributes()));
                  return false;
                }
              } catch (EncryptionKeyException e) {
                problem = String.valueOf(e.getMessage());
              } catch (IllegalArgumentException e) { // no number, or no Base64
                problem = "The stored key of \"" + name.name() + "\" is damaged: " + e.getMessage();
              }
              keyless.put(
                  entry.getKey(), new SalvageReport.Lost(name.name(), "", "", -1, "", problem));
              return true;
            });
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

  /** Takes the names in damaged parts of the catalog from their copies. */
  private void readCopies(DamagedStore damaged) throws IOException {
    boolean[] isWhole = {true, /* any copy */ false};
    damaged.read(
        ColumnFamily.DEFAULT,
        (key, value) -> {
          try {
            Descriptor copy = DescriptorCopy.decode(key, value);
            isWhole[1] = true;
            if (damaged.mayLackName(key) && !dead.contains(copy.generation())) {
              addCopy(CatalogKeyFormat.nameOf(key), copy);
            }
          } catch (CorruptStoreException e) {
            isWhole[0] = false;
          }
        });
    areNamesKnown = isWhole[0] && isWhole[1] && !damaged.mayLackSomeOf(ColumnFamily.DEFAULT);
  }

  private void addCopy(String name, Descriptor copy) {
    Predicate<SalvagedName> isSame = found -> found.name().equals(name);
    boolean isNewer =
        names.entrySet().stream()
            .anyMatch(found -> isSame.test(found.getValue()) && found.getKey() > copy.generation());
    if (!isNewer) {
      names.values().removeIf(isSame);
      names.put(copy.generation(), new SalvagedName(name, copy));
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
    if (family == ColumnFamily.CATALOG && areNamesKnown) {
      notes.add(
          "The file " + keys.file() + " " + keys.problem() + "; its names were read from copies.");
      return;
    }
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
    if (!found[0] && !keys.problem().equals(DamagedStore.LOST_BEFORE)) {
      lost.add(new SalvageReport.Lost("", "", "", keys.records(), keys.file(), keys.problem()));
    }
  }

  private static String shown(byte @Nullable [] key, long generation) {
    return key == null || key.length <= Generation.BYTES || Generation.of(key) != generation
        ? ""
        : ShownKey.of(Arrays.copyOfRange(key, Generation.BYTES, key.length));
  }

  private void report() {
    keyless.forEach(
        (generation, name) ->
            lost.add(
                new SalvageReport.Lost(
                    name.name(),
                    "",
                    "",
                    unnamed.getOrDefault(generation, 0L),
                    "",
                    name.problem())));
    unnamed.keySet().removeAll(keyless.keySet());
    if (areNamesKnown) {
      unnamed.clear(); // of names that were dropped
    }
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
