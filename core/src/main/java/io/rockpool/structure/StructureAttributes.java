package io.rockpool.structure;

import io.rockpool.error.CorruptStoreException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options that describe a structure's data, as they are kept with its name. */
final class StructureAttributes {
  private static final String ENTRY_TTL = "entry-ttl";
  private static final String CAPACITY = "capacity";

  private StructureAttributes() {}

  /**
   * Returns the options with the kept ones that are not set.
   *
   * @param structure the structure, as the start of a sentence
   * @throws IllegalArgumentException if they set another value of an option that cannot change
   * @throws CorruptStoreException if the attributes cannot be read
   */
  static StructureOptions complete(
      String structure, StructureOptions options, Map<String, String> attributes) {
    try {
      String ttl = attributes.get(ENTRY_TTL);
      String capacity = attributes.get(CAPACITY);
      String ranked = attributes.get(ScoredShape.RANKED);
      return complete(
          structure,
          options,
          ttl == null ? null : Duration.parse(ttl),
          capacity == null ? null : Integer.valueOf(capacity),
          ranked == null ? null : Boolean.valueOf(ranked));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new CorruptStoreException(
          "a descriptor keeps the options " + attributes + ", which cannot be read", e);
    }
  }

  private static StructureOptions complete(
      String structure,
      StructureOptions options,
      @Nullable Duration ttl,
      @Nullable Integer capacity,
      @Nullable Boolean ranked) {
    if (ranked != null && options.ranked() != null && !ranked.equals(options.ranked())) {
      throw new IllegalArgumentException(
          structure
              + " was created with ranked = "
              + ranked
              + " and is opened with ranked = "
              + options.ranked()
              + ", which cannot be changed. Leave it unset, or copy the content to a new name.");
    }
    StructureOptions all = options;
    if (all.entryTtl() == null && ttl != null) {
      all = all.entryTtl(ttl);
    }
    if (all.capacity() == null && capacity != null) {
      all = all.capacity(capacity);
    }
    return ranked == null ? all : all.ranked(ranked);
  }

  /**
   * Returns the attributes of a structure that is opened with these options.
   *
   * @param structure the structure, as the start of a sentence
   * @param shape the attributes of a new one
   * @param kept the attributes that are kept with the name; empty for a new one
   * @throws IllegalArgumentException as for {@link #complete}
   */
  static Map<String, String> shape(
      String structure,
      StructureOptions options,
      Map<String, String> shape,
      Map<String, String> kept) {
    Map<String, String> before = kept.isEmpty() ? shape : kept;
    return with(complete(structure, options, before), before);
  }

  /**
   * Rejects options of another type of structure.
   *
   * @param structure the structure, as the start of a sentence
   */
  static void refuseOthers(String structure, String type, StructureOptions options) {
    refuseUnless(Structures.DEQUE, type, structure, "a capacity", options.capacity());
    refuseUnless(Structures.SCORED_SET, type, structure, "a choice of ranks", options.ranked());
  }

  private static void refuseUnless(
      String owner, String type, String structure, String option, @Nullable Object chosen) {
    if (chosen != null && !type.equals(owner)) {
      throw new IllegalArgumentException(
          structure
              + " was opened with "
              + option
              + ", which a "
              + owner
              + " alone has; leave it out.");
    }
  }

  /** Returns the attributes with these options. */
  private static Map<String, String> with(
      StructureOptions options, Map<String, String> attributes) {
    Map<String, String> text = new TreeMap<>(attributes);
    Duration ttl = options.entryTtl();
    if (ttl != null) {
      text.put(ENTRY_TTL, ttl.toString());
    }
    if (StructureSpace.FOREVER.equals(ttl)) {
      text.remove(ENTRY_TTL);
    }
    Integer capacity = options.capacity();
    if (capacity != null) {
      text.put(CAPACITY, capacity.toString());
    }
    return text;
  }
}
