package io.rockpool.engine;

import io.rockpool.error.NameConflictException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store of {@link Space spaces}. Thread-safe. Once closed, everything throws {@link
 * IllegalStateException}.
 *
 * <p>Changes of the catalog (create, reset, drop, attributes) are atomic and durable when they
 * return.
 */
public interface Engine extends AutoCloseable {
  /** What kind of engine this is and where its data lies, for messages. */
  String description();

  /** What this engine can do beyond the contract. */
  Set<Capability> capabilities();

  /**
   * Does nothing if the engine can do {@code capability}.
   *
   * @throws UnsupportedOperationException if it can't; the message names the engine and the way out
   */
  default void require(Capability capability) {
    Objects.requireNonNull(capability, "capability");
    if (!capabilities().contains(capability)) {
      throw new UnsupportedOperationException(
          description() + " has no " + capability + ": " + capability.wayOut() + ".");
    }
  }

  /** The clock by which records expire. */
  InstantSource clock();

  /**
   * Creates a space.
   *
   * @throws NameConflictException if the name is taken
   */
  Space create(SpaceSpec spec);

  /** Opens a space, and notes the time; null if there is none of that name. */
  @Nullable Space open(String name);

  /**
   * Replaces the space of that name, whatever it is, by an empty one made from {@code spec}, and
   * counts a reset; O(1). Handles opened before throw {@link IllegalStateException} from then on.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  Space reset(SpaceSpec spec);

  /** What is known of the space of that name, or null if there is none. */
  @Nullable SpaceInfo describe(String name);

  /** The spaces at or below {@code level}, sorted by name; all of them for the empty level. */
  List<SpaceInfo> list(String level);

  /**
   * Replaces the attributes kept with a name.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  void setAttributes(String name, Map<String, String> attributes);

  /**
   * Removes a space and all it holds; the name is free at once. O(1). Handles opened before throw
   * {@link IllegalStateException} from then on.
   *
   * @return whether there was one
   */
  boolean drop(String name);

  /**
   * Drops the spaces at or below {@code level}, all of them or none.
   *
   * @return how many there were
   */
  int dropAll(String level);

  /**
   * Returns when every write acknowledged before the call is forced to the disk, whatever its
   * durability.
   */
  void flush();

  /** The bytes the store takes on disk, about; 0 where it takes none. */
  long diskBytes();

  /**
   * Waits for running calls, makes every acknowledged write durable and closes. Open cursors are
   * closed too. A second call does nothing.
   */
  @Override
  void close();
}
