package io.rockpool.store;

/**
 * What an engine has reclaimed.
 *
 * @param clears how many clears, drops, resets and expiries of whole spaces are completely removed
 *     from disk
 * @param clearedBytes about how many bytes of files that was
 * @param expiredRecords how many expired records were removed, without those that a compaction
 *     dropped
 */
public record Reclaimed(long clears, long clearedBytes, long expiredRecords) {
  /** Nothing at all. */
  public static final Reclaimed NOTHING = new Reclaimed(0, 0, 0);

  /**
   * Adds two numbers.
   *
   * @param more what else was reclaimed
   * @return the sum
   */
  public Reclaimed plus(Reclaimed more) {
    return new Reclaimed(
        clears + more.clears,
        clearedBytes + more.clearedBytes,
        expiredRecords + more.expiredRecords);
  }

  /**
   * Subtracts an earlier state.
   *
   * @param earlier what had been reclaimed then
   * @return what was reclaimed since
   */
  public Reclaimed since(Reclaimed earlier) {
    return new Reclaimed(
        clears - earlier.clears,
        clearedBytes - earlier.clearedBytes,
        expiredRecords - earlier.expiredRecords);
  }
}
