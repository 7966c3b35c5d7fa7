package io.rockpool.engine;

import io.rockpool.error.NameConflictException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store of {@link Space spaces}. Thread-safe. Once closed, everything but {@link #description},
 * {@link #capabilities}, {@link #require} and {@link #clock} throws {@link IllegalStateException}.
 *
 * <p>Changes of the catalog (create, reset, drop, attributes) are atomic and durable when they
 * return.
 */
public interface Engine extends AutoCloseable {
  /**
   * Tells what kind of engine this is and where its data lies, for messages.
   *
   * @return the beginning of a sentence
   */
  String description();

  /**
   * Tells what this engine can do beyond the contract.
   *
   * @return its capabilities
   */
  Set<Capability> capabilities();

  /**
   * Does nothing if the engine can do something.
   *
   * @param capability what it should be able to do
   * @throws UnsupportedOperationException if it can't; the message names the engine and the way out
   */
  default void require(Capability capability) {
    Objects.requireNonNull(capability, "capability");
    if (!capabilities().contains(capability)) {
      throw new UnsupportedOperationException(
          description() + " has no " + capability + ": " + capability.wayOut() + ".");
    }
  }

  /**
   * Tells the clock by which records expire.
   *
   * @return the clock
   */
  InstantSource clock();

  /**
   * Creates a space.
   *
   * @param spec what it shall be
   * @return the space, empty
   * @throws NameConflictException if the name is taken
   */
  Space create(SpaceSpec spec);

  /**
   * Opens a space, and notes the time.
   *
   * @param name its name
   * @return the space, or null if there is none of that name
   */
  @Nullable Space open(String name);

  /**
   * Replaces the space of a name, whatever it is, by an empty one, and counts a reset; O(1).
   * Handles opened before throw {@link IllegalStateException} from then on.
   *
   * @param spec the name, and what it shall be
   * @return the space, empty
   * @throws IllegalArgumentException if there is none of that name
   */
  Space reset(SpaceSpec spec);

  /**
   * Describes a space.
   *
   * @param name its name
   * @return what is known of it, or null if there is none of that name
   */
  @Nullable SpaceInfo describe(String name);

  /**
   * Lists spaces.
   *
   * @param level a name, without a {@code '/'} at its end, or the empty level
   * @return the spaces at or below it, sorted by name; all of them for the empty level
   */
  List<SpaceInfo> list(String level);

  /**
   * Replaces the attributes kept with a name.
   *
   * @param name the name
   * @param attributes all its attributes from now on
   * @throws IllegalArgumentException if there is none of that name
   */
  void setAttributes(String name, Map<String, String> attributes);

  /**
   * Removes a space and all it holds; the name is free at once. O(1). Handles opened before throw
   * {@link IllegalStateException} from then on.
   *
   * @param name its name
   * @return whether there was one
   */
  boolean drop(String name);

  /**
   * Drops the spaces at or below a level, all of them or none.
   *
   * @param level as for {@link #list}
   * @return how many there were
   */
  int dropAll(String level);

  /**
   * Returns when every write acknowledged before the call is forced to the disk, whatever its
   * durability.
   */
  void flush();

  /**
   * Measures the store.
   *
   * @return the bytes it takes on disk, about; 0 where it takes none
   */
  long diskBytes();

  /**
   * Waits for running calls, makes every acknowledged write durable and closes. Open cursors are
   * closed too. A second call does nothing.
   *
   * @throws IllegalStateException if called from inside a transaction, for which it would wait; the
   *     engine stays open
   */
  @Override
  void close();
}
