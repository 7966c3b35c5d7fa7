package io.rockpool.redis;

import io.rockpool.engine.ChangeListener;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.ChangeReports;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.Registration;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the servers report into reports of changes. The feed is lost while any server's
 * reports may be missing. Thread-safe; the threads of connections do not wait here.
 */
final class Reports implements Link.Observer, LostNames.Spaces, AutoCloseable {
  private static final String THREAD = "rockpool-redis-changes";
  private static final String CHECKS = "rockpool-redis-names";

  private final KeyNames keys;
  private final OwnEchoes echoes;
  private final RedisCatalogReader catalog;
  private final @Nullable KeyUses uses;
  private final Map<Long, RedisSpaceState> states = new ConcurrentHashMap<>();
  private final ChangeReports feed;
  private final BackgroundThread checks;
  private final AtomicBoolean checking = new AtomicBoolean();

  /** The servers that have slots. */
  private final Set<Link> watched = new HashSet<>();

  /** Those whose reports may be missing. */
  private final Set<Link> silent = new HashSet<>();

  final ConnectionCounters counters = new ConnectionCounters();
  private volatile boolean armed = true;
  private volatile @Nullable Servers servers;
  private volatile @Nullable LostNames lost;
  private volatile @Nullable RedisGenerations generations;

  /** Reads the catalog. */
  @FunctionalInterface
  interface RedisCatalogReader {
    Collection<CatalogEntry> read();
  }

  /** {@code uses} also gets what is reported; null for no such note. */
  Reports(
      KeyNames keys,
      OwnEchoes echoes,
      RedisCatalogReader catalog,
      @Nullable KeyUses uses,
      Upkeep upkeep) {
    this.keys = keys;
    this.echoes = echoes;
    this.catalog = catalog;
    this.uses = uses;
    this.feed = new ChangeReports(THREAD, upkeep);
    this.checks = new BackgroundThread(CHECKS, Duration.ofDays(1), () -> {}, upkeep);
  }

  void start(Servers connected, LostNames lostNames, RedisGenerations buckets) {
    servers = connected;
    lost = lostNames;
    generations = buckets;
  }

  /** The state of a space, which all its handles in this process share. */
  @Override
  public RedisSpaceState state(CatalogEntry entry) {
    RedisSpaceState state = states.computeIfAbsent(entry.id(), id -> new RedisSpaceState(entry));
    state.seen(entry);
    return state;
  }

  /** Remembers an entry of the catalog, if this process has opened its space. */
  void seen(CatalogEntry entry) {
    RedisSpaceState state = states.get(entry.id());
    if (state != null) {
      state.seen(entry);
    }
  }

  @Override
  public Collection<RedisSpaceState> all() {
    return states.values();
  }

  @Override
  public void renewAll(RedisSpaceState state) {
    Objects.requireNonNull(generations).renewAll(state);
  }

  @Override
  public void moved(RedisSpaceState from, RedisSpaceState to) {
    states.remove(from.id, from);
    from.moveTo(to);
    changed(to);
  }

  /** The state of a space that this process has opened; null for none. */
  @Nullable RedisSpaceState state(String name) {
    for (RedisSpaceState state : states.values()) {
      if (state.name.equals(name)) {
        return state;
      }
    }
    return null;
  }

  /** Ends the handles of a space that this process dropped or reset. */
  void end(long id) {
    RedisSpaceState ended = states.remove(id);
    if (ended != null) {
      ended.end();
    }
  }

  synchronized Registration add(ChangeListener listener) {
    Registration added = feed.add(listener);
    if (!silent.isEmpty()) {
      feed.lost();
    }
    return added;
  }

  /** Whether every server reports its changes. */
  boolean isArmed() {
    return armed;
  }

  /** Notes a server from which nothing has come yet. */
  synchronized void expect(Link link) {
    watched.add(link);
    feedLost(link);
  }

  /** The link to the server at a place, if it has slots; null for none. */
  synchronized @Nullable Link watched(String place) {
    for (Link link : watched) {
      if (link.place().equals(place)) {
        return link;
      }
    }
    return null;
  }

  @Override
  public synchronized void feedLost(Link link) {
    if (watched.contains(link) && !silent.contains(link)) {
      if (silent.isEmpty()) {
        armed = false;
        counters.feedLosses.increment();
        forgetRead();
        feed.lost();
      }
      silent.add(link); // last: a loss that could not be reported is reported again
    }
  }

  @Override
  public void connected() {
    counters.connections.increment();
  }

  @Override
  public synchronized void feedArmed(Link link) {
    if (silent.remove(link) && silent.isEmpty()) {
      forgetRead();
      armed = true;
      feed.regained();
      checkNames();
    }
  }

  /** Forgets a server that no longer has slots. */
  synchronized void forget(Link link) {
    watched.remove(link);
    feedArmed(link);
  }

  /** Forgets what walks that were given up had still to show. */
  void forgetOldTails(long nowNanos) {
    states.values().forEach(state -> state.tails.clearOld(nowNanos));
  }

  private void forgetRead() {
    for (RedisSpaceState state : states.values()) {
      state.tails.clear();
      state.forgetGenerations();
    }
  }

  @Override
  public void changed(@Nullable List<ByteBuffer> changed) {
    if (changed == null) {
      for (RedisSpaceState state : states.values()) {
        state.replacedAll();
        changed(state);
      }
      checkNames();
      return;
    }
    counters.changes.add(changed.size());
    Set<RedisSpaceState> whole = new LinkedHashSet<>();
    Map<Link, RedisBatch> asked = new HashMap<>();
    for (ByteBuffer each : changed) {
      byte[] key = new byte[each.remaining()];
      each.duplicate().get(key);
      changed(key, whole, asked);
    }
    whole.forEach(this::changed);
    asked.forEach(
        (link, batch) -> {
          if (!link.sendLater(batch)) {
            batch.cancel();
          }
        });
  }

  private void changed(byte[] key, Set<RedisSpaceState> whole, Map<Link, RedisBatch> asked) {
    KeyNames.Changed parsed = keys.parse(key);
    if (parsed == null) {
      if (Arrays.equals(key, keys.catalog())) {
        checkNames();
      }
      return;
    }
    RedisSpaceState state = states.get(parsed.space());
    if (state == null) {
      return;
    }
    byte[] hashKey = parsed.hashKey();
    if (hashKey == null) {
      state.replaced(keys.bucketOfGeneration(key));
      whole.add(state);
      return;
    }
    if (uses != null) {
      uses.changed(state.id, hashKey);
    }
    long[] own = echoes.take(key);
    if (own == null || !verify(state, hashKey, key, own, asked)) {
      rowChanged(state, hashKey);
    }
  }

  @Override
  public void changed(RedisSpaceState state) {
    state.tails.clear();
    state.forgetGenerations();
    feed.report(listener -> listener.spaceChanged(state.name));
  }

  /** Reports a row after an answer. No caller waits for that, so none would see an error. */
  private void rowChanged(Link link, RedisSpaceState state, byte[] hashKey) {
    boolean reported = false;
    try {
      rowChanged(state, hashKey);
      reported = true;
    } finally {
      if (!reported) {
        link.loseReports();
      }
    }
  }

  private void rowChanged(RedisSpaceState state, byte[] hashKey) {
    state.tails.written(hashKey);
    feed.report(listener -> listener.rowChanged(state.name, hashKey));
  }

  /**
   * Reports a row unless its newest write is this process's; returns false if that cannot be asked.
   * Adds the question to a batch.
   */
  private boolean verify(
      RedisSpaceState state, byte[] hashKey, byte[] key, long[] own, Map<Link, RedisBatch> asked) {
    Servers there = servers;
    Link link = there == null ? null : there.owner(KeyNames.slotOfBucket(KeyNames.bucket(hashKey)));
    if (link == null) {
      return false;
    }
    CompletableFuture<byte[]> written =
        asked
            .computeIfAbsent(link, any -> new RedisBatch())
            .getRange(key, StoredEntry.WRITE_ID, StoredEntry.WRITE_ID + Long.BYTES - 1L);
    CompletableFuture<Boolean> unused =
        written.handle(
            (id, failure) -> {
              boolean same =
                  failure == null
                      && id.length == Long.BYTES
                      && contains(own, ByteBuffer.wrap(id).getLong());
              if (!same) {
                rowChanged(link, state, hashKey);
              }
              return same;
            });
    return true;
  }

  private static boolean contains(long[] ids, long id) {
    return Arrays.stream(ids).anyMatch(it -> it == id);
  }

  /**
   * Ends the handles of names that others have dropped or reset, and puts back those that the
   * server has lost. Soon and on its own thread.
   */
  void checkNames() {
    if (checking.compareAndSet(false, true) && !checks.execute(this::endDropped)) {
      checking.set(false);
    }
  }

  private void endDropped() {
    checking.set(false);
    Map<Long, CatalogEntry> there = new HashMap<>();
    Set<RedisSpaceState> known = new HashSet<>(states.values());
    catalog.read().forEach(entry -> there.put(entry.id(), entry));
    for (RedisSpaceState state : known) {
      CatalogEntry entry = there.get(state.id);
      if (entry == null && !state.isEnded()) {
        Objects.requireNonNull(lost).putBack(state);
      } else if (entry != null) {
        state.seen(entry);
      }
      if (state.isEnded() && states.remove(state.id, state)) {
        feed.report(listener -> listener.spaceEnded(state.name));
      }
    }
  }

  /** Ends the reports, and waits for the one that is running. */
  @Override
  public void close() {
    checks.close();
    feed.close();
  }
}
