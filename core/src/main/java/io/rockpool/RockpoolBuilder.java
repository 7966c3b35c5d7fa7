package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import io.rockpool.engine.OnCorruption;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreLockedException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to open a store. What is not said is left to the store that is already open, or else to the
 * defaults.
 */
public final class RockpoolBuilder {
  private final Path directory;
  private StoreOptions options = StoreOptions.UNSAID;

  RockpoolBuilder(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  /**
   * The native memory that the store may take, in bytes: what was read and is kept, and what is
   * written and not yet on disk. The default is {@link Rockpool#DEFAULT_MEMORY_BYTES}. What caches
   * keep on the heap is their own option.
   */
  public RockpoolBuilder memoryBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "memoryBytes is " + bytes + "; give a positive number of bytes.");
    }
    options =
        new StoreOptions(
            bytes, options.durability(), options.codecs(), options.clock(), options.onCorruption());
    return this;
  }

  /**
   * What a write survives unless its cache says otherwise; {@link Durability#PERIODIC} is the
   * default.
   */
  public RockpoolBuilder durability(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    options =
        new StoreOptions(
            options.memoryBytes(),
            durability,
            options.codecs(),
            options.clock(),
            options.onCorruption());
    return this;
  }

  /** How objects become bytes; {@link Codecs#defaults} is the default. */
  public RockpoolBuilder codecs(Codecs codecs) {
    Objects.requireNonNull(codecs, "codecs");
    options =
        new StoreOptions(
            options.memoryBytes(),
            options.durability(),
            codecs,
            options.clock(),
            options.onCorruption());
    return this;
  }

  /** By which entries expire; the system's clock is the default. */
  public RockpoolBuilder clock(InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    options =
        new StoreOptions(
            options.memoryBytes(),
            options.durability(),
            options.codecs(),
            clock,
            options.onCorruption());
    return this;
  }

  /**
   * What opening does if the store's files are damaged; {@link OnCorruption#FAIL} is the default.
   * With {@link OnCorruption#QUARANTINE} a store holds caches alone: the damaged directory is
   * renamed, with {@code .damaged-} and the time behind its name, an empty store takes its place,
   * and {@link Rockpool#quarantined} says so. It is never removed.
   */
  public RockpoolBuilder onCorruption(OnCorruption action) {
    Objects.requireNonNull(action, "onCorruption");
    options =
        new StoreOptions(
            options.memoryBytes(), options.durability(), options.codecs(), options.clock(), action);
    return this;
  }

  /**
   * Opens the store, or creates it in an empty or missing directory. A store that is open in this
   * process is shared; it closes when the last who opened it has closed it.
   *
   * @throws StoreLockedException if another process has it open; the message names its pid
   * @throws ForeignDirectoryException if the directory holds something else; it is left untouched
   * @throws FormatVersionException if a newer Rockpool wrote it
   * @throws CorruptStoreException if its files are damaged, and it is not set aside for that
   * @throws IllegalStateException if it is open in this process with other options; or if it is to
   *     be set aside when it is damaged, and holds more than caches
   */
  public Rockpool open() {
    return new Rockpool(Store.open(directory, options));
  }

  /** What was said of a store's options; null where nothing was. */
  record StoreOptions(
      @Nullable Long memoryBytes,
      @Nullable Durability durability,
      @Nullable Codecs codecs,
      @Nullable InstantSource clock,
      @Nullable OnCorruption onCorruption) {
    static final StoreOptions UNSAID = new StoreOptions(null, null, null, null, null);

    /** Whether a store that was opened with {@code other} does what this says. */
    boolean agreesWith(StoreOptions other) {
      return agrees(memoryBytes, other.memoryBytes)
          && agrees(durability, other.durability)
          && agrees(codecs, other.codecs)
          && agrees(clock, other.clock)
          && agrees(onCorruption, other.onCorruption);
    }

    private static boolean agrees(@Nullable Object said, @Nullable Object there) {
      return said == null || said.equals(there);
    }
  }
}
