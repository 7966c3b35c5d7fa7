package io.rockpool.engine;

/**
 * What an engine has given back.
 *
 * @param clears how many times what was cleared, dropped, reset or expired as a whole is gone from
 *     the disk for good
 * @param clearedBytes how many bytes that were on the disk, about; without what was not yet in
 *     files
 * @param expiredRecords how many records were removed because they had expired, without those that
 *     a store drops by itself when it writes files anew
 */
public record Reclaimed(long clears, long clearedBytes, long expiredRecords) {
  /** Nothing at all. */
  public static final Reclaimed NOTHING = new Reclaimed(0, 0, 0);

  /**
   * Adds up.
   *
   * @param more what was given back besides
   * @return both together
   */
  public Reclaimed plus(Reclaimed more) {
    return new Reclaimed(
        clears + more.clears,
        clearedBytes + more.clearedBytes,
        expiredRecords + more.expiredRecords);
  }

  /**
   * Tells what was given back since an earlier time.
   *
   * @param earlier what had been given back then
   * @return the difference
   */
  public Reclaimed since(Reclaimed earlier) {
    return new Reclaimed(
        clears - earlier.clears,
        clearedBytes - earlier.clearedBytes,
        expiredRecords - earlier.expiredRecords);
  }
}
