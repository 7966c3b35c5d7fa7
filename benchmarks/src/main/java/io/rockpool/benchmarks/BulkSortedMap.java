package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import java.util.Map;

/** {@code putAll} of strings of 16 and 100 characters, in no order, into a sorted map. */
public class BulkSortedMap extends BulkRow {
  private Map<String, String> elements = Map.of();

  @Override
  void makeElements(int count) {
    elements = BulkMap.elements(count);
  }

  @Override
  void fill(Rockpool empty) {
    empty.sortedMap("bulk", String.class, String.class).putAll(elements);
  }
}
