package io.rockpool;

import io.rockpool.cache.HeapBudget;
import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import io.rockpool.engine.OnCorruption;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreLockedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to open a store. What is not said is left to the store that is already open, or else to the
 * defaults.
 */
public final class RockpoolBuilder {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool");

  /** The directories that the log has named: each once in the life of the process. */
  private static final Set<Path> NAMED = ConcurrentHashMap.newKeySet();

  /** How often the lock is tried while it is waited for. */
  private static final long LOOK_MILLIS = 50;

  /** Null for a temporary store. */
  private final @Nullable Path directory;

  private StoreOptions options = StoreOptions.UNSAID;
  private Duration lockWait = Duration.ZERO;
  private WhenLocked whenLocked = WhenLocked.FAIL;

  RockpoolBuilder(@Nullable Path directory) {
    this.directory = directory;
  }

  /**
   * The native memory that the store may take, in bytes: what was read and is kept, and what is
   * written and not yet on disk. The default is {@link Rockpool#DEFAULT_MEMORY_BYTES}. What caches
   * keep on the heap is {@link #heapBudgetBytes} and their own option. Not bounded by it are
   * iterators and streams that are open: each takes some 20 KiB more, so a thousand 20 MiB and ten
   * thousand 200 MiB; {@link Rockpool#storeStatistics} tells how many there are.
   */
  public RockpoolBuilder memoryBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "memoryBytes is " + bytes + "; give a positive number of bytes.");
    }
    options = options.withMemoryBytes(bytes);
    return this;
  }

  /**
   * How many bytes of entries the store's caches keep in memory together, those aside that have a
   * bound of their own. By default they have a share of what all stores of the process have: see
   * {@link HeapBudget#ofProcess}.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RockpoolBuilder heapBudgetBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "heapBudgetBytes is " + bytes + "; give a positive number of bytes.");
    }
    options = options.withHeapBudgetBytes(bytes);
    return this;
  }

  /**
   * What a write survives unless its cache or structure, or {@link Rockpool#withDurability} around
   * it, says otherwise; {@link Durability#PERIODIC} is the default.
   */
  public RockpoolBuilder durability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    options = options.withDurability(durability);
    return this;
  }

  /** How objects become bytes; {@link Codecs#defaults} is the default. */
  public RockpoolBuilder codecs(Codecs codecs) {
    Objects.requireNonNull(codecs, "codecs");
    options = options.withCodecs(codecs);
    return this;
  }

  /** By which entries expire; the system's clock is the default. */
  public RockpoolBuilder clock(InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    options = options.withClock(clock);
    return this;
  }

  /**
   * What opening does if the store's files are damaged; {@link OnCorruption#FAIL} is the default.
   * With {@link OnCorruption#QUARANTINE} a store holds caches alone: the damaged directory is
   * renamed, with {@code .damaged-} and the time behind its name, and a number where that is taken,
   * an empty store takes its place, and {@link Rockpool#quarantined} says so. It is never removed.
   * A mount point cannot be renamed: a damaged store there is an error still.
   */
  public RockpoolBuilder onCorruption(OnCorruption action) {
    Objects.requireNonNull(action, "onCorruption");
    options = options.withOnCorruption(action);
    return this;
  }

  /**
   * About how many bytes of disk the store may take; 0, for no bound, is the default. Beyond it the
   * caches give way first, each for the same part of what it has, and those in memory last. Where
   * they cannot make up for it, collections refuse what adds to them with a {@link
   * StoreFullException}; reads, removals and clears go on, and all writes do by themselves once
   * there is room. Looked at once a second.
   *
   * @throws IllegalArgumentException if it is negative; {@link #open} also if it is less than 16
   *     MiB
   */
  public RockpoolBuilder diskBudgetBytes(long bytes) {
    options = options.withDiskBudgetBytes(checkNotNegative("diskBudgetBytes", bytes));
    return this;
  }

  /**
   * How many bytes of its file system the store leaves free, whoever takes the rest; by default 128
   * MiB, or a twentieth of the file system if that is less. With less left, caches give way and
   * collections refuse as for {@link #diskBudgetBytes}; with less than half of it caches refuse
   * what adds to them, too. Looked at once a second: choose more than is written in one, or 0 to
   * have the disk filled to its last byte.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RockpoolBuilder freeSpaceFloorBytes(long bytes) {
    options = options.withFreeSpaceFloorBytes(checkNotNegative("freeSpaceFloorBytes", bytes));
    return this;
  }

  /**
   * How long {@link #open} waits for another process to close the store, as in a deployment in
   * which the new process starts before the old one has ended; not at all by default. The log says
   * which process is waited for.
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
   * What {@link #open} does if another process has the store open when the {@linkplain #lockWait
   * wait} is over; {@link WhenLocked#FAIL} is the default.
   */
  public RockpoolBuilder whenLocked(WhenLocked action) {
    whenLocked = Objects.requireNonNull(action, "whenLocked");
    return this;
  }

  private static long checkNotNegative(String name, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(name + " is " + bytes + "; give 0 for none, or more.");
    }
    return bytes;
  }

  /**
   * Opens the store, or creates it in an empty or missing directory. A store that is open in this
   * process is shared; it closes when the last who opened it has closed it.
   *
   * @throws StoreLockedException if another process has it open, or the thread is interrupted while
   *     it waits for that process; the message names its pid
   * @throws ForeignDirectoryException if the directory holds something else; it is left untouched
   * @throws FormatVersionException if a newer Rockpool wrote it
   * @throws CorruptStoreException if its files are damaged, and it is not set aside for that
   * @throws IllegalStateException if it is open in this process with other options; or if it is to
   *     be set aside when it is damaged, and holds more than caches
   */
  public Rockpool open() {
    if (directory == null) {
      return openTemporary();
    }
    long begun = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        Rockpool opened = new Rockpool(Store.open(directory, options), null);
        Path absolute = directory.toAbsolutePath().normalize();
        if (NAMED.add(absolute)) {
          LOG.info("Opened the store in {}.", absolute);
        }
        return opened;
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
    Path created = TemporaryDirectory.create();
    try {
      return new Rockpool(Store.open(created, options), created);
    } catch (RuntimeException | Error e) {
      TemporaryDirectory.remove(created);
      throw e;
    }
  }
}
