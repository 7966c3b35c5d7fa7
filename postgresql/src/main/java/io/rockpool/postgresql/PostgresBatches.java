package io.rockpool.postgresql;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Divides a bulk write into statements of limited size. */
final class PostgresBatches {
  /** The most records of one statement: it holds the locks of all their rows. */
  private static final int MAX_RECORDS = 1_000;

  private PostgresBatches() {}

  /**
   * Passes all elements on, in order, in lists of up to {@link Limits#MAX_BATCH_BYTES}.
   *
   * @param bytes the size of an element
   */
  static <T> void of(Collection<T> elements, ToIntFunction<T> bytes, Consumer<List<T>> write) {
    List<T> batch = new ArrayList<>();
    long size = 0;
    for (T element : elements) {
      long more = bytes.applyAsInt(element);
      if (!batch.isEmpty()
          && (batch.size() == MAX_RECORDS || size + more > Limits.MAX_BATCH_BYTES)) {
        write.accept(List.copyOf(batch));
        batch.clear();
        size = 0;
      }
      batch.add(element);
      size += more;
    }
    if (!batch.isEmpty()) {
      write.accept(batch);
    }
  }
}
