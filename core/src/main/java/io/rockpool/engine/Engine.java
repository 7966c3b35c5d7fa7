package io.rockpool.engine;

import io.rockpool.error.NameConflictException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
      throw capability.missingFrom(this);
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
   * Opens a space as {@link #open} does, but without noting the time, as nobody has asked for it:
   * for what a layer does by itself, see {@link #whenReclaiming}.
   *
   * @param name its name
   * @return the space, or null if there is none of that name
   */
  @Nullable Space openForUpkeep(String name);

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
   * @throws IllegalArgumentException if it is neither, see {@link SpaceName#checkLevel}
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
   * @throws IllegalArgumentException as for {@link #list}; nothing was dropped
   */
  int dropAll(String level);

  /**
   * Runs {@code work} as one transaction over any rows and spaces of this engine. What the calling
   * thread does in it joins: every read sees the transaction's own changes on top of what is
   * stored, all changes are made at once when {@code work} returns, or none are if it throws, and
   * no other write of a row that was read or changed comes in between (serializable). The exception
   * reaches the caller. Work of other threads does not join, whoever started them.
   *
   * <p>{@code work} may run more than once, because it met another transaction, and one run alone
   * has an effect and a result. So it must be a function of what it reads here, and do no I/O of
   * its own; what is to be done once and outside belongs into {@link #afterCommit}. Other writers
   * may wait for it: keep it short.
   *
   * <p>In it:
   *
   * <ul>
   *   <li>{@link Space#get}, {@link Space#getAll}, {@link Space#count}, {@link Space#scan}, {@link
   *       Space#put}, {@link Space#delete}, {@link Space#putAll}, {@link Space#deleteAll} and
   *       {@link Space#transact} join. The bulk operations are atomic here. Their cursors end with
   *       the transaction, and may show what the transaction changes while they are open.
   *   <li>A row transaction that throws undoes its own changes; if the exception is caught, the
   *       rest goes on. The same goes for an {@code atomically} inside another, which joins it.
   *   <li>A snapshot and a cursor that were opened before show what they showed before.
   *   <li>{@link Space#scanAll}, {@link Space#clear}, {@link Space#expireAt}, {@link
   *       Space#snapshot}, what changes the catalog ({@link #create}, {@link #open}, {@link
   *       #reset}, {@link #drop}, {@link #dropAll}, {@link #setAttributes}) and {@link #close} are
   *       refused with an {@link IllegalStateException}: each concerns more than the rows a
   *       transaction holds. Everything else ({@link #describe}, {@link #list}, {@link Space#info},
   *       {@link #flush}) works as outside, and beside the transaction.
   *   <li>A space that is dropped or reset meanwhile makes it fail with an {@link
   *       IllegalStateException}.
   * </ul>
   *
   * <p>One write, after as many reads as {@code work} makes; none if it changes nothing. All its
   * changes lie in memory until then. As durable as the strongest {@link Durability} among the
   * handles that were written through, unless {@link #withDurability} says otherwise.
   *
   * @param work what to do
   * @param <R> what it returns
   * @return what its run returned
   * @throws UnsupportedOperationException without {@link Capability#MULTI_ROW_TRANSACTIONS}
   * @throws IllegalStateException from inside a row transaction or a {@link RecordReader}
   */
  default <R extends @Nullable Object> R atomically(Supplier<R> work) {
    Objects.requireNonNull(work, "work");
    throw Capability.MULTI_ROW_TRANSACTIONS.missingFrom(this);
  }

  /**
   * Tells whether the calling thread is inside {@link #atomically}. Costs next to nothing while no
   * thread is.
   *
   * @return whether it is
   */
  default boolean inTransaction() {
    return false;
  }

  /**
   * Runs an action once the transaction that the calling thread is in has committed, after it has
   * let go of everything: on this thread, in the order of registration, before {@link #atomically}
   * returns. Never if it does not commit, nor for a run that was discarded, nor if the {@code
   * atomically} inside another in which it was registered threw. What an action throws is logged
   * and stops neither the others nor {@code atomically}: the transaction is done. Outside a
   * transaction the action runs at once, and what it throws reaches the caller.
   *
   * @param action what to do; it may use the engine
   */
  default void afterCommit(Runnable action) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * As {@link #afterCommit}, for a message that listeners need in the order of the commits: told
   * before the actions of {@code afterCommit}, while {@code lock} is still held, which the
   * transaction holds from before its commit on. A writer beside it holds the lock around its write
   * and its message. Where another thread holds the lock at the commit, the transaction runs again,
   * with the lock from its beginning.
   *
   * @param action tells it
   * @param lock what orders it; null if another message's lock does, or nothing has to
   */
  default void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * As {@link #afterCommit}, but whether it commits or not, once for each run in which it was
   * registered, and before the actions of {@code afterCommit}. For layers that keep records in
   * memory: until then these may not be taken for what is stored.
   *
   * @param action what to do; it may use the engine
   */
  default void afterTransaction(Runnable action) {
    Objects.requireNonNull(action, "action").run();
  }

  /**
   * Runs {@code writes}, and what the calling thread writes to this engine meanwhile is as durable
   * as is said here when its call returns, whatever the handle's own {@link Durability} is:
   * stronger or weaker. Of two, one inside the other, the inner one counts. It ends with {@code
   * writes}, whether that returns or throws.
   *
   * <ul>
   *   <li>A transaction, {@link #atomically} and {@link Space#transact}, is written when it
   *       commits, and takes what is said then: around it, not inside.
   *   <li>What other threads write is not concerned, whoever started them.
   *   <li>Nor is what the engine and the layers do for upkeep, on whatever thread ({@link
   *       #reclaim}, what is {@link #evictBy evicted}), and what changes the catalog, which is
   *       durable on return.
   * </ul>
   *
   * <p>Neither reads nor writes anything itself, and makes no transaction of {@code writes}. While
   * no thread is in here, other writes pay next to nothing for it.
   *
   * @param durability what the writes survive; an engine for which all are the same may take it so
   * @param writes what to do
   * @param <R> what it returns
   * @return what it returned
   * @throws IllegalStateException if the engine is closed; {@code writes} did not run
   */
  <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes);

  /**
   * As {@link #withDurability(Durability, Supplier)}, for what returns nothing.
   *
   * @param durability what the writes survive
   * @param writes what to do
   */
  default void withDurability(Durability durability, Runnable writes) {
    Objects.requireNonNull(writes, "writes");
    this.<@Nullable Void>withDurability(
        durability,
        () -> {
          writes.run();
          return null;
        });
  }

  /**
   * Returns when every write acknowledged before the call is forced to the disk, whatever its
   * durability.
   */
  void flush();

  /**
   * Removes at once what an engine otherwise removes little by little in the background: records
   * that have expired, so that {@link SpaceView#count} is exact, and what was cleared, dropped,
   * reset or expired as a whole, whose disk it gives back, as it does that of large values that are
   * not there any more; and what spaces hold beyond the disk they may take, see {@link #evictBy}.
   * What is held by an open snapshot stays. Changes nothing else that can be seen, but counts.
   * Others may go on meanwhile; what they add to it may be left. Takes as long as there is much to
   * do: it may read and write a large part of the store. Ends early if the engine is closed.
   *
   * <p>An engine that leaves all this to its servers returns {@link Reclaimed#NOTHING}.
   *
   * @return what was given back, in the background included, while this ran
   * @throws IllegalStateException from inside a transaction
   */
  default Reclaimed reclaim() {
    return Reclaimed.NOTHING;
  }

  /**
   * Lets a layer sweep whenever the engine reclaims: now and then, with rests between the steps,
   * and in each {@link #reclaim}. For layers whose records carry expiries of their own, which the
   * engine does not know.
   *
   * @param sweeps says what there is to sweep. Each of that takes some milliseconds, and is called
   *     again as long as it says that there is more, others between; while it does, one that equals
   *     it is not asked for anew. They run in no transaction and on any thread, and may use the
   *     engine. What one throws ends that one alone; the last such failure is thrown by {@link
   *     #reclaim}, or logged
   */
  default void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    Objects.requireNonNull(sweeps, "sweeps");
  }

  /**
   * Tells what is still to be given back. Reads a few records for each of what is pending.
   *
   * @return the state; of an engine that leaves this to its servers, all zeros
   */
  default ReclaimState reclaimState() {
    return new ReclaimState(0, 0, 0, 0, Reclaimed.NOTHING);
  }

  /**
   * Lets {@code evictor}, instead of the one before, keep spaces within the disk they may take: in
   * the background, and in each {@link #reclaim}. The engine measures, chooses the rows it shows to
   * it, and gives the disk of what it removed back to the file system. An engine that keeps nothing
   * on a disk of its own never calls it.
   *
   * @param evictor what removes records
   */
  default void evictBy(Evictor evictor) {
    Objects.requireNonNull(evictor, "evictor");
  }

  /**
   * Measures the store.
   *
   * @return the bytes it takes on disk, about; 0 where it takes none
   */
  long diskBytes();

  /**
   * Measures a space, without reading its records. What was cleared is not included, though its
   * disk may still have to be given back.
   *
   * @param name its name
   * @return the bytes it takes, about, in files and in memory; empty if there is none of that name,
   *     or the engine cannot tell
   */
  default OptionalLong diskBytes(String name) {
    Objects.requireNonNull(name, "name");
    return OptionalLong.empty();
  }

  /**
   * Tells how many entries a space of the layout {@link Layout#ENTRIES} has, as they were counted
   * last. To ask has them counted from now on: in the background, within a second or two, then once
   * a minute at most if something was written, and so seldom that it takes a hundredth of a
   * processor; and in each {@link #reclaim}. What has expired does not count.
   *
   * @param name its name
   * @return the number; empty as long as they were not counted, if there is no such space, or the
   *     engine cannot tell
   */
  default OptionalLong countedEntries(String name) {
    Objects.requireNonNull(name, "name");
    return OptionalLong.empty();
  }

  /**
   * Tells how much disk the store takes and may take.
   *
   * @return the state; all zeros where nothing is on a disk of its own
   */
  default DiskState diskState() {
    return DiskState.NONE;
  }

  /**
   * Counts cursors and snapshots that were never closed, and were closed by the engine once nobody
   * could reach them any more: each a mistake of who opened it. See {@link LeakDetection} for where
   * that was.
   *
   * @return how many since the engine was opened
   */
  default long leaks() {
    return 0;
  }

  /**
   * Runs and counts the background work of this store; layers above have theirs run by it too.
   *
   * @return the same for every call; by default one that nothing is known of afterwards
   */
  default Upkeep upkeep() {
    return new Upkeep();
  }

  /**
   * Looks whether all that is stored is whole: files and their checksums, the format of each
   * record, what is kept in two places, and, through {@code checks}, what the layers above know of
   * their spaces. Changes nothing, and shows the store as it is at one moment, while others go on
   * to read and write it. Reads all there is, so it takes as long as a scan of it, and keeps on
   * disk until it ends what is overwritten and deleted meanwhile.
   *
   * <p>What is wrong is in the report, and nothing of it is thrown. Where the thread is
   * interrupted, or the options say so, it stops and the report says what was found up to then; the
   * thread stays interrupted.
   *
   * @param options how to go about it
   * @param checks what the layers above know; {@link RecordChecks#NONE} for nothing
   * @return what was found
   * @throws IllegalStateException from inside a transaction; or if the engine is closed meanwhile
   */
  VerifyReport verify(VerifyOptions options, RecordChecks checks);

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
