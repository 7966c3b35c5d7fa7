package io.rockpool;

import io.rockpool.engine.SpaceName;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The names of a store: lists, describes, renames, copies and drops them. {@link Rockpool#names}
 * returns it. Thread-safe. Every method throws {@link StoreClosedException} if the handle is
 * closed.
 */
public final class StoreNames {
  private final Supplier<OpenStore> store;

  /** The names of a store that the supplier returns; it throws if the handle is closed. */
  StoreNames(Supplier<OpenStore> store) {
    this.store = store;
  }

  /** What all names hold, sorted by name; see {@link #list(String)}. */
  public List<Description> list() {
    return list("");
  }

  /**
   * What the names at or below {@code level} hold, sorted by name; all names for the empty level. A
   * name stays until it is dropped, also if its whole content has expired.
   *
   * <pre>{@code
   * for (Description each : pool.names().list("shop")) {
   *   bytes += each.diskBytes().orElse(0);
   * }
   * }</pre>
   *
   * @throws IllegalArgumentException if the level is not a name, such as {@code "shop/"}
   */
  public List<Description> list(String level) {
    SpaceName.checkLevel(level);
    OpenStore open = store.get();
    return open.catalog.list(level).stream().map(open::describe).toList();
  }

  /** What a name holds, open or not; empty if it holds nothing. */
  public Optional<Description> find(String name) {
    Objects.requireNonNull(name, "name");
    OpenStore open = store.get();
    return Optional.ofNullable(open.catalog.find(name)).map(open::describe);
  }

  /**
   * Removes a name and its content. O(1), atomic; the name can be used again immediately. Every use
   * of an object that was opened under it throws {@link StoreClosedException} from then on.
   *
   * @return whether there was one
   */
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    return store.get().catalog.drop(name);
  }

  /**
   * Gives a cache or collection another name, with its content, options and expiry. Redis' {@code
   * RENAMENX}, except that a taken name is an error. O(1), atomic and durable on return. It waits
   * for no other operation: a change that runs meanwhile is in the renamed collection, or throws.
   *
   * <pre>{@code
   * pool.names().rename("orders", "archive/2026/orders");
   * }</pre>
   *
   * <p>Every use of an object that was opened under the old name throws {@link
   * StoreClosedException}, whose message has the new name; a thread that waits for an element of a
   * deque gets it too. So does a transaction that used the object before. Open it by its new name.
   * Snapshots stay readable. Elements keep their expiry; expired ones stay expired.
   *
   * @return whether the old name existed; false changes nothing
   * @throws NameConflictException if the new name is taken; nothing is changed
   * @throws IllegalStateException inside a transaction, or if a cache has changes that its writer
   *     must still write; nothing is changed
   * @throws UnsupportedOperationException if the store's engine cannot rename, or if a cache has
   *     keys that only their {@code equals} can compare; nothing is changed
   */
  public boolean rename(String from, String to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return store.get().catalog.rename(from, to, /* replace= */ false);
  }

  /**
   * Like {@link #rename}, and drops what the new name holds, of any type. Redis' {@code RENAME}. No
   * reader finds the new name missing: it holds the old or the new content.
   *
   * <pre>{@code
   * PersistentMap<String, Long> next = pool.map("index/next", String.class, Long.class);
   * next.putAll(rebuilt);
   * pool.names().renameReplacing("index/next", "index"); // from now on, "index" is the rebuilt one
   * }</pre>
   *
   * <p>Objects that were opened under the new name throw as after {@link #drop}.
   *
   * @return whether the old name existed; false changes nothing
   */
  public boolean renameReplacing(String from, String to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return store.get().catalog.rename(from, to, /* replace= */ true);
  }

  /**
   * Copies a collection, with its options and expiry, and those of its elements. Redis' {@code
   * COPY}, except that a taken name is an error. Atomic: the copy is what the collection was at one
   * instant of the call, each transaction as a whole, and its name exists once it is complete. If
   * the process dies before, there is no copy. O(elements); it blocks no other operation, and holds
   * a snapshot meanwhile. The copy is on disk when this returns.
   *
   * <pre>{@code
   * pool.names().copy("orders", "orders-before-migration");
   * }</pre>
   *
   * @return whether {@code from} existed; false changes nothing
   * @throws NameConflictException if the new name is taken; nothing is changed
   * @throws IllegalStateException inside a transaction, or if {@code from} is dropped or renamed
   *     during the call; nothing is changed
   * @throws UnsupportedOperationException if it is a cache, or if the store's engine cannot copy
   */
  public boolean copy(String from, String to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return store.get().catalog.copy(from, to, /* replace= */ false);
  }

  /**
   * Like {@link #copy}, and drops what the new name holds, of any type. Redis' {@code COPY
   * REPLACE}. No reader finds the new name missing.
   *
   * <pre>{@code
   * pool.names().copyReplacing("prices/staging", "prices");
   * }</pre>
   *
   * <p>Objects that were opened under the new name throw {@link StoreClosedException} from then on.
   *
   * @return whether {@code from} existed; false changes nothing
   */
  public boolean copyReplacing(String from, String to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return store.get().catalog.copy(from, to, /* replace= */ true);
  }

  /**
   * Removes the names at or below {@code level}, all or none, as {@link #drop} does.
   *
   * @return how many there were
   * @throws IllegalArgumentException as for {@link #list}, and for the empty level; nothing is
   *     removed
   */
  public int dropLevel(String level) {
    if (SpaceName.checkLevel(level).isEmpty()) {
      throw new IllegalArgumentException(
          "The empty level holds every name of the store; name a level, or use dropAll.");
    }
    return store.get().catalog.dropAll(level);
  }

  /**
   * Removes every name of the store, all or none, as {@link #drop} does.
   *
   * @return how many there were
   */
  public int dropAll() {
    return store.get().dropAll();
  }
}
