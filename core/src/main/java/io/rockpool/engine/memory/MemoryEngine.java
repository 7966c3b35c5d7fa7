package io.rockpool.engine.memory;

import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.ChangeReports;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.internal.engine.Patience;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.engine.Verification;
import io.rockpool.store.Durability;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.Registration;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine on the heap: for tests, and as the reference model for other engines. It is written to
 * be obviously correct rather than fast, and nothing survives the process. Thread-safe; no call
 * waits for another except {@link #close}.
 *
 * <p>A transaction runs without a lock on a snapshot of its row, and commits if everything it read
 * is unchanged. Otherwise it runs again. A transaction over several rows starts with a snapshot of
 * all spaces. The engine is stricter than others may be: it rejects with an {@link
 * IllegalStateException} a blind put or delete over a counted record, and a call of the engine
 * inside a row transaction or a record reader. Expired records stay in memory, invisible, until a
 * write replaces them or {@link #reclaim} runs.
 *
 * <p>{@link Builder#adversary} makes it do on purpose what a remote engine does occasionally. Code
 * that passes its tests with an adversary depends on the contract only.
 */
public final class MemoryEngine implements Engine, EngineUpkeep {
  private static final Set<Capability> OF_ONE_HANDLE =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.SHARED)));

  private final InstantSource clock;
  private final Adversary adversary;
  private final MemoryCatalog catalog;
  private final boolean shared;
  private final Upkeep upkeep = new Upkeep();
  private final AtomicReference<Reclaimed> reclaimed = new AtomicReference<>(Reclaimed.NOTHING);
  private final LayerSweeps sweeps = new LayerSweeps();
  private final RunningCalls<MemoryTransaction> calls = new RunningCalls<>("The memory engine");
  private final ChangeReports feed = new ChangeReports("rockpool-memory-changes", upkeep);

  private MemoryEngine(
      InstantSource clock, Adversary adversary, MemoryCatalog catalog, boolean shared) {
    this.shared = shared;
    this.clock = clock;
    this.adversary = adversary;
    this.catalog = catalog;
    catalog.feeds().add(feed);
  }

  /**
   * Opens an engine with the system's clock and without an adversary.
   *
   * @return the engine, empty
   */
  public static MemoryEngine open() {
    return builder().build();
  }

  /** {@return a builder of a new, empty engine} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Closes this engine if it is open, and opens its data again, like closing and opening a store on
   * disk.
   *
   * @return the new engine, with the same clock and adversary
   */
  public MemoryEngine reopen() {
    close();
    return new MemoryEngine(clock, adversary, catalog, shared);
  }

  /**
   * Opens another handle of the same data, as another process on a server would. Each handle is
   * closed by itself, and reports the changes of the others, see {@link #onChange}.
   *
   * @return the new engine, with the same clock and adversary
   * @throws UnsupportedOperationException unless the engine is {@link Builder#shared}
   */
  public MemoryEngine openAnother() {
    require(Capability.SHARED);
    return new MemoryEngine(clock, adversary, catalog, true);
  }

  /** {@inheritDoc} A thread of this handle reports them; it starts with the first report. */
  @Override
  public Registration onChange(ChangeListener listener) {
    Objects.requireNonNull(listener, "listener");
    calls.checkOpen();
    return feed.add(listener);
  }

  /**
   * Waits until the listeners of this handle have received everything that other handles changed
   * before this call. For tests. Not for a listener, which would wait for itself.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public void awaitReports() throws InterruptedException {
    feed.await();
  }

  /** Reports a change of this handle to the others. */
  void report(Consumer<ChangeListener> change) {
    for (ChangeReports other : catalog.feeds()) {
      if (other != feed) {
        other.report(change);
      }
    }
  }

  @Override
  public String description() {
    return "The memory engine";
  }

  @Override
  public Set<Capability> capabilities() {
    return shared ? EnumSet.allOf(Capability.class) : OF_ONE_HANDLE;
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public Space create(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    calls.refuseInTransaction("Creating a space");
    return call(() -> handle(catalog.create(spec, clock.millis())));
  }

  @Override
  public @Nullable Space open(String name) {
    Objects.requireNonNull(name, "name");
    calls.refuseInTransaction("Opening a space");
    return this.<@Nullable Space>call(() -> handleOrNull(catalog.open(name, clock.millis())));
  }

  @Override
  public @Nullable Space openForUpkeep(String name) {
    Objects.requireNonNull(name, "name");
    calls.refuseInTransaction("Opening a space");
    return this.<@Nullable Space>call(() -> handleOrNull(catalog.find(name)));
  }

  @Override
  public Space reset(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    calls.refuseInTransaction("A reset");
    return call(() -> wasReset(catalog.reset(spec, clock.millis())));
  }

  private Space wasReset(SpaceData fresh) {
    report(listener -> listener.spaceEnded(fresh.name()));
    return handle(fresh);
  }

  @Override
  public @Nullable Space reset(SpaceSpec spec, Map<String, String> attributes) {
    calls.refuseInTransaction("A reset");
    return this.<@Nullable Space>call(
        () -> {
          SpaceData fresh = catalog.reset(spec, attributes, clock.millis());
          return fresh == null ? null : wasReset(fresh);
        });
  }

  @Override
  public @Nullable SpaceInfo describe(String name) {
    Objects.requireNonNull(name, "name");
    return this.<@Nullable SpaceInfo>call(() -> catalog.describe(name));
  }

  @Override
  public List<SpaceInfo> list(String level) {
    SpaceName.checkLevel(level);
    return call(() -> catalog.list(level));
  }

  @Override
  public void setAttributes(String name, Map<String, String> attributes) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(attributes, "attributes");
    Map<String, String> copy = Map.copyOf(attributes);
    calls.refuseInTransaction("Setting attributes");
    this.<@Nullable Void>call(
        () -> {
          catalog.setAttributes(name, copy);
          return null;
        });
  }

  @Override
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    calls.refuseInTransaction("A drop");
    return call(
        () -> {
          boolean dropped = catalog.drop(name);
          if (dropped) {
            report(listener -> listener.spaceEnded(name));
          }
          return dropped;
        });
  }

  @Override
  public int dropAll(String level) {
    SpaceName.checkLevel(level);
    calls.refuseInTransaction("A drop");
    return call(
        () -> {
          List<SpaceInfo> dropped = catalog.dropAll(level);
          dropped.forEach(space -> report(listener -> listener.spaceEnded(space.name())));
          return dropped.size();
        });
  }

  @Override
  public boolean rename(String from, String to, boolean replace) {
    Arguments.checkRename(from, to);
    calls.refuseInTransaction("A renaming");
    return call(
        () -> {
          boolean renamed = catalog.rename(from, to, replace);
          if (renamed) {
            report(listener -> listener.spaceEnded(from));
            report(listener -> listener.spaceEnded(to));
          }
          return renamed;
        });
  }

  @Override
  public <R extends @Nullable Object> R atomically(Supplier<R> work) {
    Objects.requireNonNull(work, "work");
    MemoryTransaction outer = calls.transaction();
    if (outer != null) {
      calls.checkNotInCall();
      return outer.notes().part(work);
    }
    TransactionNotes notes = new TransactionNotes();
    while (true) {
      boolean discarded = adversary.discards();
      boolean committed = false;
      MemoryTransaction transaction =
          calls.beginTransaction(
              notes, () -> new MemoryTransaction(catalog, clock.millis(), notes));
      try {
        R result = work.get();
        committed = !discarded && commit(transaction);
        if (committed) {
          return result;
        }
      } catch (RuntimeException | Error e) {
        if (!discarded) {
          throw e;
        }
      } finally {
        calls.endTransaction();
        notes.end(committed);
      }
    }
  }

  @Override
  public BoundTransaction beginTransaction(BoundRules rules) {
    Objects.requireNonNull(rules, "rules");
    calls.refuseInTransaction("Beginning a transaction");
    TransactionNotes notes = new TransactionNotes();
    return new BoundMemoryTransaction(
        calls,
        calls.beginTransaction(notes, () -> new MemoryTransaction(catalog, clock.millis(), notes)),
        rules,
        run -> Patience.tryFor(run.notes()::lockToCommit) && commit(run));
  }

  private boolean commit(MemoryTransaction transaction) {
    return !adversary.conflicts()
        && transaction.notes().lockToCommit()
        && adversary.write("A transaction", () -> transaction.commit(this::report));
  }

  @Override
  public boolean inTransaction() {
    return calls.transaction() != null;
  }

  @Override
  public void afterCommit(Runnable action) {
    note(action, TransactionNotes::afterCommit);
  }

  @Override
  public void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    note(action, (notes, message) -> notes.tellAfterCommit(message, lock));
  }

  @Override
  public void afterTransaction(Runnable action) {
    note(action, TransactionNotes::afterTransaction);
  }

  private void note(Runnable action, BiConsumer<TransactionNotes, Runnable> how) {
    Objects.requireNonNull(action, "action");
    MemoryTransaction transaction = calls.transaction();
    if (transaction == null) {
      action.run();
    } else {
      how.accept(transaction.notes(), action);
    }
  }

  /** Only runs {@code writes}: durability has no effect in memory. */
  @Override
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(writes, "writes");
    calls.checkOpen();
    Arguments.refuseDurabilityInTransaction(this);
    return writes.get();
  }

  /** Does nothing: there is no disk. */
  @Override
  public void flush() {
    this.<@Nullable Void>call(() -> null);
  }

  /** {@inheritDoc} The garbage collector frees what was cleared or dropped. */
  @Override
  public Reclaimed reclaim() {
    calls.refuseInTransaction("Reclaiming");
    calls.checkOpen();
    Reclaimed removed = call(() -> new Reclaimed(0, 0, catalog.sweep()));
    reclaimed.accumulateAndGet(removed, Reclaimed::plus);
    sweeps.run();
    return removed;
  }

  @Override
  public Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    this.sweeps.add(sweeps);
  }

  /** {@inheritDoc} The pending work is unknown and reported as 0. */
  @Override
  public ReclaimState reclaimState() {
    return call(() -> new ReclaimState(0, 0, 0, 0, Objects.requireNonNull(reclaimed.get())));
  }

  @Override
  public long diskBytes() {
    return call(() -> 0L);
  }

  /** Only shows all records to the checks: there are no files, and counts are computed. */
  @Override
  public VerifyReport verify(VerifyOptions options, RecordChecks checks) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(checks, "checks");
    calls.refuseInTransaction("A verification");
    Verification run = new Verification(options);
    Map<SpaceData, SortedTree<RowState>> spaces = call(catalog::snapshot);
    spaces.forEach((data, rows) -> verify(data, rows, run, checks));
    return run.report(description());
  }

  private void verify(
      SpaceData data, SortedTree<RowState> rows, Verification run, RecordChecks checks) {
    SpaceInfo info = data.info();
    run.space();
    if (!run.begin(info.name(), 0)) {
      return;
    }
    RecordChecks.RecordCheck check =
        run.begin(checks, info, new MemorySnapshot(this, data, adversary, rows));
    for (var row : rows) {
      if (run.isStopped()) {
        return;
      }
      byte[] hashKey = row.key;
      row.value.forEach(
          (sortKey, record) -> {
            run.record();
            if (check != null) {
              run.check(info.name(), check, record.at(hashKey, sortKey), record.isCounted());
            }
          });
    }
    if (check != null && !run.isStopped()) {
      run.end(info.name(), check);
    }
  }

  @Override
  public void close() {
    calls.close();
    catalog.feeds().remove(feed);
    feed.close();
  }

  RunningCalls<MemoryTransaction> calls() {
    return calls;
  }

  private Space handle(SpaceData data) {
    return new MemorySpace(this, data, adversary);
  }

  private @Nullable Space handleOrNull(@Nullable SpaceData data) {
    return data == null ? null : handle(data);
  }

  private <R extends @Nullable Object> R call(Supplier<R> operation) {
    return calls.call(operation);
  }

  /** Builds a {@link MemoryEngine}. Not thread-safe. */
  public static final class Builder {
    private InstantSource clock = InstantSource.system();
    private @Nullable Long adversarySeed;
    private double unknownOutcomes;
    private boolean shared;

    private Builder() {}

    /** Sets the clock for expiry; the system's unless set. */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Makes the engine as difficult as the contract allows. Each transaction runs twice on the same
     * row, and one run is discarded. If the two differ, the engine throws an {@link
     * IllegalStateException}, because a transaction must depend only on what it reads. Many
     * transactions run on a stale row first, or again after an invented conflict, also those over
     * several rows. Scans show concurrent changes. A value's buffer is overwritten as soon as its
     * reader has returned.
     *
     * @param seed the random seed; in a test with one thread, the same seed gives the same choices
     */
    public Builder adversary(long seed) {
      this.adversarySeed = seed;
      return this;
    }

    /**
     * Makes some writes end with an {@link io.rockpool.error.OutcomeUnknownException}, with about
     * half of them applied. A bulk write then stops after a part of its writes.
     *
     * @param probability the probability for each single write, from 0 to 1
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder unknownOutcomes(double probability) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException(
            "A probability of " + probability + " for unknown outcomes; use one from 0 to 1.");
      }
      this.unknownOutcomes = probability;
      return this;
    }

    /** Gives the engine the capability {@link Capability#SHARED}, see {@link #openAnother}. */
    public Builder shared() {
      this.shared = true;
      return this;
    }

    /** {@return a new, empty engine} */
    public MemoryEngine build() {
      return new MemoryEngine(
          clock, new Adversary(adversarySeed, unknownOutcomes), new MemoryCatalog(clock), shared);
    }
  }
}
