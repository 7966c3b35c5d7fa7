package io.rockpool.jcache;

/** What {@code unwrap} does everywhere. */
final class Unwrapping {
  private Unwrapping() {}

  /** The first of {@code things} that is of the type. */
  static <T> T of(Object thing, Class<T> type, Object... things) {
    if (type.isInstance(thing)) {
      return type.cast(thing);
    }
    for (Object other : things) {
      if (type.isInstance(other)) {
        return type.cast(other);
      }
    }
    throw new IllegalArgumentException(
        "A " + thing.getClass().getSimpleName() + " has no " + type.getName() + " to unwrap.");
  }
}
