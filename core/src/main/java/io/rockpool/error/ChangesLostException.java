package io.rockpool.error;

/**
 * Changes that a reader of a change feed asked for were removed, because they passed the limits of
 * the feed, or because the store was restored from a backup. The reader has not moved. It can
 * continue at {@link #oldest}, after it has made up for the {@link #missed} changes, for example by
 * reading the whole map.
 */
public final class ChangesLostException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final long oldest;
  private final long missed;

  /** Creates the exception. */
  public ChangesLostException(String name, long position, long oldest) {
    super(
        "The change at position "
            + position
            + " of \""
            + name
            + "\" was removed, because the feed keeps no more or the store was restored; "
            + (oldest - position)
            + " positions are missed. Continue at position "
            + oldest
            + ", or keep changes longer.",
        null);
    this.oldest = oldest;
    this.missed = oldest - position;
  }

  /** The position of the oldest change that is kept. */
  public long oldest() {
    return oldest;
  }

  /**
   * The number of positions from the requested to the oldest one. If the feed was created again
   * since, it is larger than the number of changes.
   */
  public long missed() {
    return missed;
  }
}
