package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import java.util.HashMap;
import java.util.Map;

/** {@code putAll} of strings of 16 and 100 characters into a map. */
public class BulkMap extends BulkRow {
  private Map<String, String> elements = Map.of();

  @Override
  void makeElements(int count) {
    elements = elements(count);
  }

  static Map<String, String> elements(int count) {
    Data values = new Data(Data.DISTINCT_VALUES, Row.VALUE_BYTES);
    Map<String, String> elements = new HashMap<>();
    for (int i = 0; i < count; i++) {
      elements.put(Data.key(i), values.valueAt(i));
    }
    return elements;
  }

  @Override
  void fill(Rockpool empty) {
    empty.map("bulk", String.class, String.class).putAll(elements);
  }
}
