package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceSnapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * A scored set as it was when a snapshot was taken. What had expired was swept right before; what
 * expired between that and the snapshot is seen, by every read alike.
 */
final class ScoredSnapshot<E> extends ScoredView<E> implements ScoredSetView<E> {
  private ScoredSnapshot(ScoredReads<E> reads, RankedReads<E> ranked) {
    super(reads, ranked);
  }

  static <E> ScoredSetView<E> of(
      EntryCodec<E, Double> codec, byte[] row, SpaceSnapshot space, boolean ranked) {
    InstantSource never = InstantSource.fixed(Instant.EPOCH);
    ScoredReads<E> reads = new ScoredReads<>(codec, row, () -> space, never);
    SteadyReads steady =
        new SteadyReads() {
          @Override
          public <R> R read(Function<RankReads, R> reading) {
            return reading.apply(new RankReads(RowReads.of(space, row)));
          }

          @Override
          public void sweep() {
            // It was swept before it was taken.
          }
        };
    return new ScoredSnapshot<>(reads, new RankedReads<>(reads, steady, ranked));
  }

  @Override
  void removePlace(RowRecord place) {
    throw new UnsupportedOperationException("A snapshot cannot be changed; change the set itself.");
  }

  /** Refused as everything that would change it. */
  @Override
  public void clear() {
    throw new UnsupportedOperationException("A snapshot cannot be changed; change the set itself.");
  }
}
