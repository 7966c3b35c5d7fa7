package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Lease;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A row in one run of a transaction: what is stored, with the run's changes on top, which are in
 * memory until the commit. It holds no lock and no connection. Not thread-safe.
 */
final class PostgresRow implements Row {
  private final byte[] hashKey;
  private final String space;
  private final Layout layout;
  private final RowSource source;
  private final long nowMillis;
  private final @Nullable TransactionNotes notes;
  private final NavigableMap<byte[], RowChange> changes = new TreeMap<>(Arrays::compareUnsigned);

  /** Records that were read and not changed; an empty list for an absent one. */
  private final Map<byte[], List<KeptRecord>> known = new TreeMap<>(Arrays::compareUnsigned);

  private boolean ended;

  /** A single row, or with {@code notes} one of several rows in a transaction. */
  PostgresRow(
      byte[] hashKey,
      String space,
      Layout layout,
      RowSource source,
      long nowMillis,
      @Nullable TransactionNotes notes) {
    this.hashKey = hashKey;
    this.space = space;
    this.layout = layout;
    this.source = source;
    this.nowMillis = nowMillis;
    this.notes = notes;
  }

  byte[] hashKey() {
    return hashKey;
  }

  RowSource source() {
    return source;
  }

  /** The changes so far, sorted, one for each record. */
  Collection<RowChange> changes() {
    return changes.values();
  }

  boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** How many bytes the changes have. */
  long changedBytes() {
    long bytes = 0;
    for (RowChange change : changes.values()) {
      byte[] value = change.value();
      bytes += hashKey.length + change.sortKey().length + (value == null ? 0 : value.length);
    }
    return bytes;
  }

  /** Ends the run: the row rejects later use. */
  void end() {
    ended = true;
  }

  @Override
  public long nowMillis() {
    checkRunning();
    return nowMillis;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    check(sortKey);
    return getAll(List.of(sortKey)).get(0);
  }

  @Override
  public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    sortKeys.forEach(this::check);
    List<byte[]> unknown =
        sortKeys.stream()
            .filter(sortKey -> !changes.containsKey(sortKey) && !known.containsKey(sortKey))
            .map(byte[]::clone)
            .toList();
    if (!unknown.isEmpty()) {
      List<KeptRecord> found = source.getAll(unknown);
      unknown.forEach(sortKey -> known.put(sortKey, List.of()));
      found.forEach(record -> known.put(record.sortKey(), List.of(record)));
    }
    List<@Nullable RowRecord> records = new ArrayList<>(sortKeys.size());
    sortKeys.forEach(sortKey -> records.add(visible(sortKey)));
    return records;
  }

  private @Nullable RowRecord visible(byte[] sortKey) {
    RowChange change = changes.get(sortKey);
    if (change != null) {
      return isLive(change) ? recordOf(change) : null;
    }
    List<KeptRecord> stored = Objects.requireNonNull(known.get(sortKey));
    return stored.isEmpty() ? null : stored.get(0).at(hashKey);
  }

  private boolean isLive(RowChange change) {
    return change.value() != null && change.expiryMillis() > nowMillis;
  }

  private RowRecord recordOf(RowChange change) {
    return new RowRecord(
        hashKey.clone(),
        change.sortKey().clone(),
        Objects.requireNonNull(change.value()).clone(),
        change.expiryMillis());
  }

  @Override
  public boolean holds(Lease lease) {
    check(Space.NO_SORT_KEY);
    source.pin();
    return changes.isEmpty()
        && lease instanceof EntryLease entry
        && entry.generation() == source.generation()
        && Long.valueOf(entry.version()).equals(source.revision());
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    checkRunning();
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    if (limit == 0 || range.isEmpty()) {
      source.pin();
      return List.of();
    }
    List<RowChange> own = changesWithin(range);
    // Each change hides at most one stored record.
    List<KeptRecord> stored = source.scan(range, direction, (long) limit + own.size());
    List<RowRecord> found = merged(stored, own, direction);
    return found.size() <= limit ? found : new ArrayList<>(found.subList(0, limit));
  }

  @Override
  public Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    checkRunning();
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    if (limit == 0 || range.isEmpty()) {
      source.pin();
      return new Page(List.of(), range.isEmpty());
    }
    SortRange left = range;
    while (true) {
      List<RowChange> own = changesWithin(left);
      long wanted = (long) limit + own.size();
      List<KeptRecord> stored = source.page(left, direction, wanted, maxBytes);
      long bytes = stored.stream().mapToLong(record -> record.value().length).sum();
      boolean isLast = stored.size() < wanted && bytes < maxBytes;
      if (!isLast) {
        byte[] last = stored.get(stored.size() - 1).sortKey();
        boolean forward = direction == Direction.FORWARD;
        own = changesWithin(forward ? left.to(last, true) : left.from(last, true));
        left = forward ? left.from(last, false) : left.to(last, false);
      }
      List<RowRecord> found = merged(stored, own, direction);
      if (found.size() > limit) {
        return new Page(new ArrayList<>(found.subList(0, limit)), /* isLast= */ false);
      }
      if (isLast || !found.isEmpty()) {
        return new Page(found, isLast);
      }
    }
  }

  private List<RowChange> changesWithin(SortRange range) {
    return changes.values().stream().filter(change -> range.contains(change.sortKey())).toList();
  }

  private List<RowRecord> merged(
      List<KeptRecord> stored, List<RowChange> own, Direction direction) {
    List<RowRecord> found = new ArrayList<>();
    for (KeptRecord record : stored) {
      if (!changes.containsKey(record.sortKey())) {
        found.add(record.at(hashKey));
      }
    }
    if (!own.isEmpty()) {
      own.stream().filter(this::isLive).map(this::recordOf).forEach(found::add);
      Comparator<RowRecord> order =
          Comparator.comparing(RowRecord::sortKey, Arrays::compareUnsigned);
      found.sort(direction == Direction.FORWARD ? order : order.reversed());
    }
    return found;
  }

  @Override
  public long count() {
    checkRunning();
    Arguments.checkCounts(space, layout);
    long stored = source.count();
    return changes.isEmpty()
        ? stored
        : stored
            - source.countedAmong(changes.keySet())
            + changes.values().stream().filter(RowChange::isCounted).count();
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    put(sortKey, value, expiryMillis, false);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    Arguments.checkCounts(space, layout);
    put(sortKey, value, expiryMillis, true);
  }

  private void put(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    check(sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
    PostgresLimits.checkValue(value);
    change(new RowChange(sortKey.clone(), value.clone(), Expiry.normalize(expiryMillis), counted));
  }

  @Override
  public void delete(byte[] sortKey) {
    check(sortKey);
    change(new RowChange(sortKey.clone(), null, Expiry.NEVER, false));
  }

  private void change(RowChange change) {
    RowChange before = changes.put(change.sortKey(), change);
    // It may be large. If the change is undone, the source finds the same record or a conflict.
    known.remove(change.sortKey());
    if (notes != null) {
      notes.changed(
          () -> {
            if (before == null) {
              changes.remove(change.sortKey());
            } else {
              changes.put(change.sortKey(), before);
            }
          });
    }
  }

  private void check(byte[] sortKey) {
    checkRunning();
    Arguments.checkSortKey(sortKey, layout);
    PostgresLimits.checkSortKey(sortKey);
  }

  private void checkRunning() {
    if (ended) {
      throw new IllegalStateException(
          "A row was used after the run of its transaction had ended; use it inside the transaction"
              + " only.");
    }
  }
}
