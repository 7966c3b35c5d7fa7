package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.SortRange;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.concurrent.WaitingLine;
import io.rockpool.internal.format.ScoredSetFormat;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Changes a scored set, and notifies its listeners. */
final class ScoredWrites<E> implements SteadyReads {
  /**
   * Elements that one transaction of a bulk operation changes, fewer if they are large. It bounds
   * the transaction's memory.
   */
  private static final int BATCH_ELEMENTS = 1_024;

  private final EntryCodec<E, Double> codec;
  private final StructureSpace space;
  private final ScoredTransactions transactions;
  private final StructureListeners<EntryListener<? super E, ? super Double>> listeners;
  private final WaitingLine takers = new WaitingLine();
  private final int maxElementBytes;

  /** The change of an element. A null member means absent. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(byte[] element, @Nullable Member before, @Nullable Member after) {
    boolean isOfScore() {
      return !Objects.equals(score(before), score(after));
    }

    boolean isAddition() {
      return before == null && after != null;
    }
  }

  ScoredWrites(EntryCodec<E, Double> codec, byte[] row, boolean ranked) {
    this.codec = codec;
    this.space = codec.space();
    this.maxElementBytes = ScoredSetFormat.maxElementBytes(space.limits());
    this.transactions = new ScoredTransactions(space, row, ranked);
    this.listeners = new StructureListeners<>(space);
    space.wakeBy(takers::callAll);
  }

  /** The threads that wait for an element. */
  WaitingLine takers() {
    return takers;
  }

  StructureListeners<EntryListener<? super E, ? super Double>> listeners() {
    return listeners;
  }

  @Override
  public <R> R read(Function<RankReads, R> reading) {
    return transactions.run(scored -> reading.apply(scored.ranks()));
  }

  @Override
  public void sweep() {
    transactions.sweep();
  }

  private byte[] bytes(E element) {
    byte[] bytes = codec.key(Objects.requireNonNull(element, "element"));
    if (bytes.length > maxElementBytes) {
      throw new LimitExceededException(
          "An element of "
              + bytes.length
              + " bytes is past the limit of "
              + maxElementBytes
              + " bytes for scored sets; make it shorter.",
          "element",
          maxElementBytes,
          bytes.length,
          null);
    }
    return bytes;
  }

  /** Changes an element by {@code decision}, which returns null to keep it. */
  Change change(E element, Function<@Nullable Member, @Nullable Member> decision) {
    byte[] bytes = bytes(element);
    Change change = run(scored -> change(scored, bytes, scored.find(bytes), decision));
    if (change.isAddition()) {
      call(1);
    }
    told(element, change);
    return change;
  }

  /** Runs a transaction that may add elements. */
  private <R> R run(Function<ScoredRow, R> work) {
    try {
      return transactions.run(work);
    } catch (OutcomeUnknownException e) {
      space.afterTransaction(takers::callAll);
      throw e;
    }
  }

  /** Wakes threads that wait for an element, after the commit. */
  private void call(long added) {
    space.afterTransaction(() -> takers.call(added));
  }

  private static Change change(
      ScoredRow scored,
      byte[] bytes,
      @Nullable Member before,
      Function<@Nullable Member, @Nullable Member> decision) {
    Member after = decision.apply(before);
    return new Change(bytes, before, after == null ? before : scored.write(bytes, before, after));
  }

  /** Sets the score of each element. */
  void addScores(Map<? extends E, Double> scores) {
    long expiryMillis = space.defaultExpiryMillis();
    Batch batch = new Batch();
    scores.forEach(
        (element, score) -> {
          double checked = Scores.check(Objects.requireNonNull(score, "score"), "score");
          Member member = new Member(checked, expiryMillis);
          batch.add(bytes(element), before -> member);
        });
    batch.write();
  }

  /** Adds each absent element; returns how many. */
  long addAllAbsent(Collection<? extends E> elements) {
    Member member = new Member(0, space.defaultExpiryMillis());
    Batch batch = new Batch();
    for (E element : elements) {
      batch.add(bytes(element), before -> before == null ? member : null);
    }
    batch.write();
    return batch.changed;
  }

  /** Removes each element; returns how many were present. Objects of another type are skipped. */
  long removeAll(Collection<?> elements) {
    Batch batch = new Batch();
    for (Object element : elements) {
      byte[] bytes = codec.keyOrNull(element);
      if (bytes != null) {
        batch.add(bytes, null);
      }
    }
    batch.write();
    return batch.changed;
  }

  /**
   * Removes the elements that pass a filter, in batches; returns whether there was any. The filter
   * runs without a lock. If it throws, the elements of earlier batches have been removed.
   */
  boolean removeIf(ScoredReads<E> reads, Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    Batch batch = new Batch();
    Iterator<E> walk =
        reads.walk(
            ScoredSetFormat.PLACES,
            Direction.FORWARD,
            ScoredElement::element,
            place -> batch.add(ScoredSetFormat.element(place.sortKey()), null));
    while (walk.hasNext()) {
      if (filter.test(walk.next())) {
        walk.remove();
      }
    }
    batch.write();
    return batch.changed > 0;
  }

  /** What happens to an element: a decision as that of {@link #change}, or null to remove it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Edit(
      byte[] element, @Nullable Function<@Nullable Member, @Nullable Member> decision) {
    Change apply(ScoredRow scored, @Nullable Member before) {
      if (decision != null) {
        return change(scored, element, before, decision);
      }
      scored.remove(element, before);
      return new Change(element, before, null);
    }
  }

  /** The edits of a bulk operation, in one transaction per full batch. */
  private final class Batch {
    private final List<Edit> edits = new ArrayList<>();
    private long bytes;
    private long changed;

    void add(byte[] element, @Nullable Function<@Nullable Member, @Nullable Member> decision) {
      edits.add(new Edit(element, decision));
      bytes += element.length;
      if (edits.size() == BATCH_ELEMENTS || bytes >= Limits.MAX_BATCH_BYTES) {
        write();
      }
    }

    /** Applies the pending edits. */
    void write() {
      if (edits.isEmpty()) {
        return;
      }
      List<Change> made = run(scored -> apply(scored, edits));
      long added = made.stream().filter(Change::isAddition).count();
      if (added > 0) {
        call(added);
      }
      for (Change change : made) {
        if (change.isOfScore()) {
          changed++;
          toldByValue(change);
        }
      }
      edits.clear();
      bytes = 0;
    }
  }

  private static List<Change> apply(ScoredRow scored, List<Edit> edits) {
    List<@Nullable Member> found = scored.findAll(edits.stream().map(Edit::element).toList());
    List<Change> made = new ArrayList<>(edits.size());
    Set<ByteBuffer> changed = new HashSet<>();
    for (int i = 0; i < found.size(); i++) {
      Edit edit = edits.get(i);
      boolean isFirst = changed.add(ByteBuffer.wrap(edit.element));
      made.add(edit.apply(scored, isFirst ? found.get(i) : scored.find(edit.element)));
    }
    return made;
  }

  /** Removes an element; returns whether it was present. */
  boolean remove(Object element) {
    byte[] bytes = codec.keyOrNull(element);
    return bytes != null && removeBytes(bytes);
  }

  boolean removeBytes(byte[] element) {
    Change change = transactions.run(scored -> new Change(element, scored.remove(element), null));
    toldByValue(change);
    return change.before() != null;
  }

  /** Removes and returns the first element in a direction; null if the set is empty. */
  @Nullable ScoredElement<E> poll(Direction direction) {
    List<ScoredElement<E>> polled = poll(direction, 1);
    return polled.isEmpty() ? null : polled.get(0);
  }

  /** Like {@link #poll(Direction)}, but waits for an element; null after the timeout. */
  @Nullable ScoredElement<E> take(Direction direction, Duration timeout)
      throws InterruptedException {
    space.refuseToWaitInTransaction();
    return takers.await(() -> poll(direction), TwoEndedQueue.nanos(timeout), space::nanosToLook);
  }

  /** Removes and returns the first {@code count} elements in a direction. */
  List<ScoredElement<E>> poll(Direction direction, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; it has to be 0 or more.");
    }
    List<ScoredElement<E>> polled = new ArrayList<>();
    removeAll(
        count, polled, (scored, limit) -> scored.page(ScoredSetFormat.PLACES, direction, limit));
    return polled;
  }

  /** Removes the first {@code count} elements of a range of places; returns how many there were. */
  long removeRange(SortRange range, Direction direction, long count) {
    return removeAll(count, null, (scored, limit) -> scored.page(range, direction, limit));
  }

  /** Removes {@code count} elements, starting at a place; returns how many there were. */
  long removeFrom(byte[] place, long count) {
    return removeRange(ScoredSetFormat.PLACES.from(place, true), Direction.FORWARD, count);
  }

  /** Removes {@code count} elements, starting at a rank; returns how many there were. */
  long removeFromRank(long rank, long count) {
    return removeAll(
        count,
        null,
        (scored, limit) -> {
          RankReads ranks = scored.ranks();
          return rank >= ranks.total()
              ? new Row.Page(List.of(), /* isLast= */ true)
              : scored.page(
                  ScoredSetFormat.PLACES.from(ranks.placeAt(rank), true), Direction.FORWARD, limit);
        });
  }

  /** Finds the next places to remove. */
  private interface Finder {
    Row.Page find(ScoredRow scored, int limit);
  }

  /** A removal. The element is decoded before it, if the caller or a listener needs it. */
  private record Removal<E>(Change change, @Nullable E element) {}

  /** The removals of one transaction, and whether there is nothing more to remove. */
  private record Removals<E>(List<Removal<E>> made, boolean areLast) {}

  private long removeAll(long count, @Nullable List<ScoredElement<E>> removed, Finder finder) {
    boolean decode = removed != null || !listeners.isEmpty();
    long left = count;
    boolean ended = false;
    while (left > 0 && !ended) {
      int limit = (int) Math.min(left, BATCH_ELEMENTS);
      Removals<E> removals = transactions.run(scored -> remove(scored, limit, finder, decode));
      left -= removals.made().size();
      for (Removal<E> removal : removals.made()) {
        told(removal, removed);
      }
      ended = removals.areLast();
    }
    return count - left;
  }

  private Removals<E> remove(ScoredRow scored, int limit, Finder finder, boolean decode) {
    Row.Page page = finder.find(scored, limit);
    List<byte[]> elements =
        page.records().stream().map(place -> ScoredSetFormat.element(place.sortKey())).toList();
    List<@Nullable Member> found = scored.findAll(elements);
    List<Removal<E>> removals = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      byte[] bytes = elements.get(i);
      E element = decode ? codec.decodeKey(bytes) : null;
      scored.remove(bytes, found.get(i));
      removals.add(new Removal<>(new Change(bytes, found.get(i), null), element));
    }
    return new Removals<>(removals, page.isLast());
  }

  private void told(Removal<E> removal, @Nullable List<ScoredElement<E>> removed) {
    E element = removal.element();
    Member before = removal.change().before();
    if (element != null && before != null) {
      told(element, removal.change());
      if (removed != null) {
        removed.add(new ScoredElement<>(element, before.score()));
      }
    }
  }

  void clear() {
    space.use().clear();
    listeners.tell(EntryListener::onClear);
  }

  private void told(E element, Change change) {
    if (!listeners.isEmpty() && change.isOfScore()) {
      Double before = score(change.before());
      Double after = score(change.after());
      listeners.tell(listener -> listener.onChange(element, before, after));
    }
  }

  /** Notifies listeners of a change whose element is not decoded yet. */
  private void toldByValue(Change change) {
    if (!listeners.isEmpty() && change.isOfScore()) {
      told(codec.decodeKey(change.element()), change);
    }
  }

  private static @Nullable Double score(@Nullable Member member) {
    return member == null ? null : member.score();
  }
}
