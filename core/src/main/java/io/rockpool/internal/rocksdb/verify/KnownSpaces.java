package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceName;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.DeadGeneration;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.DescriptorCopy;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.NextGenerationFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DamagedTable;
import io.rockpool.store.FindingKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The generations in a catalog: those of names, the dead ones, and the next free one. */
final class KnownSpaces {
  private final Verification run;
  private final NavigableMap<Long, Known> living = new TreeMap<>();
  private final Map<Long, Layout> dead = new HashMap<>();
  private long nextGeneration;

  /** A name and its descriptor. */
  record Known(String name, Descriptor descriptor) {
    Layout layout() {
      return descriptor.layout();
    }
  }

  KnownSpaces(Verification run) {
    this.run = run;
  }

  /** Adds a record of the catalog; returns whether to continue. */
  boolean add(byte[] key, byte[] value, int length) {
    byte[] record = Arrays.copyOf(value, length);
    try {
      if (CatalogKeyFormat.isName(key)) {
        addName(CatalogKeyFormat.nameOf(key), record);
      } else if (CatalogKeyFormat.isDeadGeneration(key)) {
        dead.put(CatalogKeyFormat.deadGenerationOf(key), DeadGeneration.decode(record).layout());
      } else if (Arrays.equals(key, CatalogKeyFormat.nextGeneration())) {
        nextGeneration = NextGenerationFormat.decode(record);
      } else {
        throw new CorruptStoreException("this key is none of the catalog's", null);
      }
    } catch (CorruptStoreException e) {
      run.add(FindingKind.MALFORMED_CATALOG, "", ShownKey.of(key), String.valueOf(e.getMessage()));
    }
    return run.record();
  }

  private void addName(String name, byte[] record) {
    try {
      SpaceName.check(name);
    } catch (IllegalArgumentException | LimitExceededException e) {
      throw new CorruptStoreException("this is no name", e);
    }
    Known known = new Known(name, Descriptor.decode(record));
    run.space();
    Known other = living.putIfAbsent(known.descriptor().generation(), known);
    if (other != null) {
      conflict(known, "it has the records of \"" + other.name() + "\" too");
    }
  }

  /** Checks the copy of a descriptor; returns whether to continue. */
  boolean checkCopy(byte[] key, byte[] value, int length) {
    try {
      Descriptor copy = DescriptorCopy.decode(key, Arrays.copyOf(value, length));
      Known known = living.get(copy.generation());
      if (known == null || !Arrays.equals(key, CatalogKeyFormat.name(known.name()))) {
        throw new CorruptStoreException("this is the copy of a name that does not exist", null);
      }
      if (!copy.equals(known.descriptor())) {
        throw new CorruptStoreException("this is not a copy of what the catalog has", null);
      }
    } catch (CorruptStoreException e) {
      run.add(FindingKind.MALFORMED_CATALOG, "", ShownKey.of(key), String.valueOf(e.getMessage()));
    }
    return run.record();
  }

  /** Checks that the generations do not conflict, after all records were added. */
  void checkGenerations() {
    living.forEach(
        (generation, known) -> {
          if (dead.containsKey(generation)) {
            conflict(known, "its records are noted to be deleted");
          }
          if (generation >= nextGeneration || generation < Generation.FIRST) {
            conflict(
                known,
                "it has generation "
                    + generation
                    + ", and the next to be given is "
                    + nextGeneration);
          }
        });
  }

  private void conflict(Known known, String detail) {
    run.add(FindingKind.CONFLICTING_GENERATIONS, known.name(), "", detail);
  }

  /** The name of a generation with that layout, or null. */
  @Nullable Known get(long generation, Layout layout) {
    Known known = living.get(generation);
    return known != null && known.layout() == layout ? known : null;
  }

  /** Adds a finding for each name that has lost records, see {@link DamagedTables.Lost}. */
  void addLost(DamagedTables.Lost lost) {
    DamagedTable keys = DamagedTable.of(lost);
    Layout layout = keys.family() == ColumnFamily.ENTRIES ? Layout.ENTRIES : Layout.ROWS;
    living.forEach(
        (generation, known) -> {
          if (known.layout() == layout && keys.touches(generation)) {
            byte[] to = lost.to();
            run.add(
                FindingKind.LOST_RECORDS,
                known.name(),
                ShownKey.of(withoutGeneration(lost.from(), generation)),
                (lost.records() == 0 ? "records" : "about " + lost.records() + " records")
                    + " up to "
                    + (to == null ? "the end" : ShownKey.of(withoutGeneration(to, generation)))
                    + " were in a damaged block of "
                    + lost.table());
          }
        });
  }

  /** The rest of a key of a generation; empty for another one. */
  private static byte[] withoutGeneration(byte[] key, long generation) {
    return key.length >= Generation.BYTES && Generation.of(key) == generation
        ? Arrays.copyOfRange(key, Generation.BYTES, key.length)
        : new byte[0];
  }

  /** The name of the first generation at or above {@code generation}, or null. */
  @Nullable Known atOrAbove(long generation) {
    Map.Entry<Long, Known> next = living.ceilingEntry(generation);
    return next == null ? null : next.getValue();
  }

  /** Whether the catalog lists a generation as dead. */
  boolean isDead(long generation, Layout layout) {
    return dead.get(generation) == layout;
  }

  /** Whether a generation was ever given to a name. */
  boolean wasGiven(long generation) {
    return generation >= Generation.FIRST && generation < nextGeneration;
  }
}
