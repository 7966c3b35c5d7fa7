package io.rockpool.engine;

import io.rockpool.error.NameConflictException;
import io.rockpool.store.Durability;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.Registration;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of {@link Space spaces}. Thread-safe. Once closed, every method throws {@link
 * IllegalStateException}, except {@link #description}, {@link #capabilities}, {@link #require},
 * {@link #limits} and {@link #clock}.
 *
 * <p>Changes of the catalog (create, reset, drop, attributes) are atomic, and durable when they
 * return.
 */
public interface Engine extends AutoCloseable {
  /**
   * Returns the kind of this engine and the location of its data, for messages.
   *
   * @return the beginning of a sentence
   */
  String description();

  /**
   * Returns the optional features of this engine.
   *
   * @return its capabilities
   */
  Set<Capability> capabilities();

  /**
   * Checks that the engine has a capability.
   *
   * @param capability what the caller needs
   * @throws UnsupportedOperationException if the engine lacks it; the message names the engine and
   *     the alternative
   */
  default void require(Capability capability) {
    Objects.requireNonNull(capability, "capability");
    if (!capabilities().contains(capability)) {
      throw capability.missingFrom(this);
    }
  }

  /**
   * Returns the longest keys and values that this engine takes.
   *
   * @return its limits; by default those of the contract
   */
  default EngineLimits limits() {
    return EngineLimits.OF_CONTRACT;
  }

  /**
   * Returns the clock by which records expire.
   *
   * @return the clock
   */
  InstantSource clock();

  /**
   * Creates a space.
   *
   * @param spec its name, layout and attributes
   * @return the space, empty
   * @throws NameConflictException if the name is taken
   */
  Space create(SpaceSpec spec);

  /**
   * Opens a space and records the time of opening.
   *
   * @return the space, or null if the name does not exist
   */
  @Nullable Space open(String name);

  /**
   * Replaces the space of a name by an empty one and counts a reset. O(1). Handles opened before
   * throw {@link IllegalStateException} from then on.
   *
   * @param spec the name, and the new layout and attributes
   * @return the space, empty
   * @throws IllegalArgumentException if the name does not exist
   */
  Space reset(SpaceSpec spec);

  /**
   * Like {@link #reset(SpaceSpec)}, if the name still has these attributes: then no other handle
   * has replaced or changed it since they were read. By default they are read again before the
   * reset; the engines of Rockpool whose data is shared compare and reset atomically.
   *
   * @param attributes the attributes that the name has
   * @return the space, empty; null if nothing was changed, also if the name does not exist
   */
  default @Nullable Space reset(SpaceSpec spec, Map<String, String> attributes) {
    SpaceInfo there = describe(spec.name());
    return there == null || !there.attributes().equals(attributes) ? null : reset(spec);
  }

  /**
   * Describes a space.
   *
   * @return its description, or null if the name does not exist
   */
  @Nullable SpaceInfo describe(String name);

  /**
   * Lists spaces.
   *
   * @param level a name without a trailing {@code '/'}, or the empty level
   * @return the spaces at or below it, sorted by name; all spaces for the empty level
   * @throws IllegalArgumentException if {@code level} is neither, see {@link SpaceName#checkLevel}
   */
  List<SpaceInfo> list(String level);

  /**
   * Replaces the attributes of a name.
   *
   * @param attributes all its attributes from now on
   * @throws IllegalArgumentException if the name does not exist
   */
  void setAttributes(String name, Map<String, String> attributes);

  /**
   * Removes a space with all its records and frees its name. O(1). Handles opened before throw
   * {@link IllegalStateException} from then on.
   *
   * @return whether it existed
   */
  boolean drop(String name);

  /**
   * Drops the spaces at or below a level, all of them or none.
   *
   * @param level as for {@link #list}
   * @return how many were dropped
   * @throws IllegalArgumentException as for {@link #list}; nothing was dropped
   */
  int dropAll(String level);

  /**
   * Gives a space another name, with its records, attributes and expiry. O(1). Handles opened
   * before, by either name, throw {@link IllegalStateException} from then on: a write through one
   * of them is in the renamed space, or it throws. Snapshots and cursors continue as after a drop.
   *
   * @param from the name of the space
   * @param to its new name, another one
   * @param replace whether to drop the space that has the new name
   * @return whether {@code from} existed
   * @throws NameConflictException if the new name is taken and {@code replace} is false; nothing is
   *     changed
   * @throws UnsupportedOperationException without {@link Capability#RENAMES}
   */
  default boolean rename(String from, String to, boolean replace) {
    throw Capability.RENAMES.missingFrom(this);
  }

  /**
   * Runs {@code work} as one serializable transaction over any rows and spaces of this engine.
   * Operations of the calling thread join it:
   *
   * <ul>
   *   <li>Every read sees the transaction's own changes over the stored data.
   *   <li>When {@code work} returns, all changes are applied atomically. If it throws, none are,
   *       and the exception reaches the caller.
   *   <li>No other write changes a row between its read or change here and the commit.
   *   <li>Operations of other threads do not join, even if {@code work} started those threads.
   * </ul>
   *
   * <p>{@code work} may run more than once, because of a conflict with another transaction. Only
   * one run has an effect and a result. So it must depend only on what it reads here, and do no I/O
   * outside the engine. Put such effects into {@link #afterCommit}. Other writers may wait for it:
   * keep it short.
   *
   * <p>In a transaction:
   *
   * <ul>
   *   <li>{@link Space#get}, {@link Space#getAll}, {@link Space#count}, {@link Space#scan}, {@link
   *       Space#put}, {@link Space#delete}, {@link Space#putAll}, {@link Space#deleteAll} and
   *       {@link Space#transact} join. The bulk operations are atomic here. Cursors end with the
   *       transaction, and may show its later changes while they are open.
   *   <li>A row transaction that throws undoes its own changes. If the exception is caught, the
   *       rest of the transaction continues. The same holds for a nested {@code atomically}, which
   *       joins the outer one.
   *   <li>A snapshot or cursor that was opened before keeps showing what it showed before.
   *   <li>{@link Space#scanAll}, {@link Space#clear}, {@link Space#expireAt}, {@link
   *       Space#snapshot}, changes of the catalog ({@link #create}, {@link #open}, {@link #reset},
   *       {@link #drop}, {@link #dropAll}, {@link #rename}, {@link #setAttributes}) and {@link
   *       #close} throw {@link IllegalStateException}: each concerns more than the rows a
   *       transaction holds. All other methods ({@link #describe}, {@link #list}, {@link
   *       Space#info}, {@link #flush}) work as outside and do not join.
   *   <li>If a space is dropped or reset during the transaction, the transaction fails with an
   *       {@link IllegalStateException}.
   * </ul>
   *
   * <p>Costs one write, after the reads of {@code work}; no write if it changes nothing. All
   * changes are in memory until the commit. The commit has the strongest {@link Durability} among
   * the handles that wrote, unless {@link #withDurability} sets another.
   *
   * @param work what to do
   * @return the result of the run that committed
   * @throws UnsupportedOperationException without {@link Capability#MULTI_ROW_TRANSACTIONS}
   * @throws IllegalStateException from inside a row transaction or a {@link RecordReader}
   */
  default <R extends @Nullable Object> R atomically(Supplier<R> work) {
    Objects.requireNonNull(work, "work");
    throw Capability.MULTI_ROW_TRANSACTIONS.missingFrom(this);
  }

  /**
   * Returns whether the calling thread is inside {@link #atomically}. Costs next to nothing while
   * no thread is.
   *
   * @return whether it is
   */
  default boolean inTransaction() {
    return false;
  }

  /**
   * Runs an action after the calling thread's transaction has committed and released all its locks.
   * Actions run on this thread, in the order of registration, before {@link #atomically} returns.
   * An action does not run if the transaction does not commit, if its run was discarded, or if the
   * nested {@code atomically} that registered it threw. An exception of an action is logged; the
   * other actions still run and {@code atomically} still returns normally. Outside a transaction
   * the action runs immediately, and its exceptions reach the caller.
   *
   * @param action what to do; it may use the engine
   */
  default void afterCommit(Runnable action) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * Like {@link #afterCommit}, for a message that listeners need in the order of the commits. It is
   * sent before the actions of {@code afterCommit}, while {@code lock} is still held. The
   * transaction acquires {@code lock} before its commit. A writer outside a transaction holds the
   * lock around its write and its message. If another thread holds the lock at the commit, the
   * transaction runs again and holds the lock from the start.
   *
   * @param action sends the message
   * @param lock what orders it; null if the lock of another message does, or if it needs no order
   */
  default void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * Like {@link #afterCommit}, but also after a rollback: once for each run that registered it,
   * before the actions of {@code afterCommit}. For layers that keep records in memory: until the
   * action runs, those records may differ from the stored ones.
   *
   * @param action what to do; it may use the engine
   */
  default void afterTransaction(Runnable action) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * Reports what other handles of the same data change; this handle's own changes are not reported.
   * Without {@link Capability#SHARED} there are no other handles, and the listener is never called.
   * An engine that cannot report changes now calls {@link ChangeListener#feedLost} first.
   *
   * @param listener receives every change that is made after this method has returned
   * @return ends the registration; a call that is running may still end after that
   */
  default Registration onChange(ChangeListener listener) {
    Objects.requireNonNull(listener, "listener");
    return () -> {};
  }

  /**
   * Runs {@code writes} with another durability for the calling thread's writes: each has it when
   * it returns. It overrides the {@link Durability} of the handles, stronger or weaker. Of nested
   * calls the inner one counts. It ends when {@code writes} returns or throws.
   *
   * <ul>
   *   <li>A transaction, {@link #atomically} or {@link Space#transact}, writes at its commit: set
   *       the durability around it. Inside {@link #atomically} this method throws.
   *   <li>Writes of other threads are not affected, even if {@code writes} started those threads.
   *   <li>Background work of the engine and the layers is not affected, on any thread ({@link
   *       #reclaim}, evictions). Nor are changes of the catalog, which are durable on return.
   * </ul>
   *
   * <p>It reads and writes nothing itself, and does not make {@code writes} a transaction. While no
   * thread is in such a call, other writes pay next to nothing for it.
   *
   * @param durability what the writes survive; an engine with a single level may ignore it
   * @param writes what to do
   * @throws IllegalStateException if the engine is closed, or inside {@link #atomically}; {@code
   *     writes} did not run
   */
  <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes);

  /**
   * Like {@link #withDurability(Durability, Supplier)}, without a result.
   *
   * @param durability what the writes survive
   * @param writes what to do
   */
  default void runWithDurability(Durability durability, Runnable writes) {
    Objects.requireNonNull(writes, "writes");
    this.<@Nullable Void>withDurability(
        durability,
        () -> {
          writes.run();
          return null;
        });
  }

  /** Forces every write acknowledged before the call to disk, whatever its durability. */
  void flush();

  /**
   * Does all pending background removal now:
   *
   * <ul>
   *   <li>removes expired records, so that {@link SpaceView#count} is exact
   *   <li>reclaims the disk space of what was cleared, dropped, reset or expired as a whole, and of
   *       large values that were removed
   *   <li>evicts from spaces that exceed their disk budget
   * </ul>
   *
   * <p>Data that an open snapshot shows stays. Only counts change visibly. Other threads may
   * continue to read and write; garbage they produce during the call may remain. It may read and
   * write a large part of the store, so it may take long. It ends early if the engine is closed.
   *
   * <p>An engine whose servers do this returns {@link Reclaimed#NOTHING}.
   *
   * @return what was reclaimed during the call, in the background included
   * @throws IllegalStateException from inside a transaction
   */
  default Reclaimed reclaim() {
    return Reclaimed.NOTHING;
  }

  /**
   * Measures the store.
   *
   * @return about how many bytes it uses on disk; 0 if none
   */
  long diskBytes();

  /**
   * Checks that all stored data is intact: files and their checksums, the format of each record,
   * data kept in two places, and, through {@code checks}, what the layers above know of their
   * spaces. Changes nothing. It checks the store as of one moment; other threads continue to read
   * and write. It reads all data, so it takes as long as a full scan. Data overwritten or deleted
   * during the check stays on disk until it ends.
   *
   * <p>Defects are in the report, not thrown. If the thread is interrupted, or the options say so,
   * the check stops and the report has what was found up to then. The thread stays interrupted.
   *
   * @param options how to verify
   * @param checks the checks of the layers above; {@link RecordChecks#NONE} for none
   * @return what was found
   * @throws IllegalStateException from inside a transaction; or if the engine is closed during the
   *     check
   */
  VerifyReport verify(VerifyOptions options, RecordChecks checks);

  /**
   * Waits for running calls, makes every acknowledged write durable and closes. Open cursors are
   * closed too. A second call does nothing.
   *
   * @throws IllegalStateException if called from inside a transaction, which it would wait for; the
   *     engine stays open
   */
  @Override
  void close();
}
