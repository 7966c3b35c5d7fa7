package io.rockpool.testing;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * The seeds that random tests run with: some fixed ones, so that the same code passes the same
 * tests every time, and with {@code -Drockpool.test.newSeeds=N} so many new ones; or with {@code
 * -Drockpool.test.seed=S} that one alone.
 */
public final class Seeds {
  static final String SEED_PROPERTY = "rockpool.test.seed";

  private static final String NEW_SEEDS_PROPERTY = "rockpool.test.newSeeds";
  private static final long FIXED = 3;

  private Seeds() {}

  /** The seeds, one after the other. */
  public static LongStream all() {
    Long chosen = Long.getLong(SEED_PROPERTY);
    return chosen != null
        ? LongStream.of(chosen)
        : LongStream.concat(
            LongStream.rangeClosed(1, FIXED),
            new Random().longs(Integer.getInteger(NEW_SEEDS_PROPERTY, 0)));
  }
}
