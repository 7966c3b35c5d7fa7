package io.rockpool.cache;

import java.util.Map;
import java.util.Set;

/**
 * Writes the changes of a cache to another system, such as a database; see {@link
 * CacheOptions#writeBehind(BatchWriter, WriteBehindOptions)}.
 *
 * <p>A call has each key once and holds no lock. Calls of different batches may overlap only if
 * {@link WriteBehindOptions.WhenFull#WRITE_THROUGH} is set; two of one key never do. A change may
 * be written twice: after a crash between the write and its acknowledgement. So write the value
 * itself, not a difference.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface BatchWriter<K, V> {
  /**
   * Writes entries. If it returns, all are written. If it throws, those that are still in the map
   * have failed and are tried again: remove an entry after it is written, unless the batch is
   * written or rolled back as a whole.
   *
   * @param entries the values by key; may be changed
   * @throws Exception if entries could not be written
   */
  void writeAll(Map<K, V> entries) throws Exception;

  /**
   * Deletes entries, whether they exist or not. If it throws, the keys that are still in the set
   * have failed and are tried again.
   *
   * @param keys the keys; may be changed
   * @throws Exception if entries could not be deleted
   */
  void deleteAll(Set<K> keys) throws Exception;
}
