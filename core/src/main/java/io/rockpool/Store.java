package io.rockpool;

import io.rockpool.RockpoolBuilder.StoreOptions;
import io.rockpool.cache.Caches;
import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.catalog.Catalog;
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

  final Engine engine;
  final Catalog catalog;
  final Caches caches;
  final Structures structures;
  private final StoreOptions options;
  private final @Nullable Path path;
  private int handles = 1;

  private Store(Engine engine, StoreOptions options, @Nullable Path path) {
    this.engine = engine;
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
              Objects.requireNonNullElseGet(said.clock(), InstantSource::system));
      Engine engine = RocksDbEngine.open(directory, rocksDbOptions(options));
      Path path = realPath(directory);
      Store store = new Store(engine, options, path);
      OPEN.put(path, store);
      return store;
    }
  }

  static Store over(Engine engine) {
    return new Store(engine, StoreOptions.UNSAID, null);
  }

  private static RocksDbOptions rocksDbOptions(StoreOptions options) {
    return RocksDbOptions.builder()
        .memoryBudgetBytes(Objects.requireNonNull(options.memoryBytes()))
        .durability(Objects.requireNonNull(options.durability()))
        .clock(Objects.requireNonNull(options.clock()))
        .build();
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
