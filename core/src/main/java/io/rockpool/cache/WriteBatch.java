package io.rockpool.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are written with one call of a writer: all puts or all removals, of unequal keys.
 */
final class WriteBatch {
  /**
   * A claimed change, decoded.
   *
   * @param value null for a removal
   */
  record Task<K, V>(PendingItem item, PendingChanges.Read read, K key, @Nullable V value) {}

  /** What became of a batch; the error is null if no task is left. */
  record Outcome<K, V>(
      List<Task<K, V>> written, List<Task<K, V>> left, @Nullable Throwable error) {}

  private WriteBatch() {}

  /** Divides tasks into batches. Keys that are equal although their bytes differ are separated. */
  static <K, V> Collection<List<Task<K, V>>> of(List<Task<K, V>> tasks) {
    List<List<Task<K, V>>> batches = new ArrayList<>();
    List<Task<K, V>> rest = tasks;
    while (!rest.isEmpty()) {
      Map<K, Task<K, V>> puts = new LinkedHashMap<>();
      Map<K, Task<K, V>> removals = new LinkedHashMap<>();
      List<Task<K, V>> later = new ArrayList<>();
      for (Task<K, V> task : rest) {
        boolean twice = puts.containsKey(task.key) || removals.containsKey(task.key);
        if (twice) {
          later.add(task);
        } else {
          (task.value == null ? removals : puts).put(task.key, task);
        }
      }
      batches.add(List.copyOf(puts.values()));
      batches.add(List.copyOf(removals.values()));
      rest = later;
    }
    batches.removeIf(List::isEmpty);
    return batches;
  }

  /** Calls the writer. */
  static <K, V> Outcome<K, V> write(BatchWriter<K, V> writer, List<Task<K, V>> batch) {
    Map<K, V> puts = new LinkedHashMap<>();
    Set<K> removals = new LinkedHashSet<>();
    for (Task<K, V> task : batch) {
      if (task.value == null) {
        removals.add(task.key);
      } else {
        puts.put(task.key, task.value);
      }
    }
    try {
      if (!puts.isEmpty()) {
        writer.writeAll(puts);
      }
      if (!removals.isEmpty()) {
        writer.deleteAll(removals);
      }
      return new Outcome<>(batch, List.of(), null);
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      List<Task<K, V>> written = new ArrayList<>();
      List<Task<K, V>> left = new ArrayList<>();
      for (Task<K, V> task : batch) {
        boolean failed = puts.containsKey(task.key) || removals.contains(task.key);
        (failed ? left : written).add(task);
      }
      return new Outcome<>(written, left, e);
    }
  }
}
