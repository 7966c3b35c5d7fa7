package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Names of spaces: one or more levels separated by {@code '/'}, as in {@code shop/orders/by-day}.
 */
public final class SpaceName {
  /**
   * The level of spaces that hold hints, such as the hot keys of a cache: losing them costs only
   * time.
   */
  public static final String HINTS = "rockpool:hot";

  /** The level of spaces that hold changes of caches until a writer has written them. */
  public static final String PENDING = "rockpool:pending";

  /** The level of spaces that hold the changes of names that have a change feed. */
  public static final String CHANGES = "rockpool:changes";

  /**
   * The level of spaces that hold when the tags of a cache were invalidated: losing one costs the
   * tagged entries of its cache.
   */
  public static final String TAGS = "rockpool:tags";

  /** The space of the classes of values, on an engine that several processes share. */
  public static final String CLASSES = "rockpool:classes";

  /** The space whose attributes are the keys of an encrypted store. */
  public static final String KEYS = "rockpool:keys";

  private SpaceName() {}

  /**
   * Checks a name.
   *
   * @return the name
   * @throws IllegalArgumentException if it is empty, or has an empty level, a control character or
   *     half of a surrogate pair
   * @throws LimitExceededException if it is longer than {@link Limits#MAX_NAME_BYTES} in UTF-8
   */
  public static String check(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
      throw new IllegalArgumentException(
          "The name \"" + name + "\" has an empty level; write it like shop/orders/by-day.");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("A name holds a control character; use printable ones.");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "A name holds half of a surrogate pair, which has no form in UTF-8; use whole characters.");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > Limits.MAX_NAME_BYTES) {
      throw new LimitExceededException(
          "A name of "
              + bytes
              + " bytes is past the limit of "
              + Limits.MAX_NAME_BYTES
              + " bytes; make it shorter.",
          "name",
          Limits.MAX_NAME_BYTES,
          bytes,
          name);
    }
    return name;
  }

  /**
   * Checks a level: a name, or the empty level above all names.
   *
   * @return the level
   * @throws IllegalArgumentException if it ends with a {@code '/'}, or is not a valid name
   */
  public static String checkLevel(String level) {
    Objects.requireNonNull(level, "level");
    String name = level.replaceFirst("/+$", "");
    if (!name.isEmpty() && level.endsWith("/")) {
      throw new IllegalArgumentException(
          "The level \"" + level + "\" ends with a '/', as no name does; write \"" + name + "\".");
    }
    return level.isEmpty() ? level : check(level);
  }

  /**
   * Splits a name.
   *
   * @return its levels, outermost first
   */
  public static List<String> levels(String name) {
    return List.of(name.split("/"));
  }

  /**
   * Returns whether a name belongs to a level.
   *
   * @param level a name, or the empty level
   * @return whether the name equals the level or is below it; every name is below the empty level
   */
  public static boolean isWithin(String name, String level) {
    return level.isEmpty() || name.equals(level) || name.startsWith(level + "/");
  }
}
