package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes a scored set, and tells who listens. */
final class ScoredWrites<E> implements SteadyReads {
  /** How many elements one transaction of a bulk operation changes; bounds what it holds. */
  private static final int BATCH_ELEMENTS = 1_024;

  private final EntryCodec<E, Double> codec;
  private final StructureSpace space;
  private final byte[] row;
  private final boolean ranked;
  private final Listeners<EntryListener<? super E, ? super Double>> listeners;

  /** What became of an element: its score and expiry, or null for none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(byte[] element, @Nullable Member before, @Nullable Member after) {
    boolean isOfScore() {
      return !Objects.equals(score(before), score(after));
    }
  }

  ScoredWrites(EntryCodec<E, Double> codec, byte[] row, boolean ranked) {
    this.codec = codec;
    this.space = codec.space();
    this.row = row;
    this.ranked = ranked;
    this.listeners = new Listeners<>(space);
  }

  Listeners<EntryListener<? super E, ? super Double>> listeners() {
    return listeners;
  }

  @Override
  public <R> R read(Function<RankReads, R> reading) {
    return transact(scored -> reading.apply(scored.ranks()));
  }

  @Override
  public void sweep() {
    Long earliestMillis =
        space
            .use()
            .get(
                row,
                ScoredSetFormat.earliestKey(),
                (bytes, offset, length, expiry) -> ScoredSetFormat.time(bytes, offset, length));
    if (earliestMillis != null && earliestMillis <= space.clock().millis()) {
      transact(scored -> true);
    }
  }

  /**
   * Does something in the row, out of which all has been swept that expires by now. Where that is
   * much, it takes several transactions, of which the last does what was asked for.
   */
  private <R> R transact(Function<ScoredRow, R> work) {
    long nowMillis = space.clock().millis();
    while (true) {
      Optional<R> done = attempt(nowMillis, work);
      if (done.isPresent()) {
        return done.get();
      }
    }
  }

  /** Sweeps, and works if nothing is left to sweep. */
  private <R> Optional<R> attempt(long nowMillis, Function<ScoredRow, R> work) {
    try {
      return space
          .use()
          .transact(
              row,
              transaction -> {
                ScoredRow scored = new ScoredRow(transaction, nowMillis, ranked);
                Optional<R> done =
                    scored.sweep() ? Optional.of(work.apply(scored)) : Optional.empty();
                scored.finish();
                return done;
              });
    } catch (CorruptStoreException e) {
      throw new CorruptStoreException(space + " is damaged: " + e.getMessage(), e);
    }
  }

  /** The bytes of an element. */
  private byte[] bytes(E element) {
    byte[] bytes = codec.key(Objects.requireNonNull(element, "element"));
    if (bytes.length > ScoredSetFormat.MAX_ELEMENT_BYTES) {
      throw new LimitExceededException(
          "An element of "
              + bytes.length
              + " bytes is past the limit of "
              + ScoredSetFormat.MAX_ELEMENT_BYTES
              + " bytes for scored sets; make it shorter.");
    }
    return bytes;
  }

  /** Changes an element as {@code decision} says, which returns null to leave it as it is. */
  Change change(E element, Function<@Nullable Member, @Nullable Member> decision) {
    byte[] bytes = bytes(element);
    Change change = transact(scored -> change(scored, bytes, decision));
    told(element, change);
    return change;
  }

  private static Change change(
      ScoredRow scored, byte[] bytes, Function<@Nullable Member, @Nullable Member> decision) {
    Member before = scored.find(bytes);
    Member after = decision.apply(before);
    return new Change(bytes, before, after == null ? before : scored.write(bytes, before, after));
  }

  /** Adds all, a transaction for each {@link #BATCH_ELEMENTS}. */
  void addAll(Map<? extends E, Double> scores) {
    long expiryMillis = space.defaultExpiryMillis();
    List<E> elements = new ArrayList<>();
    List<byte[]> encoded = new ArrayList<>();
    List<Member> members = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<? extends E, Double> entry : scores.entrySet()) {
      double score = Scores.check(Objects.requireNonNull(entry.getValue(), "score"), "score");
      elements.add(entry.getKey());
      encoded.add(bytes(entry.getKey()));
      members.add(new Member(score, expiryMillis));
      bytes += encoded.get(encoded.size() - 1).length;
      if (elements.size() == BATCH_ELEMENTS || bytes >= Limits.MAX_BATCH_BYTES) {
        addBatch(elements, encoded, members);
        elements.clear();
        encoded.clear();
        members.clear();
        bytes = 0;
      }
    }
    addBatch(elements, encoded, members);
  }

  private void addBatch(List<E> elements, List<byte[]> encoded, List<Member> members) {
    List<Change> changes =
        transact(
            scored -> {
              List<Change> made = new ArrayList<>(encoded.size());
              for (int i = 0; i < encoded.size(); i++) {
                Member member = members.get(i);
                made.add(change(scored, encoded.get(i), before -> member));
              }
              return made;
            });
    for (int i = 0; i < changes.size(); i++) {
      told(elements.get(i), changes.get(i));
    }
  }

  /** Removes what may be an element; says whether it was one. */
  boolean remove(Object element) {
    byte[] bytes = codec.keyOrNull(element);
    return bytes != null && removeBytes(bytes);
  }

  boolean removeBytes(byte[] element) {
    Change change = transact(scored -> new Change(element, scored.remove(element), null));
    if (!listeners.isEmpty() && change.isOfScore()) {
      told(codec.decodeKey(element), change);
    }
    return change.before() != null;
  }

  /** Removes the first {@code count} elements in a direction and returns them. */
  List<ScoredElement<E>> pop(Direction direction, int count) {
    List<ScoredElement<E>> popped = new ArrayList<>();
    removeAll(
        count, popped, (scored, limit) -> scored.places(ScoredSetFormat.PLACES, direction, limit));
    return popped;
  }

  /** Removes the elements of a range of places; returns how many there were. */
  long removeRange(SortRange range) {
    return removeAll(
        Long.MAX_VALUE, null, (scored, limit) -> scored.places(range, Direction.FORWARD, limit));
  }

  /** Removes {@code count} elements from a place on; returns how many there were. */
  long removeFrom(byte[] place, long count) {
    SortRange range = ScoredSetFormat.PLACES.from(place, true);
    return removeAll(
        count, null, (scored, limit) -> scored.places(range, Direction.FORWARD, limit));
  }

  /** Removes {@code count} elements from a rank on; returns how many there were. */
  long removeFromRank(long rank, long count) {
    return removeAll(
        count,
        null,
        (scored, limit) -> {
          RankReads ranks = scored.ranks();
          return rank >= ranks.total()
              ? List.of()
              : scored.places(
                  ScoredSetFormat.PLACES.from(ranks.placeAt(rank), true), Direction.FORWARD, limit);
        });
  }

  /** Finds the next places to remove. */
  private interface Finder {
    List<RowRecord> find(ScoredRow scored, int limit);
  }

  /** A change that removes; with the element, decoded before, if someone wants it. */
  private record Removal<E>(Change change, @Nullable E element) {}

  private long removeAll(long count, @Nullable List<ScoredElement<E>> removed, Finder finder) {
    boolean decode = removed != null || !listeners.isEmpty();
    long left = count;
    while (left > 0) {
      int limit = (int) Math.min(left, BATCH_ELEMENTS);
      List<Removal<E>> removals = transact(scored -> remove(scored, limit, finder, decode));
      left -= removals.size();
      for (Removal<E> removal : removals) {
        told(removal, removed);
      }
      if (removals.size() < limit) {
        break;
      }
    }
    return count - left;
  }

  private List<Removal<E>> remove(ScoredRow scored, int limit, Finder finder, boolean decode) {
    List<Removal<E>> removals = new ArrayList<>();
    for (RowRecord place : finder.find(scored, limit)) {
      byte[] bytes = ScoredSetFormat.element(place.sortKey());
      E element = decode ? codec.decodeKey(bytes) : null;
      removals.add(new Removal<>(new Change(bytes, scored.remove(bytes), null), element));
    }
    return removals;
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

  private static @Nullable Double score(@Nullable Member member) {
    return member == null ? null : member.score();
  }
}
