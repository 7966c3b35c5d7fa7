package io.rockpool.cache;

import java.util.Objects;

/**
 * The loads that a layer above a cache makes itself, beside those of the cache. A value that was
 * loaded so is not stored if its key was put or removed since the load began; see {@link
 * Decision#unlessSuperseded}. Thread-safe.
 *
 * @param <K> the type of keys
 */
public final class CacheLoads<K> {
  private final CacheEntries<K, ?> entries;

  private CacheLoads(CacheEntries<K, ?> entries) {
    this.entries = entries;
  }

  /** The loads beside those of a cache. */
  public static <K> CacheLoads<K> of(PersistentCache<K, ?> cache) {
    return new CacheLoads<>(Objects.requireNonNull(cache, "cache").entries);
  }

  /** Notes that a load of the key begins. The caller closes it when it has stored the value. */
  public Running begin(K key) {
    EntryKey entryKey = entries.format.key(Objects.requireNonNull(key, "key"));
    return new Running(entries.loads, entryKey, entries.loads.beginBeside(entryKey));
  }

  /**
   * Supersedes all running loads, of any key: for a layer that removes every entry it finds. In a
   * transaction, also the loads that begin before that has ended.
   */
  public void supersedeAll() {
    entries.shared.loads.supersedeAll();
  }

  /** A load that a layer makes itself. In a transaction it is known until that has ended. */
  public static final class Running implements AutoCloseable {
    private final Loads loads;
    private final EntryKey key;
    private final Loads.Load load;

    private Running(Loads loads, EntryKey key, Loads.Load load) {
      this.loads = loads;
      this.key = key;
      this.load = load;
    }

    Loads.Load load() {
      return load;
    }

    /** Ends the load. */
    @Override
    public void close() {
      loads.endBeside(key, load);
    }
  }
}
