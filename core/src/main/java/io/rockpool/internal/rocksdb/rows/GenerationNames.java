package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.format.Descriptor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names of generations. Background work asks for each record that it finds, so only the
 * first question reads all descriptors. Not thread-safe.
 */
final class GenerationNames {
  private final Descriptors descriptors;

  /** The names by generation; empty until the first question. */
  private final Map<Long, String> names = new HashMap<>();

  GenerationNames(Descriptors descriptors) {
    this.descriptors = descriptors;
  }

  /** The name that has a generation now; null if none has. */
  @Nullable String find(long generation) {
    String known = names.get(generation);
    if (known == null || !has(known, generation)) { // first question, or a change that failed
      names.clear();
      descriptors.forEach((name, descriptor) -> names.put(descriptor.generation(), name));
      known = names.get(generation);
    }
    return known;
  }

  private boolean has(String name, long generation) {
    Descriptor descriptor = descriptors.read(name);
    return descriptor != null && descriptor.generation() == generation;
  }

  /** A descriptor of a name is written. */
  void put(String name, Descriptor descriptor) {
    if (!names.isEmpty()) {
      names.put(descriptor.generation(), name);
    }
  }

  /** A generation dies. */
  void remove(Descriptor descriptor) {
    names.remove(descriptor.generation());
  }
}
