package io.rockpool;

import io.rockpool.cache.Caches;
import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.OnCorruption;
import io.rockpool.engine.Reclaimed;
import io.rockpool.engine.VerifyOptions;
import io.rockpool.engine.VerifyReport;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.structure.Structures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An open store, shared by all handles on its directory in this process. */
final class Store {
  /** The open stores by the real path of their directory. Also the lock for opening and closing. */
  private static final Map<Path, Store> OPEN = new HashMap<>();

  /** The part of its file system that a store leaves free, up to so many bytes. */
  private static final int FREE_SPACE_SHARE = 20;

  private static final long MAX_FREE_SPACE_BYTES = 128L << 20;

  final Engine engine;
  final Catalog catalog;
  final Caches caches;
  final Structures structures;

  /** The engine, if it is the one on disk. */
  final @Nullable RocksDbEngine embedded;

  private final StoreOptions options;
  private final @Nullable Path path;
  private int handles = 1;

  private Store(
      Engine engine, StoreOptions options, @Nullable Path path, @Nullable RocksDbEngine embedded) {
    this.engine = engine;
    this.embedded = embedded;
    this.options = options;
    this.path = path;
    this.catalog = new Catalog(engine);
    Codecs codecs = Objects.requireNonNullElseGet(options.codecs(), Codecs::defaults);
    this.caches = new Caches(engine, catalog, codecs);
    this.structures = new Structures(engine, catalog, codecs);
  }

  static Store open(Path directory, StoreOptions said) {
    synchronized (OPEN) {
      Store there = OPEN.get(realPath(directory));
      if (there != null) {
        if (!said.agreesWith(there.options)) {
          throw new IllegalStateException(
              there.engine.description()
                  + " is already open in this process with other options; open it with the same, or say none.");
        }
        there.handles++;
        return there;
      }
      StoreOptions options =
          new StoreOptions(
              Objects.requireNonNullElse(said.memoryBytes(), Rockpool.DEFAULT_MEMORY_BYTES),
              Objects.requireNonNullElse(said.durability(), Durability.PERIODIC),
              Objects.requireNonNullElseGet(said.codecs(), Codecs::defaults),
              Objects.requireNonNullElseGet(said.clock(), InstantSource::system),
              Objects.requireNonNullElse(said.onCorruption(), OnCorruption.FAIL),
              Objects.requireNonNullElse(said.diskBudgetBytes(), 0L),
              Objects.requireNonNullElseGet(
                  said.freeSpaceFloorBytes(), () -> freeSpaceFloorBytes(directory)));
      RocksDbEngine engine = RocksDbEngine.open(directory, rocksDbOptions(options));
      Path path = realPath(directory);
      Store store = new Store(engine, options, path, engine);
      OPEN.put(path, store);
      return store;
    }
  }

  /** What is left free unless told otherwise: nothing where the file system cannot be asked. */
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

  static Store over(Engine engine) {
    return new Store(engine, StoreOptions.UNSAID, null, null);
  }

  private static RocksDbOptions rocksDbOptions(StoreOptions options) {
    return RocksDbOptions.builder()
        .memoryBudgetBytes(Objects.requireNonNull(options.memoryBytes()))
        .durability(Objects.requireNonNull(options.durability()))
        .clock(Objects.requireNonNull(options.clock()))
        .onCorruption(Objects.requireNonNull(options.onCorruption()))
        .diskBudgetBytes(Objects.requireNonNull(options.diskBudgetBytes()))
        .freeSpaceFloorBytes(Objects.requireNonNull(options.freeSpaceFloorBytes()))
        .build();
  }

  /** See {@link Rockpool#reclaim}. */
  Reclaimed reclaim() {
    if (!engine.inTransaction()) {
      caches.tellOfExpired();
    }
    return engine.reclaim();
  }

  /** What is known of a name. */
  Description describe(Entry entry) {
    String name = entry.space().name();
    return Description.of(
        entry, structures.count(name), engine.diskBytes(name), caches.diskBudgetBytes(name));
  }

  /** Looks whether all that is stored is whole. */
  VerifyReport verify(VerifyOptions verifyOptions) {
    boolean decode = verifyOptions.decodeValues();
    return engine.verify(
        verifyOptions,
        (space, view, problems) -> {
          Entry entry = Catalog.entry(space);
          return entry.identity().type().equals(Caches.TYPE)
              ? caches.check(space.name(), decode)
              : structures.check(entry, view, problems, decode);
        });
  }

  /** Lets go of one handle; the last one closes the store. */
  void release() {
    synchronized (OPEN) {
      if (--handles > 0) {
        return;
      }
      if (path != null) {
        OPEN.remove(path);
      }
      try {
        structures.close();
        caches.close();
      } finally {
        engine.close();
      }
    }
  }

  private static Path realPath(Path directory) {
    try {
      return Files.exists(directory)
          ? directory.toRealPath()
          : directory.toAbsolutePath().normalize();
    } catch (IOException e) {
      throw new StoreIoException(
          "The directory " + directory + " cannot be resolved; check that it can be read.", e);
    }
  }
}
