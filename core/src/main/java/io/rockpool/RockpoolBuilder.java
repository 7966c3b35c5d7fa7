package io.rockpool;

import io.rockpool.cache.HeapBudget;
import io.rockpool.codec.Codecs;
import io.rockpool.encryption.Encryption;
import io.rockpool.engine.EngineFactory;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.rocksdb.files.StoreCopy;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Options for opening a store. An option that is not set takes the value of the store that is
 * already open, or else the default. Not thread-safe.
 *
 * <pre>{@code
 * Rockpool pool =
 *     Rockpool.at(directory)
 *         .durability(Durability.SYNC)
 *         .lockWait(ofSeconds(30))
 *         .memoryBytes(512L << 20)
 *         .open();
 * }</pre>
 */
public final class RockpoolBuilder {
  /** The most native memory that a store takes by default, in bytes. */
  public static final long DEFAULT_MEMORY_BYTES = NativeMemory.MOST_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool");

  /** The interval of attempts while waiting for the directory's lock. */
  private static final long LOOK_MILLIS = 50;

  /** Null for a temporary store and on another engine. */
  private final @Nullable Path directory;

  /** Opens the engine; null for the embedded one. */
  private final @Nullable EngineFactory engine;

  private final Map<String, String> properties = new LinkedHashMap<>();
  private StoreOptions options = StoreOptions.UNSET;
  private Duration lockWait = Duration.ZERO;
  private WhenLocked whenLocked = WhenLocked.FAIL;

  RockpoolBuilder(@Nullable Path directory, @Nullable EngineFactory engine) {
    this.directory = directory;
    this.engine = engine;
  }

  /** The options that were set. */
  StoreOptions options() {
    return options;
  }

  /**
   * Sets the native memory of the store, in bytes: cached blocks, and writes that are not yet
   * flushed. The default is {@link #DEFAULT_MEMORY_BYTES}, and less in a small machine or
   * container: a quarter of what its memory leaves beside the maximum heap, the stores that are
   * open already and 150 MiB for the JVM, but at least 16 MiB. If these exceed the memory, the
   * store logs a warning. {@link #heapBudgetBytes} and the caches' own options bound the heap of
   * caches. Open iterators and streams are not included: each takes about 20 KiB more, so a
   * thousand take 20 MiB and ten thousand 200 MiB. {@link StoreState#statistics} returns their
   * number.
   */
  public RockpoolBuilder memoryBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "memoryBytes is " + bytes + "; give a positive number of bytes.");
    }
    options = options.with(StoreOptions.MEMORY_BYTES, bytes);
    return this;
  }

  /**
   * Sets the bytes of entries that the store's caches keep in memory together, without caches that
   * have a bound of their own, and with recently read records of collections. By default they share
   * {@link HeapBudget#ofProcess} with all stores of the process.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RockpoolBuilder heapBudgetBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "heapBudgetBytes is " + bytes + "; give a positive number of bytes.");
    }
    options = options.with(StoreOptions.HEAP_BUDGET_BYTES, bytes);
    return this;
  }

  /**
   * Sets the heap for recently read records of collections by itself; 0 keeps none. By default they
   * share {@link #heapBudgetBytes} with the caches, by use. Point reads and short scans of what is
   * there need no native call: several times as fast. Records with a TTL are not kept.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RockpoolBuilder collectionHeapBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "collectionHeapBytes is " + bytes + "; give 0 for none, or more.");
    }
    options = options.with(StoreOptions.COLLECTION_HEAP_BYTES, bytes);
    return this;
  }

  /**
   * Sets the default durability of writes; {@link Durability#PERIODIC} unless set. Options of a
   * cache or structure, and {@link Rockpool#withDurability}, override it.
   */
  public RockpoolBuilder durability(Durability durability) {
    options = options.with(StoreOptions.DURABILITY, durability);
    return this;
  }

  /** Sets how objects become bytes; {@link Codecs#defaults} unless set. */
  public RockpoolBuilder codecs(Codecs codecs) {
    options = options.with(StoreOptions.CODECS, codecs);
    return this;
  }

  /**
   * Encrypts the values of names that are created from now on. Names that exist stay as they are.
   * Without this option, nothing is encrypted, and a store that was opened with it before cannot be
   * opened. See {@code docs/encryption.md}.
   *
   * @param encryption which names are encrypted, and what has the keys; opening the same store
   *     twice in a process needs equal ones
   */
  public RockpoolBuilder encryption(Encryption encryption) {
    options = options.with(StoreOptions.ENCRYPTION, encryption);
    return this;
  }

  /** Sets the clock for expiry; the system's clock unless set. */
  public RockpoolBuilder clock(InstantSource clock) {
    options = options.with(StoreOptions.CLOCK, clock);
    return this;
  }

  /**
   * Sets what opening does if the store's files are damaged; {@link OnCorruption#FAIL} unless set.
   * With {@link OnCorruption#QUARANTINE} the store can hold caches only. If it is damaged, its
   * directory is renamed and an empty store replaces it. The new name ends with {@code .damaged-}
   * and the time, and a number if that name exists. {@link StoreState#quarantined} returns it. It
   * is never deleted. A mount point cannot be renamed: a damaged store there remains an error.
   */
  public RockpoolBuilder onCorruption(OnCorruption action) {
    options = options.with(StoreOptions.ON_CORRUPTION, action);
    return this;
  }

  /**
   * Sets an approximate limit for the store's bytes on disk; 0, the default, means no limit. Beyond
   * it, caches evict first, each the same share of its content, entries in memory last. If that is
   * not enough, collections reject inserts with a {@link StoreFullException}. Reads, removals and
   * clears continue. All writes succeed again once there is room. Checked once a second, and when
   * much was written: data exceeds the budget by about half and 2 MB at most, where writes of
   * caches wait for evictions, for up to a second each. Logs and tables that are being compacted
   * can take as much again for a moment.
   *
   * @throws IllegalArgumentException if it is negative; {@link #open} also if it is less than 16
   *     MiB
   */
  public RockpoolBuilder diskBudgetBytes(long bytes) {
    checkNotNegative("diskBudgetBytes", bytes);
    options = options.with(StoreOptions.DISK_BUDGET_BYTES, bytes);
    return this;
  }

  /**
   * Sets the free-space floor: how many bytes of its file system the store leaves free, whatever
   * uses the rest. The default is 128 MiB, or a twentieth of the file system if that is less. Below
   * the floor, caches evict and collections reject inserts as for {@link #diskBudgetBytes}; below
   * half of it, caches reject inserts too. Checked once a second: choose more than the store writes
   * in a second, or 0 to use the whole disk.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RockpoolBuilder freeSpaceFloorBytes(long bytes) {
    checkNotNegative("freeSpaceFloorBytes", bytes);
    options = options.with(StoreOptions.FREE_SPACE_FLOOR_BYTES, bytes);
    return this;
  }

  /**
   * Sets how long {@link #open} waits for another process to close the store. That helps in a
   * deployment that starts the new process before the old one has ended. The default is no wait.
   * The log names the other process.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RockpoolBuilder lockWait(Duration wait) {
    if (wait.isNegative()) {
      throw new IllegalArgumentException("lockWait is " + wait + "; give 0 for none, or more.");
    }
    lockWait = wait;
    return this;
  }

  /**
   * Sets what {@link #open} does if another process still has the store open after the {@linkplain
   * #lockWait wait}; {@link WhenLocked#FAIL} unless set.
   */
  public RockpoolBuilder whenLocked(WhenLocked action) {
    whenLocked = Objects.requireNonNull(action, "whenLocked");
    return this;
  }

  /**
   * Sets a property of an engine on a server, such as {@code timeout}; the engine's page in {@code
   * docs} lists them. A property in the URI takes precedence. A store in a directory ignores it.
   */
  public RockpoolBuilder property(String name, String value) {
    properties.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return this;
  }

  private static void checkNotNegative(String name, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(name + " is " + bytes + "; give 0 for none, or more.");
    }
  }

  /**
   * Opens the store, or creates it in an empty or missing directory. A store that is open in this
   * process is shared, and closes with its last handle. On another engine, each call opens another
   * handle of its data.
   *
   * @throws StoreLockedException if another process has it open, or the thread is interrupted while
   *     it waits for that process; {@link StoreLockedException#pid()} is its pid
   * @throws ForeignDirectoryException if the directory holds something else; it is not touched
   * @throws FormatVersionException if a newer Rockpool wrote it
   * @throws CorruptStoreException if its files are damaged, and it is not quarantined
   * @throws EncryptionKeyException if it is encrypted, and a key is missing or wrong; the message
   *     names the key's id
   * @throws IllegalStateException if it is open in this process with other options, or if
   *     quarantine was requested for a store that holds more than caches, or on another engine if
   *     an option of directories was set
   */
  public Rockpool open() {
    if (engine != null) {
      return new Rockpool(SharedStores.over(engine, options, properties), null);
    }
    if (directory == null) {
      return openTemporary();
    }
    long begun = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        return handle(SharedStores.open(directory, options));
      } catch (StoreLockedException e) {
        if (Duration.ofNanos(System.nanoTime() - begun).compareTo(lockWait) >= 0) {
          return openInstead(e);
        }
        if (!told) {
          LOG.warn("{} Waiting for up to {} until it is closed.", e.getMessage(), lockWait);
          told = true;
        }
        pause(e);
      }
    }
  }

  /**
   * Opens a copy of the store as of now, which is only read, while a process has the store open, or
   * none. For looking inside and for exports. The store is neither locked nor changed.
   *
   * <pre>{@code
   * try (Rockpool copy = Rockpool.at(path).openCopy()) {
   *   copy.map("users", String.class, User.class).forEach(report);
   * }
   * }</pre>
   *
   * <p>The copy has every write that was acknowledged before the call, whatever its durability, and
   * of later ones those before some moment of the call, each transaction as a whole. It does not
   * change after that: open another one for newer data. Changes of records and names throw a {@link
   * ReadOnlyStoreException}. Opening a name that does not exist does too.
   *
   * <p>Costs a hard link for each file, a copy of the log, and its replay, as after a kill. Links
   * are in the directory {@code copies} of the store, and deleted when this is closed or, after a
   * kill, by the next opening. Until then, data that the store overwrites or deletes stays on disk.
   * If this process may not write there, or the disk is full, everything is copied to {@code
   * java.io.tmpdir}.
   *
   * @throws ForeignDirectoryException if the directory is not a store
   * @throws FormatVersionException if a newer Rockpool wrote it
   * @throws CorruptStoreException if its files are damaged
   * @throws EncryptionKeyException as {@link #open} does
   * @throws StoreIoException if there is no store, or a file system fails
   * @throws IllegalStateException for a temporary store
   */
  public Rockpool openCopy() {
    if (directory == null) {
      throw new IllegalStateException(
          "A temporary store is new and empty, so there is nothing to copy; give a directory.");
    }
    Path scratch = StoreCopy.parent(directory, TemporaryDirectory.parent());
    Path copy = TemporaryDirectory.create(scratch);
    try {
      TemporaryDirectory.locked(copy, () -> StoreCopy.make(directory, copy));
      return new Rockpool(
          SharedStores.openCopy(copy, "a copy of the store at " + directory, options), copy);
    } catch (RuntimeException | Error e) {
      TemporaryDirectory.remove(copy);
      throw e;
    }
  }

  /** Codecs that were set say where classes are; else it is the thread's context class loader. */
  private Rockpool handle(OpenStore store) {
    ClassLoader own =
        options.get(StoreOptions.CODECS) != null
            ? null
            : HandleLoader.ofApplication(
                Thread.currentThread().getContextClassLoader(), store.codecs.classLoader());
    return new Rockpool(store, null, own);
  }

  private static void pause(StoreLockedException locked) {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw locked;
    }
  }

  private Rockpool openInstead(StoreLockedException locked) {
    if (whenLocked == WhenLocked.FAIL) {
      throw locked;
    }
    Rockpool temporary = openTemporary();
    LOG.warn("{} A temporary store takes its place.", locked.getMessage());
    return temporary;
  }

  private Rockpool openTemporary() {
    Path created = TemporaryDirectory.create(TemporaryDirectory.parent());
    try {
      return new Rockpool(SharedStores.open(created, options.forTemporary()), created);
    } catch (RuntimeException | Error e) {
      TemporaryDirectory.remove(created);
      throw e;
    }
  }
}
