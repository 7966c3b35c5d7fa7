package io.rockpool.internal.encryption;

import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import java.util.Locale;

/** Which keys of the records of a name are encrypted: those whose order nothing needs. */
enum KeyHiding {
  NONE(false, false),
  /** The hash keys: the keys of a cache, the rows of a table. */
  HASH(true, false),
  /** The sort keys: the elements in the rows of a map or set. */
  SORT(false, true),
  /** Both, in the directory of a cache's keys. */
  BOTH(true, true);

  private static final String TYPE = "type";

  /** Whether a name with sorted keys is refused; false in tests, which then leave its keys. */
  static volatile boolean refusesSorted = true;

  private final boolean ofHash;
  private final boolean ofSort;

  KeyHiding(boolean ofHash, boolean ofSort) {
    this.ofHash = ofHash;
    this.ofSort = ofSort;
  }

  boolean ofHash() {
    return ofHash;
  }

  boolean ofSort() {
    return ofSort;
  }

  /**
   * Which keys of a new name are encrypted where the option covers it.
   *
   * @throws UnsupportedOperationException if the name needs the order of its keys
   */
  static KeyHiding of(SpaceSpec spec) {
    if (SpaceName.isWithin(spec.name(), SpaceName.HINTS)) {
      return spec.name().startsWith(SpaceName.HINTS + "/:") ? NONE : BOTH;
    }
    if (SpaceName.isWithin(spec.name(), SpaceName.PENDING)
        || SpaceName.isWithin(spec.name(), SpaceName.TAGS)) {
      return HASH;
    }
    String type = spec.attributes().getOrDefault(TYPE, "");
    return switch (type) {
      case "cache", "table" -> HASH;
      case "map", "set" -> SORT;
      case "sorted map", "sorted set", "scored set", "queue", "timer" -> sorted(spec.name(), type);
      default -> NONE; // a deque, value or counter has no keys
    };
  }

  private static KeyHiding sorted(String name, String type) {
    if (refusesSorted) {
      throw new UnsupportedOperationException(
          "The keys of \""
              + name
              + "\" cannot be encrypted: a "
              + type
              + " is stored in their order. Choose a name that Encryption.hidingKeys does not"
              + " cover, or a structure without an order.");
    }
    return NONE;
  }

  /** As it is stored. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static KeyHiding ofText(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
