package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.encryption.Encryption;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.rocksdb.files.RestoredMark;
import io.rockpool.internal.rocksdb.files.StoreCopy;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open stores of this process. All handles on a directory share one store, which closes with
 * the last handle.
 */
final class SharedStores {
  /** Held briefly: never while a store is opened or closed, which may take long. */
  private static final OrderedLock LOCK = new OrderedLock(LockLevel.STORES);

  private static final Condition CHANGED = LOCK.newCondition();

  /** The open stores by the real path of their directory. */
  private static final Map<Path, OpenStore> OPEN = new HashMap<>();

  /** The directories whose store is being opened or closed. */
  private static final Map<Path, Change> CHANGING = new HashMap<>();

  /** Encrypts stores for which no encryption was set; tests set it. */
  static volatile Function<Engine, @Nullable Encryption> encryptionByDefault = engine -> null;

  private enum Change {
    OPENING,
    CLOSING
  }

  /** The share and the maximum of the default free-space floor. */
  private static final int FREE_SPACE_SHARE = 20;

  private static final long MAX_FREE_SPACE_BYTES = 128L << 20;

  /** A copy that is only read needs no upkeep. */
  private static final Duration NEVER = Duration.ofDays(10_000);

  private SharedStores() {}

  static OpenStore open(Path directory, StoreOptions said) {
    Path path = realPath(directory);
    OpenStore there = openOrBegin(path, said);
    if (there != null) {
      return there;
    }
    OpenStore opened = null;
    try {
      opened = openNew(directory, path, said);
      return opened;
    } finally {
      end(path, opened);
    }
  }

  /**
   * Returns the open store of a directory with one more handle, or null if this thread must open
   * it.
   */
  private static @Nullable OpenStore openOrBegin(Path path, StoreOptions said) {
    LOCK.lock();
    try {
      while (CHANGING.containsKey(path)) {
        refuseToWaitInTransaction(path);
        CHANGED.awaitUninterruptibly();
      }
      OpenStore there = OPEN.get(path);
      if (there == null) {
        CHANGING.put(path, Change.OPENING);
        return null;
      }
      List<String> conflicts = said.conflictsWith(there.options);
      if (!conflicts.isEmpty()) {
        throw new IllegalStateException(
            there.engine.description()
                + " is already open in this process with another "
                + String.join(", ", conflicts)
                + ". Set the same, leave it unset, or open another directory.");
      }
      there.handles++;
      return there;
    } finally {
      LOCK.unlock();
    }
  }

  /** Closing waits for transactions. A transaction that waited for a close would deadlock. */
  private static void refuseToWaitInTransaction(Path path) {
    if (CHANGING.get(path) == Change.CLOSING
        && OPEN.values().stream().anyMatch(store -> store.engine.inTransaction())) {
      throw new IllegalStateException(
          "The store at "
              + path
              + " is being closed, which a transaction cannot wait for; open it before or after"
              + " atomically.");
    }
  }

  /**
   * Ends the opening or closing of a directory's store. {@code open} is the open store, or null.
   */
  private static void end(Path path, @Nullable OpenStore open) {
    LOCK.lock();
    try {
      CHANGING.remove(path);
      if (open == null) {
        OPEN.remove(path);
      } else {
        OPEN.put(path, open);
      }
      CHANGED.signalAll();
    } finally {
      LOCK.unlock();
    }
  }

  private static OpenStore openNew(Path directory, Path path, StoreOptions said) {
    StoreOptions options = withDefaults(said, directory);
    refuseKeysInside(path, options.get(StoreOptions.ENCRYPTION));
    memory().warnBefore(path, options.require(StoreOptions.MEMORY_BYTES));
    TemporaryDirectory.removeAbandoned(directory.resolve(StoreCopy.COPIES));
    RocksDbEngine engine = RocksDbEngine.open(directory, rocksDbOptions(options).build());
    OpenStore store = over(engine, options, path, /* readOnly= */ false);
    if (RestoredMark.isIn(directory)) {
      orClose(store.engine, store::startEpochs);
    }
    return store;
  }

  /** Copies of the directory would have the keys, too. */
  private static void refuseKeysInside(Path path, @Nullable Encryption encryption) {
    Path file = encryption == null ? null : encryption.keyFile();
    if (file != null && realPath(file).startsWith(path)) {
      throw new IllegalArgumentException(
          "The file of data keys "
              + file
              + " is inside of the store at "
              + path
              + ", so that each copy of the store would have its keys. Move it elsewhere, and give"
              + " its new path with Encryption.keysIn.");
    }
  }

  /** The memory of this process, beside the stores that are open. */
  private static NativeMemory memory() {
    LOCK.lock();
    try {
      return NativeMemory.ofProcess(
          OPEN.values().stream()
              .mapToLong(store -> store.options.require(StoreOptions.MEMORY_BYTES))
              .sum());
    } finally {
      LOCK.unlock();
    }
  }

  private static OpenStore over(
      RocksDbEngine engine, StoreOptions options, @Nullable Path path, boolean readOnly) {
    return over(engine, options, path, engine, readOnly);
  }

  /**
   * Opens a copy of a store, which is only read.
   *
   * @param copy the directory of the copy, which no other handle has open
   * @param what it is, for messages
   */
  static OpenStore openCopy(Path copy, String what, StoreOptions said) {
    StoreOptions options = withDefaults(said, copy);
    RocksDbOptions forReading =
        rocksDbOptions(options)
            .createIfMissing(false)
            .diskBudgetBytes(0)
            .freeSpaceFloorBytes(0)
            .reclaimPeriod(NEVER)
            .entryPurgePeriod(NEVER)
            .build();
    RocksDbEngine engine = RocksDbEngine.openCopy(copy, what, forReading);
    return over(engine, options, realPath(copy), /* readOnly= */ true);
  }

  private static OpenStore over(
      Engine engine,
      StoreOptions options,
      @Nullable Path path,
      @Nullable RocksDbEngine embedded,
      boolean readOnly) {
    // A store in memory has keys of its own, but its copies and the backups it verifies may not.
    Encryption said =
        (engine instanceof MemoryEngine ? options.forTemporary() : options)
            .get(StoreOptions.ENCRYPTION);
    Encryption encryption = orByDefault(said, engine);
    Engine encrypted = orClose(engine, () -> EncryptedEngine.over(engine, encryption, readOnly));
    return orClose(encrypted, () -> new OpenStore(encrypted, options, path, embedded, readOnly));
  }

  static @Nullable Encryption orByDefault(@Nullable Encryption said, Engine engine) {
    return said == null ? encryptionByDefault.apply(engine) : said;
  }

  /** Runs {@code opening}; if it throws, closes the engine. */
  private static <R> R orClose(Engine engine, Supplier<R> opening) {
    try {
      return opening.get();
    } catch (RuntimeException | Error e) {
      new EveryStep().take(engine::close).addTo(e);
      throw e;
    }
  }

  /** The default free-space floor; 0 if the file system does not report its size. */
  private static long freeSpaceFloorBytes(Path directory) {
    Path there = directory.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      long share = Files.getFileStore(there).getTotalSpace() / FREE_SPACE_SHARE;
      return Math.max(0, Math.min(MAX_FREE_SPACE_BYTES, share));
    } catch (IOException e) {
      return 0;
    }
  }

  static OpenStore over(Engine engine) {
    return over(engine, StoreOptions.UNSET);
  }

  private static OpenStore over(Engine engine, StoreOptions options) {
    return over(engine, options, null, null, /* readOnly= */ false);
  }

  /** Opens a store over an engine that a factory opens. */
  static OpenStore over(
      EngineFactory factory, StoreOptions options, Map<String, String> properties) {
    List<String> foreign = options.explicitOf(StoreOptions.OF_DIRECTORIES);
    if (!foreign.isEmpty()) {
      throw new IllegalStateException(
          "A store on another engine has no option "
              + String.join(", ", foreign)
              + ". Leave it unset, or open a store in a directory.");
    }
    Engine engine =
        factory.open(
            new EngineOptions(
                options
                    .orElse(StoreOptions.CLOCK, InstantSource::system)
                    .require(StoreOptions.CLOCK),
                options.get(StoreOptions.DURABILITY),
                properties));
    return over(Objects.requireNonNull(engine, "engine"), options);
  }

  /** Later openings in this process are compared with all options, also those by default. */
  private static StoreOptions withDefaults(StoreOptions said, Path directory) {
    return said.orElse(StoreOptions.MEMORY_BYTES, () -> memory().defaultBytes())
        .orElse(StoreOptions.DURABILITY, () -> Durability.PERIODIC)
        .orElse(StoreOptions.CODECS, Codecs::defaults)
        .orElse(StoreOptions.CLOCK, InstantSource::system)
        .orElse(StoreOptions.ON_CORRUPTION, () -> OnCorruption.FAIL)
        .orElse(StoreOptions.DISK_BUDGET_BYTES, () -> 0L)
        .orElse(StoreOptions.FREE_SPACE_FLOOR_BYTES, () -> freeSpaceFloorBytes(directory));
  }

  private static RocksDbOptions.Builder rocksDbOptions(StoreOptions options) {
    RocksDbOptions.Builder builder = RocksDbOptions.builder();
    Long collectionHeapBytes = options.get(StoreOptions.COLLECTION_HEAP_BYTES);
    if (collectionHeapBytes != null) {
      builder.rowMemoryBytes(collectionHeapBytes);
    }
    return builder
        .memoryBudgetBytes(options.require(StoreOptions.MEMORY_BYTES))
        .durability(options.require(StoreOptions.DURABILITY))
        .clock(options.require(StoreOptions.CLOCK))
        .onCorruption(options.require(StoreOptions.ON_CORRUPTION))
        .diskBudgetBytes(options.require(StoreOptions.DISK_BUDGET_BYTES))
        .freeSpaceFloorBytes(options.require(StoreOptions.FREE_SPACE_FLOOR_BYTES));
  }

  /**
   * Releases one handle; returns whether it was the last, after which {@link #close} must follow.
   *
   * @throws IllegalStateException if it is the last, and this thread is in a transaction; nothing
   *     is changed
   */
  static boolean letGo(OpenStore store) {
    boolean inside = store.engine.inTransaction();
    Path path = store.directory();
    LOCK.lock();
    try {
      if (store.handles == 1 && inside) {
        throw new IllegalStateException(
            "Closing the store waits for its transactions and cannot be part of one; nothing was"
                + " closed. Close it after atomically.");
      }
      store.handles--;
      if (store.handles == 0 && path != null) {
        CHANGING.put(path, Change.CLOSING);
      }
      return store.handles == 0;
    } finally {
      LOCK.unlock();
    }
  }

  /** Closes a store without handles, even if closing a part throws. */
  static void close(OpenStore store) {
    try {
      store.close();
    } finally {
      Path path = store.directory();
      if (path != null) {
        end(path, null);
      }
    }
  }

  /** The real path of a directory that may not exist yet. */
  private static Path realPath(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    Path there = absolute;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      return there.toRealPath().resolve(there.relativize(absolute)).normalize();
    } catch (IOException e) {
      throw new StoreIoException(
          "The directory " + directory + " cannot be resolved; check that it can be read.",
          directory,
          e);
    }
  }
}
