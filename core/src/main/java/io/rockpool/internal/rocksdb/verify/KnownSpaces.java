package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.FindingKind;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.Verification;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.ShownKey;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.DeadGeneration;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.NextGenerationFormat;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a catalog says of generations: those of names, the dead ones, and which are free. */
final class KnownSpaces {
  private final Verification run;
  private final NavigableMap<Long, Known> living = new TreeMap<>();
  private final Map<Long, Layout> dead = new HashMap<>();
  private long nextGeneration;

  /** What a name stands for. */
  record Known(String name, Descriptor descriptor) {
    Layout layout() {
      return descriptor.layout();
    }
  }

  KnownSpaces(Verification run) {
    this.run = run;
  }

  /** Takes up a record of the catalog; says whether to go on. */
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

  /** Looks whether what the catalog says is possible, once all of it was taken up. */
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

  /** What a generation of that layout belongs to, or null. */
  @Nullable Known get(long generation, Layout layout) {
    Known known = living.get(generation);
    return known != null && known.layout() == layout ? known : null;
  }

  /** What the first generation from one on belongs to, or null. */
  @Nullable Known atOrAbove(long generation) {
    Map.Entry<Long, Known> next = living.ceilingEntry(generation);
    return next == null ? null : next.getValue();
  }

  /** Whether the records of a generation are noted to be deleted. */
  boolean isDead(long generation, Layout layout) {
    return dead.get(generation) == layout;
  }

  /** Whether a generation was ever given to a name. */
  boolean wasGiven(long generation) {
    return generation >= Generation.FIRST && generation < nextGeneration;
  }
}
