package io.rockpool.internal.catalog;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.change.ChangeLogs;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/** Copies what names hold. A copy has a hidden name until it is complete. */
final class NameCopies {
  /** A hidden level: the spaces of copies that are not complete. */
  private static final String LEVEL = SpaceName.HINTS + "/:copies";

  private NameCopies() {}

  /** Removes copies that are not complete. */
  static void dropIncomplete(Engine engine) {
    engine.dropAll(LEVEL);
  }

  /**
   * Copies a name.
   *
   * @param taken whether the new name is taken
   * @param naming gives the complete copy its name; returns whether it was there
   * @return whether the name was there
   */
  static boolean copy(
      Engine engine, Entry there, String to, boolean taken, Predicate<String> naming) {
    String from = there.space().name();
    check(there, to, taken);
    Space source = engine.open(from);
    if (source == null) {
      return false; // dropped since
    }
    SpaceInfo info = source.info();
    String hidden = LEVEL + "/" + UUID.randomUUID();
    Space copy = engine.create(new SpaceSpec(hidden, info.layout(), Map.of()));
    boolean complete = false;
    try {
      source.copyTo(copy);
      engine.setAttributes(hidden, withoutChanges(info.attributes()));
      if (info.expiresMillis() != Expiry.NEVER) {
        copy.expireAt(info.expiresMillis());
      }
      complete = naming.test(hidden);
    } finally {
      if (!complete) {
        engine.drop(hidden);
      }
    }
    if (!complete) {
      throw new IllegalStateException(
          "The copy of \"" + from + "\" was dropped before it was complete; copy it again.");
    }
    return true;
  }

  /** A copy has no change feed. */
  private static Map<String, String> withoutChanges(Map<String, String> attributes) {
    Map<String, String> copied = new HashMap<>(attributes);
    copied.remove(ChangeLogs.ATTRIBUTE);
    return copied;
  }

  private static void check(Entry there, String to, boolean taken) {
    String from = there.space().name();
    if (from.equals(to)) {
      throw new IllegalArgumentException(
          "The name \"" + from + "\" cannot be copied to itself; give another name.");
    }
    if (there.space().layout() != Layout.ROWS) {
      throw new UnsupportedOperationException(
          "The name \""
              + from
              + "\" holds a cache, and only collections are copied; put its entries.");
    }
    if (taken) {
      throw new NameConflictException(
          "The name \"" + to + "\" is taken; drop it, or choose another. Nothing was changed.", to);
    }
  }
}
