package io.rockpool.spring.boot;

import io.rockpool.Description;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.internal.access.CacheSample;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueStatistics;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.store.ReclaimState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What {@link RockpoolEndpoint} answers. */
public final class RockpoolDescriptors {
  private RockpoolDescriptors() {}

  /**
   * All there is.
   *
   * @param stores by the names of their beans
   * @param cacheManagers the caches that have been made, by the names of their managers' beans
   */
  public record RockpoolDescriptor(
      Map<String, StoreDescriptor> stores, Map<String, List<CacheDescriptor>> cacheManagers)
      implements OperationResponseBody {}

  /**
   * A store.
   *
   * @param open whether it has been opened; if not, nothing else is known
   * @param description its engine and directory
   * @param diskBytes what it takes on disk
   * @param reclaim what of that is still to be freed, and what was freed
   * @param names how many names it has
   * @param structures what they hold; if there are many, the first ones
   * @param queues the open queues, also those of timers and of dead letters; if there are many, the
   *     first ones
   * @param error why names and queues are missing; null if the store's servers have answered
   */
  public record StoreDescriptor(
      boolean open,
      @Nullable String description,
      long diskBytes,
      @Nullable ReclaimDescriptor reclaim,
      int names,
      List<StructureDescriptor> structures,
      List<QueueDescriptor> queues,
      @Nullable String error) {
    static final StoreDescriptor NOT_OPEN =
        new StoreDescriptor(false, null, 0, null, 0, List.of(), List.of(), null);
  }

  /**
   * The disk space that a store has still to free, and what it has freed since it was opened.
   *
   * @param pendingClears how many times something was cleared or dropped, or expired as a whole,
   *     and its space is not freed yet
   * @param heldClears how many of these wait for a snapshot to be closed
   * @param pendingBytes what they take on disk
   * @param overdue how long ago the oldest record expired that is still there
   * @param clears how many of them are done
   * @param clearedBytes what they took
   * @param expiredRecords how many expired records were removed
   */
  public record ReclaimDescriptor(
      long pendingClears,
      long heldClears,
      long pendingBytes,
      Duration overdue,
      long clears,
      long clearedBytes,
      long expiredRecords) {
    static ReclaimDescriptor of(ReclaimState state) {
      return new ReclaimDescriptor(
          state.pendingClears(),
          state.heldClears(),
          state.pendingBytes(),
          Duration.ofMillis(state.overdueMillis()),
          state.total().clears(),
          state.total().clearedBytes(),
          state.total().expiredRecords());
    }
  }

  /**
   * What a store has under a name.
   *
   * @param size how many elements it has, where that is known without reading them: of a collection
   *     that is open
   * @param expires when all of it expires, if ever
   */
  public record StructureDescriptor(
      String name,
      String type,
      String keyType,
      @Nullable String valueType,
      @Nullable Long size,
      Instant created,
      Instant lastOpened,
      @Nullable Instant expires) {
    static StructureDescriptor of(Description description) {
      return new StructureDescriptor(
          description.name(),
          description.type(),
          description.keyType(),
          description.valueType().orElse(null),
          description.count().isPresent() ? description.count().getAsLong() : null,
          description.created(),
          description.lastAccess(),
          description.expires().orElse(null));
    }
  }

  /**
   * An open queue, and what happened in it since it was opened.
   *
   * @param depth messages that are ready or delayed
   * @param inFlight messages that a consumer has
   * @param oldestAge the age of the oldest message that is ready
   * @param sent messages that were sent
   * @param redelivered deliveries of messages that had been delivered before
   * @param acknowledged messages that were handled
   * @param paused whether nothing is delivered
   * @param deadLetterQueue the name of the queue of its dead letters; null if it keeps none
   * @param deadLetters messages in that queue; null if it keeps none
   * @param nextFiring when it fires next; null unless it is that of a timer that is started
   */
  public record QueueDescriptor(
      String name,
      long depth,
      long inFlight,
      Duration oldestAge,
      long sent,
      long redelivered,
      long acknowledged,
      boolean paused,
      @Nullable String deadLetterQueue,
      @Nullable Long deadLetters,
      @Nullable Instant nextFiring)
      implements OperationResponseBody {
    static QueueDescriptor of(PersistentQueue<?> queue, @Nullable Instant nextFiring) {
      QueueStatistics statistics = queue.statistics();
      PersistentQueue<?> dead = queue.deadLetters();
      return new QueueDescriptor(
          queue.name(),
          statistics.depth(),
          statistics.inFlight(),
          statistics.oldestAge(),
          statistics.sent(),
          statistics.redelivered(),
          statistics.acknowledged(),
          statistics.paused(),
          dead == null ? null : dead.name(),
          dead == null ? null : dead.size(),
          nextFiring);
    }
  }

  /**
   * The changes that are written behind a cache.
   *
   * @param pending changes that are to be written
   * @param bytes the bytes of these and of dead letters
   * @param oldestAge how long the oldest has been pending
   * @param deadLetters changes that were given up
   * @param written changes that were written since the application started
   * @param failures calls of the writer that failed since then
   */
  public record WriteBehindDescriptor(
      long pending, long bytes, Duration oldestAge, long deadLetters, long written, long failures) {
    static WriteBehindDescriptor of(CacheStatistics statistics) {
      return new WriteBehindDescriptor(
          statistics.pendingWrites(),
          statistics.pendingBytes(),
          statistics.oldestPending(),
          statistics.deadLetters(),
          statistics.written(),
          statistics.writeFailures());
    }
  }

  /**
   * A cache, and what it did since the application started.
   *
   * @param storedName its name in the store
   * @param hitRatio the part of reads that found a value; null if there was no read
   * @param memoryHitRatio the part of reads that found it in memory
   * @param invalidations changes by other processes that were reported
   * @param memoryEntries how many entries are in memory, about
   * @param writeBehind the changes that are written behind it; all 0 without a writer
   * @param entries how long entries live; null in lists
   */
  public record CacheDescriptor(
      String name,
      String storedName,
      long memoryHits,
      long diskHits,
      long misses,
      @Nullable Double hitRatio,
      @Nullable Double memoryHitRatio,
      long puts,
      long loads,
      long loadFailures,
      long evictions,
      long invalidations,
      long undecodable,
      long unencodable,
      long memoryEntries,
      WriteBehindDescriptor writeBehind,
      @Nullable SampleDescriptor entries)
      implements OperationResponseBody {
    static CacheDescriptor of(RockpoolCache cache) {
      CacheStatistics statistics = cache.getNativeCache().statistics();
      long reads = statistics.hits() + statistics.misses();
      return new CacheDescriptor(
          cache.getName(),
          cache.getNativeCache().name(),
          statistics.hotHits(),
          statistics.diskHits(),
          statistics.misses(),
          reads == 0 ? null : statistics.hitRatio(),
          reads == 0 ? null : (double) statistics.hotHits() / reads,
          statistics.puts(),
          statistics.loads(),
          statistics.loadFailures(),
          statistics.evictions(),
          statistics.invalidations(),
          statistics.undecodable(),
          statistics.unencodable(),
          cache.getNativeCache().hotSize(),
          WriteBehindDescriptor.of(statistics),
          null);
    }

    CacheDescriptor with(SampleDescriptor newEntries) {
      return new CacheDescriptor(
          name,
          storedName,
          memoryHits,
          diskHits,
          misses,
          hitRatio,
          memoryHitRatio,
          puts,
          loads,
          loadFailures,
          evictions,
          invalidations,
          undecodable,
          unencodable,
          memoryEntries,
          writeBehind,
          newEntries);
    }
  }

  /**
   * How long entries live, of some from several places of a cache.
   *
   * @param sampled how many were looked at
   * @param whole whether these are all there are
   * @param ttls how many live for how long, the shortest first; spans without entries are left out
   */
  public record SampleDescriptor(int sampled, boolean whole, List<TtlDescriptor> ttls) {
    static SampleDescriptor of(CacheSample sample) {
      List<TtlDescriptor> ttls = new ArrayList<>();
      Duration from = Duration.ZERO;
      for (Duration to : TtlDescriptor.SPANS) {
        Duration above = from;
        long entries =
            sample.ttls().stream()
                .filter(ttl -> ttl.compareTo(above) > 0 && ttl.compareTo(to) <= 0)
                .count();
        if (entries > 0) {
          ttls.add(new TtlDescriptor(to.equals(CacheExpiry.FOREVER) ? null : to, entries));
        }
        from = to;
      }
      return new SampleDescriptor(sample.ttls().size(), sample.whole(), ttls);
    }
  }

  /**
   * Entries that live for about as long.
   *
   * @param upTo their largest remaining time to live; null for the entries beyond all other spans
   *     and those that never expire
   */
  public record TtlDescriptor(@Nullable Duration upTo, long entries) {
    /** Where one span ends and the next begins: what people set as a time to live. */
    static final List<Duration> SPANS =
        List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofHours(6),
            Duration.ofDays(1),
            Duration.ofDays(7),
            Duration.ofDays(30),
            Duration.ofDays(365),
            CacheExpiry.FOREVER);
  }

  /**
   * An entry.
   *
   * @param key its key, as text
   * @param keyType the class of its key
   * @param ttl its remaining time to live; null if it never expires
   * @param valueType the class of its value; null for a cached null
   * @param value its value as text, or a placeholder if values are hidden; null for a cached null
   */
  public record EntryDescriptor(
      String cache,
      String key,
      String keyType,
      @Nullable Duration ttl,
      @Nullable String valueType,
      @Nullable Object value)
      implements OperationResponseBody {}
}
