package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.NextGenerationFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the stored descriptors of names. Takes no lock. */
final class Descriptors {
  private final Database database;
  private final InstantSource clock;

  Descriptors(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * The stored next generation, or a later one. If the log was lost, records in files may outlive
   * the catalog's record of their generation. No new space may ever show them.
   */
  long firstFreeGeneration() {
    byte[] kept = database.get(ColumnFamily.CATALOG, CatalogKeyFormat.nextGeneration());
    long next = kept == null ? Generation.FIRST : NextGenerationFormat.decode(kept);
    for (ColumnFamily family :
        List.of(ColumnFamily.ROWS, ColumnFamily.ENTRIES, ColumnFamily.COUNTS)) {
      try (NativeScan last =
          database.scan(
              database.now(),
              family,
              Generation.prefix(0),
              Generation.prefix(Long.MAX_VALUE),
              false,
              false)) {
        if (last.next()) {
          next = Math.max(next, Generation.of(last.key()) + 1);
        }
      }
    }
    return next;
  }

  /**
   * The descriptor of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  Descriptor existing(String name) {
    Descriptor descriptor = read(name);
    if (descriptor == null) {
      throw new IllegalArgumentException(
          "There is no space \"" + name + "\"; create it first, or list what there is.");
    }
    return descriptor;
  }

  /** The descriptor of a name, or null. */
  @Nullable Descriptor read(String name) {
    byte[] record = database.get(ColumnFamily.CATALOG, CatalogKeyFormat.name(name));
    return record == null ? null : decode(name, record);
  }

  private static Descriptor decode(String name, byte[] record) {
    try {
      return Descriptor.decode(record);
    } catch (CorruptStoreException e) {
      throw new CorruptStoreException(
          "The catalog cannot tell what the name \""
              + name
              + "\" stands for: "
              + e.getMessage()
              + ".",
          e);
    }
  }

  @Nullable SpaceInfo describe(String name) {
    Descriptor descriptor = read(name);
    return descriptor == null ? null : info(name, descriptor);
  }

  List<SpaceInfo> list(String level) {
    List<SpaceInfo> found = new ArrayList<>();
    SpaceInfo itself = level.isEmpty() ? null : describe(level);
    if (itself != null) {
      found.add(itself);
    }
    forEachBelow(level, (name, descriptor) -> found.add(info(name, descriptor)));
    found.sort(Comparator.comparing(SpaceInfo::name));
    return found;
  }

  /** Passes each name and its descriptor. One scan. */
  void forEach(BiConsumer<String, Descriptor> action) {
    forEachBelow("", action);
  }

  private void forEachBelow(String level, BiConsumer<String, Descriptor> action) {
    byte[] prefix = CatalogKeyFormat.name(level.isEmpty() ? "" : level + "/");
    byte[] end = Objects.requireNonNull(SortRange.successorOfPrefix(prefix));
    try (NativeScan names =
        database.scan(database.now(), ColumnFamily.CATALOG, prefix, end, false, true)) {
      while (names.next()) {
        String name = CatalogKeyFormat.nameOf(names.key());
        int length = names.readValue();
        action.accept(name, decode(name, Arrays.copyOf(names.value(), length)));
      }
    }
  }

  private SpaceInfo info(String name, Descriptor descriptor) {
    boolean expired = isPast(descriptor.expiryMillis());
    return (expired ? descriptor.withExpiry(Expiry.NEVER) : descriptor).info(name);
  }

  /**
   * About how many bytes a space uses, in files and in memory; empty if the name does not exist.
   */
  OptionalLong diskBytes(String name) {
    Descriptor descriptor = read(name);
    if (descriptor == null) {
      return OptionalLong.empty();
    }
    byte[] from = Generation.prefix(descriptor.generation());
    byte[] to = Generation.prefix(descriptor.generation() + 1);
    ColumnFamily family = RecordLayout.of(descriptor.layout()).family();
    return OptionalLong.of(database.measures().approximateAllBytes(family, from, to));
  }

  boolean hasExpired(@Nullable Descriptor descriptor) {
    return descriptor != null && isPast(descriptor.expiryMillis());
  }

  boolean isPast(long expiryMillis) {
    return Expiry.isPast(expiryMillis, clock);
  }
}
