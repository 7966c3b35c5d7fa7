package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes that are made only if the record has not changed since the decision. */
final class ConditionalWrites<K, V> {
  private final SharedSpace shared;
  private final Engine engine;
  private final Space space;
  private final CacheEntryFormat<K, V> format;
  private final EntryEncoder<K, V> writing;
  private final StripedWrites writes;
  private final EntryReader<K, V> reader;
  private final @Nullable EntryRecords<K> records;
  private final CacheCounters counters;
  private final Supplier<@Nullable PendingStage<V>> pending;

  /**
   * Writes to one cache.
   *
   * @param records null if no key can have a record of its own
   * @param pending makes changes pending; returns null while there was no writer
   */
  ConditionalWrites(
      SharedSpace shared,
      Engine engine,
      Space space,
      CacheEntryFormat<K, V> format,
      EntryEncoder<K, V> writing,
      StripedWrites writes,
      EntryReader<K, V> reader,
      @Nullable EntryRecords<K> records,
      CacheCounters counters,
      Supplier<@Nullable PendingStage<V>> pending) {
    this.shared = shared;
    this.engine = engine;
    this.space = space;
    this.format = format;
    this.writing = writing;
    this.writes = writes;
    this.reader = reader;
    this.records = records;
    this.counters = counters;
    this.pending = pending;
  }

  /**
   * Makes a change, if its conditions hold. Returns the change that was made, or null: a removal if
   * the value was skipped because it cannot be encoded.
   */
  @Nullable Change<V> commit(PlannedWrite<V> plan) {
    admit(plan);
    EncodedEntry written = write(plan);
    long begun = writes.begin(plan.key());
    boolean done = false;
    try {
      done = replace(plan, written);
    } finally {
      writes.end(plan.key(), begun, done && written != null ? written.entry() : null);
    }
    return done ? made(plan, written) : null;
  }

  /**
   * Makes those changes whose conditions hold: together if the engine has transactions over many
   * rows, otherwise one after the other. Returns for each what {@link #commit} does.
   */
  List<@Nullable Change<V>> commitAll(List<PlannedWrite<V>> plans) {
    List<@Nullable Change<V>> made = new ArrayList<>(plans.size());
    if (plans.stream().anyMatch(this::isLeased)) {
      return commitSome(plans);
    }
    boolean together = engine.capabilities().contains(Capability.MULTI_ROW_TRANSACTIONS);
    while (made.size() < plans.size()) {
      if (together && made.size() + 1 < plans.size()) {
        commitBatch(plans, made);
      } else {
        made.add(commit(plans.get(made.size())));
      }
    }
    return made;
  }

  /** As {@link #commitAll}, where some of the changes need leases. */
  private List<@Nullable Change<V>> commitSome(List<PlannedWrite<V>> plans) {
    Iterator<@Nullable Change<V>> leased =
        commitLeased(plans.stream().filter(this::isLeased).toList()).iterator();
    Iterator<@Nullable Change<V>> others =
        commitAll(plans.stream().filter(plan -> !isLeased(plan)).toList()).iterator();
    List<@Nullable Change<V>> made = new ArrayList<>(plans.size());
    plans.forEach(plan -> made.add((isLeased(plan) ? leased : others).next()));
    return made;
  }

  /** Whether a change needs a lease; a transaction checks instead what it has read. */
  private boolean isLeased(PlannedWrite<V> plan) {
    return plan.lease() != null && !engine.inTransaction();
  }

  /**
   * Makes the next changes in one transaction, as many as fit in a batch of {@link
   * Limits#MAX_BATCH_BYTES}, and adds them to {@code made}.
   */
  private void commitBatch(List<PlannedWrite<V>> plans, List<@Nullable Change<V>> made) {
    int from = made.size();
    List<@Nullable EncodedEntry> written = new ArrayList<>();
    long bytes = 0;
    while (from + written.size() < plans.size() && bytes < Limits.MAX_BATCH_BYTES) {
      admit(plans.get(from + written.size()));
      EncodedEntry next = write(plans.get(from + written.size()));
      bytes += next == null ? 0 : next.value().length;
      written.add(next);
    }
    List<PlannedWrite<V>> batch = plans.subList(from, from + written.size());
    List<EntryKey> keys = batch.stream().map(PlannedWrite::key).toList();
    boolean[] done = new boolean[batch.size()];
    long[] begun = writes.beginAll(keys);
    boolean committed = false;
    try {
      committed =
          engine.atomically(
              () -> {
                for (int i = 0; i < begun.length; i++) {
                  done[i] = replace(batch.get(i), written.get(i));
                }
                return true;
              });
    } finally {
      boolean changed = committed;
      writes.endAll(
          keys,
          begun,
          i -> {
            EncodedEntry left = changed && done[i] ? written.get(i) : null;
            return left == null ? null : left.entry();
          });
    }
    for (int i = 0; i < begun.length; i++) {
      made.add(done[i] ? made(batch.get(i), written.get(i)) : null);
    }
  }

  /**
   * Makes changes of different keys whose leases have not ended, in batches of up to {@link
   * Limits#MAX_BATCH_BYTES}. Returns for each what {@link #commit} does.
   */
  List<@Nullable Change<V>> commitLeased(List<PlannedWrite<V>> plans) {
    List<@Nullable Change<V>> made = new ArrayList<>(plans.size());
    while (made.size() < plans.size()) {
      int from = made.size();
      List<@Nullable EncodedEntry> written = new ArrayList<>();
      long bytes = 0;
      while (from + written.size() < plans.size() && bytes < Limits.MAX_BATCH_BYTES) {
        EncodedEntry next = write(plans.get(from + written.size()));
        bytes += next == null ? 0 : next.value().length;
        written.add(next);
      }
      made.addAll(commitLeased(plans.subList(from, from + written.size()), written));
    }
    return made;
  }

  private List<@Nullable Change<V>> commitLeased(
      List<PlannedWrite<V>> plans, List<@Nullable EncodedEntry> written) {
    List<EntryKey> keys = plans.stream().map(PlannedWrite::key).toList();
    List<@Nullable Change<V>> made = new ArrayList<>(Collections.nCopies(plans.size(), null));
    long[] begun = writes.beginAll(keys);
    try {
      List<Integer> wanted = new ArrayList<>();
      List<LeasedWrite> leased = new ArrayList<>();
      for (int i = 0; i < begun.length; i++) {
        PlannedWrite<V> plan = plans.get(i);
        if (isWanted(plan) && supersedes(plan)) {
          wanted.add(i);
          leased.add(plan.leased(written.get(i)));
        }
      }
      List<Boolean> done =
          space.writeLeased(wanted.stream().map(i -> keys.get(i).bytes()).toList(), leased);
      for (int i = 0; i < done.size(); i++) {
        int at = wanted.get(i);
        PlannedWrite<V> plan = plans.get(at);
        made.set(at, isMade(plan, done.get(i)) ? made(plan, written.get(at)) : null);
      }
    } finally {
      writes.endAll(
          keys,
          begun,
          i -> {
            EncodedEntry left = made.get(i) == null ? null : written.get(i);
            return left == null ? null : left.entry();
          });
    }
    return made;
  }

  private @Nullable EncodedEntry write(PlannedWrite<V> plan) {
    Change<V> change = plan.change();
    if (change.kind() == Change.Kind.REMOVE || change.kind() == Change.Kind.KEEP) {
      return null;
    }
    V value = Objects.requireNonNull(change.value());
    if (change.kind() != Change.Kind.WRITE) {
      return format.rewrite(
          plan.key(), Objects.requireNonNull(plan.expected()), value, change.deadlineMillis());
    }
    EncodedEntry written = writing.write(plan.key(), value, change.deadlineMillis(), change.tags());
    if (written == null) { // This becomes a removal, which supersedes loads.
      shared.loads.supersede(plan.key());
    }
    return written;
  }

  private void admit(PlannedWrite<V> plan) {
    PendingStage<V> stage = pending.get();
    if (stage != null) {
      stage.admit(plan);
    }
  }

  private boolean replace(PlannedWrite<V> plan, @Nullable EncodedEntry written) {
    PendingStage<V> stage = pending.get();
    return stage == null
        ? replaceRecord(plan, written)
        : stage.write(plan, written, () -> replaceRecord(plan, written));
  }

  private boolean replaceRecord(PlannedWrite<V> plan, @Nullable EncodedEntry written) {
    Lease lease = plan.lease();
    if (lease != null && isLeased(plan)) {
      // The write of a thread that supersedes it from now on ends the lease, or comes later.
      return isWanted(plan)
          && supersedes(plan)
          && isMade(plan, space.transact(plan.key().bytes(), plan.leased(written)));
    }
    if (isDecidedByEngine(plan, written)) {
      RecordWrite write = EncodedEntry.write(written).ifSame(plan.expected());
      return isWanted(plan)
          && !hasEnded(plan, null)
          && supersedes(plan)
          && write.isMadeOver(space.transact(plan.key().bytes(), write));
    }
    RowTransaction<Boolean> transaction =
        row ->
            isWanted(plan)
                && !hasEnded(plan, row)
                && replace(row, plan.expected(), written)
                && supersedes(plan);
    return records == null
        ? space.transact(plan.key().bytes(), transaction)
        : records.transact(plan.key(), written, transaction);
  }

  /**
   * Whether an engine on a server gets the write as one that it can decide by itself. A load
   * without a lease is tested beside the row instead, and so is a removal of nothing.
   */
  private boolean isDecidedByEngine(PlannedWrite<V> plan, @Nullable EncodedEntry written) {
    return shared.changesElsewhere
        && plan.change().load() == null
        && (written != null || plan.expected() != null)
        && !engine.inTransaction()
        && format.directoryOf(plan.key()) == null;
  }

  /** Whether a leased write was made; if not, another handle has superseded the load. */
  private static boolean isMade(PlannedWrite<?> plan, boolean made) {
    Loads.Load load = plan.change().load();
    if (!made && load != null) {
      load.supersede();
    }
    return made;
  }

  private boolean isWanted(PlannedWrite<V> plan) {
    return plan.condition().getAsBoolean() && !plan.change().isSuperseded(isLeased(plan));
  }

  /**
   * Whether the entry has expired since the change was decided on it, though its record has not.
   *
   * @param row tells the moment of the write; null if the engine decides by itself
   */
  private boolean hasEnded(PlannedWrite<V> plan, @Nullable Row row) {
    RowRecord expected = plan.expected();
    return plan.live()
        && expected != null
        && reader.isPastBeforeRecord(
            plan.key(), expected, row == null ? engine.clock()::millis : row::nowMillis);
  }

  /** Called under the row's lock, so that no older load stores its value later. Returns true. */
  private boolean supersedes(PlannedWrite<V> plan) {
    if (plan.change().kind() == Change.Kind.WRITE) {
      shared.loads.supersede(plan.key(), plan.change().load());
    }
    return true;
  }

  /** The change that was made; counted if it is a put. */
  private Change<V> made(PlannedWrite<V> plan, @Nullable EncodedEntry written) {
    if (plan.change().kind() != Change.Kind.WRITE) {
      return plan.change();
    }
    if (written == null) {
      return Change.remove();
    }
    counters.puts.increment();
    return plan.change();
  }

  private static boolean replace(
      Row row, @Nullable RowRecord expected, @Nullable EncodedEntry written) {
    if (!row.isUnchanged(Space.NO_SORT_KEY, expected)) {
      return false;
    }
    if (written == null) {
      row.delete(Space.NO_SORT_KEY);
    } else {
      row.put(Space.NO_SORT_KEY, written.value(), written.expiryMillis());
    }
    return true;
  }
}
