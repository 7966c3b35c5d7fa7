package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DamagedTable;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Finds the names that may have records in a damaged file, or between lost keys. */
final class AffectedNames {
  private AffectedNames() {}

  /** The generations of these names, by name. Call it inside the guard. */
  static Map<String, Long> of(Database database, DamagedTable table) {
    Map<String, Long> names = new TreeMap<>();
    byte[] prefix = CatalogKeyFormat.name("");
    byte[] end = Objects.requireNonNull(SortRange.successorOfPrefix(prefix));
    try (NativeScan scan =
        database.scan(database.now(), ColumnFamily.CATALOG, prefix, end, false, true)) {
      while (scan.next()) {
        int length = scan.readValue();
        Descriptor descriptor = Descriptor.decode(Arrays.copyOf(scan.value(), length));
        if (mayHave(table.family(), descriptor.layout())
            && table.touches(descriptor.generation())) {
          names.put(CatalogKeyFormat.nameOf(scan.key()), descriptor.generation());
        }
      }
    }
    return names;
  }

  private static boolean mayHave(ColumnFamily family, Layout layout) {
    return switch (family) {
      case ROWS, COUNTS, EXPIRIES -> layout == Layout.ROWS;
      case ENTRIES -> layout == Layout.ENTRIES;
      case DEFAULT, CATALOG -> true;
    };
  }
}
