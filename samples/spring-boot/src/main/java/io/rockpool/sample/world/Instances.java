package io.rockpool.sample.world;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.RockpoolCacheManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The instances of the service that share a store. Each writes a report once a second, which
 * expires by itself: an instance without a report is gone.
 */
@Component
class Instances {
  private static final Logger LOG = LoggerFactory.getLogger(Instances.class);
  private static final Duration REPORT_LIFE = Duration.ofSeconds(4);
  private static final String ALL = "all";

  private final Instant started = Instant.now();
  private final Rockpool pool;
  private final RockpoolCacheManager caches;
  private final @Nullable Preparer preparer;
  private volatile @Nullable String address;
  private volatile boolean failing;

  Instances(Rockpool pool, RockpoolCacheManager caches, ObjectProvider<Preparer> preparer) {
    this.caches = caches;
    this.preparer = preparer.getIfAvailable();
    this.pool = pool;
  }

  /** Opened each time, in case that the server has lost everything. */
  private PersistentCache<String, SortedSet<String>> members() {
    return pool.cache(
        "world/members", TypeRef.of(String.class), new TypeRef<SortedSet<String>>() {});
  }

  private PersistentCache<String, InstanceReport> reports() {
    return pool.cache(
        "world/reports",
        String.class,
        InstanceReport.class,
        options -> options.expiry(CacheExpiry.afterWrite(REPORT_LIFE)));
  }

  /** Joins the others, and forgets those that are gone. */
  @EventListener
  void listening(WebServerInitializedEvent event) {
    String mine = "http://127.0.0.1:" + event.getWebServer().getPort() + "/";
    PersistentCache<String, SortedSet<String>> members = members();
    SortedSet<String> known = members.get(ALL);
    if (known != null) {
      SortedSet<String> alive = new TreeSet<>(reports().getAll(known).keySet());
      members.computeIfPresent(ALL, (key, now) -> now.equals(known) ? alive : now);
    }
    address = mine;
    report();
  }

  /** Writes this instance's report. */
  @Scheduled(fixedDelay = 1_000)
  void report() {
    String mine = address;
    if (mine == null) {
      return;
    }
    try {
      reports().put(mine, describe(mine));
      PersistentCache<String, SortedSet<String>> members = members();
      SortedSet<String> known = members.get(ALL);
      if (known == null || !known.contains(mine)) {
        members.merge(ALL, new TreeSet<>(List.of(mine)), Instances::union);
      }
      failing = false;
    } catch (RockpoolException | StoreClosedException e) {
      if (!failing) {
        LOG.warn("The store does not answer; this instance goes on as it can.", e);
      }
      failing = true;
    }
  }

  private static SortedSet<String> union(SortedSet<String> some, SortedSet<String> more) {
    SortedSet<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  private InstanceReport describe(String mine) {
    return new InstanceReport(
        mine,
        ProcessHandle.current().pid(),
        started,
        caches.caches().stream().map(Instances::numbers).toList(),
        preparer == null ? 0 : preparer.prepared(),
        preparer == null ? 0 : preparer.firings());
  }

  private static InstanceReport.CacheNumbers numbers(RockpoolCache cache) {
    CacheStatistics statistics = cache.getNativeCache().statistics();
    return new InstanceReport.CacheNumbers(
        cache.getName(),
        statistics.hotHits(),
        statistics.diskHits(),
        statistics.misses(),
        statistics.puts(),
        cache.getNativeCache().hotSize(),
        statistics.invalidations());
  }

  /** An instance; without a report it is gone. */
  record Instance(String address, boolean here, @Nullable InstanceReport report) {}

  /** All that have joined, in the order of their addresses. */
  List<Instance> all() {
    SortedSet<String> known = members().get(ALL);
    if (known == null) {
      return List.of();
    }
    Map<String, InstanceReport> alive = reports().getAll(known);
    return known.stream()
        .map(each -> new Instance(each, each.equals(address), alive.get(each)))
        .toList();
  }
}
