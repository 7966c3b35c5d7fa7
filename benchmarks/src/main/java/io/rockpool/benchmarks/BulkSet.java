package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import java.util.List;
import java.util.stream.IntStream;

/** {@code addAll} of strings of 16 characters to a set. */
public class BulkSet extends BulkRow {
  private List<String> elements = List.of();

  @Override
  void makeElements(int count) {
    elements = IntStream.range(0, count).mapToObj(Data::key).toList();
  }

  @Override
  void fill(Rockpool empty) {
    empty.set("bulk", String.class).addAll(elements);
  }
}
