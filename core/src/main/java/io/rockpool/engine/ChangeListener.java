package io.rockpool.engine;

/**
 * Receives what other handles of a store change, see {@link Engine#onChange}. For layers that keep
 * records in memory.
 *
 * <p>The engine calls it from a thread of its own: outside transactions, without a lock, and never
 * from two threads at once. A method may read the engine and must return soon, because later
 * changes wait for it. An exception is logged and changes nothing else.
 *
 * <p>A change is reported after reads of this engine see it. Reports may be late, repeated or
 * merged, and may name rows that did not change. None is missing, except while the feed is lost.
 */
public interface ChangeListener {
  /**
   * A row was written, or one of its records was deleted.
   *
   * @param space the name of the space
   * @param hashKey the row; the array is shared and must not be changed
   */
  void rowChanged(String space, byte[] hashKey);

  /**
   * Any rows of a space may have changed: it was cleared, its expiry was set, or the engine does
   * not know which rows a write has changed.
   *
   * @param space the name of the space
   */
  void spaceChanged(String space);

  /**
   * A space was dropped or reset: handles of it that were opened before throw. The name may already
   * belong to another space.
   *
   * @param space the name of the space
   */
  void spaceEnded(String space);

  /**
   * From now on changes may go unreported, until {@link #feedRegained}. What is in memory may be
   * out of date, and so may what is read into memory until then.
   */
  void feedLost();

  /**
   * From now on changes are reported again. A read that begins after this call sees everything that
   * was not reported.
   */
  void feedRegained();
}
