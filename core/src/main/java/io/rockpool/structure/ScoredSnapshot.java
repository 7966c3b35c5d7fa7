package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceSnapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * A snapshot of a scored set. Expired members were swept just before it was taken. Members that
 * expired between the sweep and the snapshot are visible to every read.
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
            // The set was swept before the snapshot was taken.
          }
        };
    return new ScoredSnapshot<>(reads, new RankedReads<>(reads, steady, ranked));
  }

  @Override
  void removePlace(RowRecord place) {
    throw new UnsupportedOperationException("A snapshot cannot be changed; change the set itself.");
  }

  /** Always throws: a snapshot cannot be changed. */
  @Override
  public void clear() {
    throw new UnsupportedOperationException("A snapshot cannot be changed; change the set itself.");
  }
}
