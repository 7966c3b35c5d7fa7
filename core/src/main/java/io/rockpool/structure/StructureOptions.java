package io.rockpool.structure;

import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.Codecs;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a structure, the same type for all structures. Immutable: each method with a parameter
 * returns a copy with one option set, as in {@code
 * StructureOptions.defaults().entryTtl(Duration.ofHours(1)).durability(Durability.SYNC)}. Each
 * method without a parameter returns a value, null if it was not set. Opening a structure rejects
 * options that do not apply to its type.
 *
 * <pre>{@code
 * PersistentMap<String, byte[]> pages =
 *     pool.map("pages", String.class, byte[].class, o -> o.entryTtl(ofDays(1)));
 * }</pre>
 *
 * <p>Options that describe the data are kept with the structure's name. Opening the name later,
 * also in another process, uses the kept value of each option that is not set.
 *
 * <table>
 *   <caption>What is kept, and what setting another value does</caption>
 *   <tr><th>{@code entryTtl}</th><td>kept; another value replaces it for new elements</td></tr>
 *   <tr><th>{@code capacity}</th><td>kept; another value replaces it</td></tr>
 *   <tr><th>{@code changes}</th><td>kept; another value replaces it</td></tr>
 *   <tr><th>{@code ranked}</th><td>kept from the creation; another value is an error</td></tr>
 *   <tr><th>{@code codecs}</th><td>their ids are kept; others are a conflict of names</td></tr>
 *   <tr><th>{@code durability}, {@code onConflict}</th><td>not kept</td></tr>
 * </table>
 */
public final class StructureOptions {
  private static final StructureOptions DEFAULTS =
      new StructureOptions(null, null, null, OnConflict.FAIL, null, null, null);

  private final @Nullable Durability durability;
  private final @Nullable Codecs codecs;
  private final @Nullable Duration entryTtl;
  private final OnConflict onConflict;
  private final @Nullable Integer capacity;
  private final @Nullable Boolean ranked;
  private final @Nullable ChangeOptions changes;

  /** What opening does if the name holds another type, element type or codec. */
  public enum OnConflict {
    /** Fails with a {@link io.rockpool.error.NameConflictException} and changes nothing. */
    FAIL,
    /** Removes the old content, counts a reset, and starts empty. */
    RESET
  }

  private StructureOptions(
      @Nullable Durability durability,
      @Nullable Codecs codecs,
      @Nullable Duration entryTtl,
      OnConflict onConflict,
      @Nullable Integer capacity,
      @Nullable Boolean ranked,
      @Nullable ChangeOptions changes) {
    this.durability = durability;
    this.codecs = codecs;
    this.entryTtl = entryTtl;
    this.onConflict = onConflict;
    this.capacity = capacity;
    this.ranked = ranked;
    this.changes = changes;
  }

  /** The defaults: the store's durability and codecs, no expiry, fail on a conflict. */
  public static StructureOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets the durability of writes, instead of the store's. {@link
   * io.rockpool.Rockpool#withDurability} overrides it for single calls.
   */
  public StructureOptions durability(Durability newDurability) {
    Objects.requireNonNull(newDurability, "durability");
    return new StructureOptions(
        newDurability, codecs, entryTtl, onConflict, capacity, ranked, changes);
  }

  /** The durability of writes; null for the store's. */
  public @Nullable Durability durability() {
    return durability;
  }

  /** Sets the codecs, instead of the store's. */
  public StructureOptions codecs(Codecs newCodecs) {
    Objects.requireNonNull(newCodecs, "codecs");
    return new StructureOptions(
        durability, newCodecs, entryTtl, onConflict, capacity, ranked, changes);
  }

  /** How objects become bytes; null for the store's codecs. */
  public @Nullable Codecs codecs() {
    return codecs;
  }

  /**
   * Sets the default time to live of elements, counted from their put. {@link
   * PersistentStructure#FOREVER} removes the one that is kept with the name.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public StructureOptions entryTtl(Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException(
          "entryTtl is " + ttl + "; give a positive duration, or none for ever.");
    }
    return new StructureOptions(durability, codecs, ttl, onConflict, capacity, ranked, changes);
  }

  /** The default time to live of elements; null for the kept one, or no expiry. */
  public @Nullable Duration entryTtl() {
    return entryTtl;
  }

  /** Sets what opening does if the name holds something else. */
  public StructureOptions onConflict(OnConflict action) {
    Objects.requireNonNull(action, "onConflict");
    return new StructureOptions(durability, codecs, entryTtl, action, capacity, ranked, changes);
  }

  /** What opening does if the name holds something else. */
  public OnConflict onConflict() {
    return onConflict;
  }

  /**
   * Sets the maximum number of elements of a deque. A deque that holds more rejects inserts until
   * it is below.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public StructureOptions capacity(int elements) {
    if (elements < 1) {
      throw new IllegalArgumentException(
          "capacity is " + elements + "; give a positive number, or none for any number.");
    }
    return new StructureOptions(
        durability, codecs, entryTtl, onConflict, elements, ranked, changes);
  }

  /** The maximum number of elements of a deque; null for the kept one, or no limit. */
  public @Nullable Integer capacity() {
    return capacity;
  }

  /**
   * Sets whether a new scored set keeps a rank index. With the index, ranks and counts cost O(log
   * n), and writes cost up to twice as much. An existing set keeps the choice made when it was
   * created; opening it with the other one is an error.
   */
  public StructureOptions ranked(boolean index) {
    return new StructureOptions(durability, codecs, entryTtl, onConflict, capacity, index, changes);
  }

  /** Whether a scored set keeps a rank index; null for the choice at its creation, or yes. */
  public @Nullable Boolean ranked() {
    return ranked;
  }

  /**
   * Sets whether the changes are kept in a feed, and how long; see {@link
   * io.rockpool.change.ChangeFeed}. Each write of a structure with a feed is a transaction that
   * also writes the log.
   */
  public StructureOptions changes(ChangeOptions feed) {
    Objects.requireNonNull(feed, "changes");
    return new StructureOptions(durability, codecs, entryTtl, onConflict, capacity, ranked, feed);
  }

  /** The options of the change feed; null for the kept ones, or no feed. */
  public @Nullable ChangeOptions changes() {
    return changes;
  }

  /** Returns what is set here and is another value in {@code there}, with both values. */
  List<String> differencesFrom(StructureOptions there) {
    List<String> differences = new ArrayList<>();
    add(differences, "durability", there.durability, durability);
    add(differences, "codecs", there.codecs, codecs);
    add(differences, "entryTtl", there.entryTtl, entryTtl);
    add(differences, "capacity", there.capacity, capacity);
    add(differences, "ranked", there.ranked, ranked);
    add(differences, "changes", there.changes, changes);
    return differences;
  }

  private static void add(
      List<String> differences, String name, @Nullable Object there, @Nullable Object here) {
    if (here != null && !here.equals(there)) {
      String before = there == null ? "unset" : there.toString();
      differences.add(name + " is " + before + ", not " + here);
    }
  }
}
