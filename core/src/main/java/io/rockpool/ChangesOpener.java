package io.rockpool;

import io.rockpool.change.ChangeFeed;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.feed.Feeds;
import io.rockpool.structure.TableKey;
import java.util.Objects;

/** The methods of {@link Rockpool} that open change feeds by name. */
abstract class ChangesOpener extends QueueOpener {
  /** Hidden, so that only {@link Rockpool} extends this. */
  ChangesOpener() {}

  /** The change feeds of the open store. */
  abstract Feeds feeds();

  /**
   * Opens the change feed of a cache or collection, which was opened with the option {@code
   * changes} once. The cache or collection need not be open.
   *
   * <pre>{@code
   * pool.map("orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))));
   * ChangeFeed<String, Order> changes = pool.changes("orders", String.class, Order.class);
   * long last = changes.oldest();
   * for (ChangeEvent<String, Order> change : changes.poll(last, 100, ofSeconds(10))) {
   *   index.update(change.key(), change.value()); // the value is null after a removal
   *   last = change.position() + 1;
   * }
   * }</pre>
   *
   * <table>
   *   <caption>Keys and values</caption>
   *   <tr><th>cache, map, sorted map</th><td>their keys and values</td></tr>
   *   <tr><th>set, sorted set</th><td>the element; {@code Void}</td></tr>
   *   <tr><th>scored set</th><td>the element; its score, a {@code Double}</td></tr>
   *   <tr><th>deque</th><td>a {@code Long}: places ascend from the first element to the last; the
   *       element</td></tr>
   *   <tr><th>value, counter</th><td>{@code Void}; the value, a {@code Long}</td></tr>
   *   <tr><th>table</th><td>see {@link #tableChanges}</td></tr>
   *   <tr><th>queue, timer</th><td>none: a queue is a feed of its messages</td></tr>
   * </table>
   *
   * @throws IllegalStateException if the name has no feed, or inside a transaction if the feed is
   *     not open
   * @throws NameConflictException if the name holds other types, or has other codecs than the store
   */
  public <K, V> ChangeFeed<K, V> changes(String name, Class<K> keyType, Class<V> valueType) {
    return changes(name, TypeRef.of(keyType), TypeRef.of(valueType));
  }

  /** Like {@link #changes(String, Class, Class)}, for types with type arguments. */
  public <K, V> ChangeFeed<K, V> changes(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return feeds().open(Objects.requireNonNull(name, "name"), keyType, valueType);
  }

  /** Like {@link #changes(String, Class, Class)}, for a table. */
  public <H, S, V> ChangeFeed<TableKey<H, S>, V> tableChanges(
      String name, Class<H> hashKeyType, Class<S> sortKeyType, Class<V> valueType) {
    return tableChanges(
        name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType));
  }

  /** Like {@link #changes(String, Class, Class)}, for a table, for types with type arguments. */
  public <H, S, V> ChangeFeed<TableKey<H, S>, V> tableChanges(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType) {
    return feeds().open(Objects.requireNonNull(name, "name"), hashKeyType, sortKeyType, valueType);
  }
}
