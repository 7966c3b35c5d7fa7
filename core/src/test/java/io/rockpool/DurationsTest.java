package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehind;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.queue.Backoff;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueListener;
import io.rockpool.queue.QueueOptions;
import io.rockpool.queue.QueueStatistics;
import io.rockpool.queue.Schedule;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.Check;
import io.rockpool.structure.ConditionalRow;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.StructureOptions;
import io.rockpool.testing.PublicApi;
import io.rockpool.testing.Slow;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every duration of the public API: very long ones mean for ever, or are refused at once. */
@Slow
@Timeout(300)
class DurationsTest {
  private static final List<Duration> LONG =
      List.of(
          Duration.ofSeconds(Long.MAX_VALUE),
          ChronoUnit.FOREVER.getDuration(),
          Duration.ofMillis(Long.MAX_VALUE),
          Duration.ofNanos(Long.MAX_VALUE),
          Duration.ofDays(293 * 366));

  private static final List<Duration> SHORT =
      List.of(
          Duration.ofSeconds(Long.MIN_VALUE),
          Duration.ofMillis(-1),
          Duration.ofNanos(-1),
          Duration.ZERO,
          Duration.ofNanos(1));

  /** They only carry what others were given. */
  private static final Set<Class<?>> CARRIERS = Set.of(QueueStatistics.class);

  @TempDir Path directory;
  private final Map<Class<?>, Fresh> instances = new HashMap<>();
  private int names;

  /** Makes an object whose calls need not wait, if its queue or deque has something. */
  private interface Fresh {
    Object make(Rockpool pool) throws Exception;
  }

  private <T> void with(Class<T> type, Fresh fresh) {
    instances.put(type, fresh);
  }

  private String name() {
    names++;
    return "n" + names;
  }

  DurationsTest() {
    with(Rockpool.class, pool -> pool);
    with(Openers.class, pool -> pool);
    with(StoreNames.class, Rockpool::names);
    with(StoreBackups.class, Rockpool::backups);
    with(StoreState.class, Rockpool::state);
    with(RockpoolBuilder.class, pool -> Rockpool.at(directory.resolve("other")));
    with(ShippingOptions.class, pool -> ShippingOptions.defaults());
    with(CacheOptions.class, pool -> CacheOptions.defaults());
    with(CacheSettings.class, pool -> CacheOptions.defaults());
    with(WriteBehindOptions.class, pool -> WriteBehindOptions.defaults());
    with(RocksDbOptions.Builder.class, pool -> RocksDbOptions.builder());
    with(QueueOptions.class, pool -> QueueOptions.defaults());
    with(SendOptions.class, pool -> SendOptions.defaults());
    with(StructureOptions.class, pool -> StructureOptions.defaults());
    with(Mutations.class, pool -> new Mutations<>());
    with(PersistentQueue.class, this::queue);
    with(Delivery.class, pool -> queue(pool).receive().orElseThrow());
    with(QueueListener.Builder.class, pool -> QueueListener.onBatches(queue(pool), batch -> {}));
    with(PersistentDeque.class, this::deque);
    with(PersistentStructure.class, this::deque);
    with(PersistentScoredSet.class, this::scored);
    with(PersistentTable.class, this::table);
    with(ConditionalRow.class, pool -> table(pool).when(1L, 1L, Check.present()));
    with(PersistentCache.class, pool -> cache(pool, CacheOptions.defaults()));
    with(WriteBehind.class, this::writeBehind);
    with(ChangeFeed.class, this::feed);
    with(ChangeCursor.class, pool -> feed(pool).cursor("c" + name()));
    with(
        PersistentMap.class,
        pool -> {
          PersistentMap<Long, Long> map = pool.map(name(), Long.class, Long.class);
          map.put(1L, 1L);
          return map;
        });
    with(
        PersistentSortedMap.class,
        pool -> {
          PersistentSortedMap<Long, Long> map = pool.sortedMap(name(), Long.class, Long.class);
          map.put(1L, 1L);
          return map;
        });
    with(PersistentSet.class, pool -> filled(pool.set(name(), Long.class)));
    with(PersistentSortedSet.class, pool -> filled(pool.sortedSet(name(), Long.class)));
    with(
        PersistentCounter.class,
        pool -> {
          PersistentCounter counter = pool.counter(name());
          counter.set(1);
          return counter;
        });
    with(
        PersistentValue.class,
        pool -> {
          PersistentValue<Long> value = pool.value(name(), Long.class);
          value.set(1L);
          return value;
        });
  }

  private PersistentQueue<Long> queue(Rockpool pool) {
    PersistentQueue<Long> queue = pool.queue(name(), Long.class);
    queue.send(1L);
    return queue;
  }

  private PersistentDeque<Long> deque(Rockpool pool) {
    PersistentDeque<Long> deque = pool.deque(name(), Long.class);
    deque.addAll(List.of(1L, 2L));
    return deque;
  }

  private PersistentScoredSet<Long> scored(Rockpool pool) {
    PersistentScoredSet<Long> set = pool.scoredSet(name(), Long.class);
    set.add(1L, 1);
    return set;
  }

  private PersistentTable<Long, Long, Long> table(Rockpool pool) {
    PersistentTable<Long, Long, Long> table =
        pool.table(name(), Long.class, Long.class, Long.class);
    table.put(1L, 1L, 1L);
    return table;
  }

  private static <E> Collection<E> filled(Collection<E> elements) {
    @SuppressWarnings("unchecked")
    E one = (E) Long.valueOf(1);
    elements.add(one);
    return elements;
  }

  private PersistentCache<Long, Long> cache(Rockpool pool, CacheOptions<Long, Long> options) {
    PersistentCache<Long, Long> cache = pool.cache(name(), Long.class, Long.class, o -> options);
    cache.put(1L, 1L);
    return cache;
  }

  private static final class Writer implements BatchWriter<Long, Long> {
    @Override
    public void writeAll(Map<Long, Long> entries) {}

    @Override
    public void deleteAll(Set<Long> keys) {}
  }

  private Object writeBehind(Rockpool pool) {
    CacheOptions<Long, Long> options = CacheOptions.defaults();
    return cache(pool, options.writeBehind(new Writer(), WriteBehindOptions.defaults()))
        .writeBehind();
  }

  private ChangeFeed<Long, Long> feed(Rockpool pool) {
    String name = name();
    pool.map(name, Long.class, Long.class, o -> o.changes(ChangeOptions.keep(Duration.ofDays(1))))
        .put(1L, 1L);
    return pool.changes(name, Long.class, Long.class);
  }

  /** A method or constructor of a public type, which may have it from one that is not public. */
  private record Call(Class<?> type, Executable member) {
    @Override
    public String toString() {
      return type.getName() + '.' + member.getName() + Arrays.asList(member.getParameterTypes());
    }
  }

  private static Collection<Call> withDurations() throws Exception {
    Map<String, Call> found = new TreeMap<>();
    for (Class<?> type : PublicApi.types(Rockpool.class)) {
      List<Executable> members = new ArrayList<>(List.of(type.getConstructors()));
      members.addAll(List.of(type.getMethods()));
      for (Executable member : members) {
        boolean fits = Arrays.asList(member.getParameterTypes()).contains(Duration.class);
        if (fits && !CARRIERS.contains(type)) {
          Call call = new Call(type, member);
          found.put(call.toString(), call);
        }
      }
    }
    return found.values();
  }

  private Object argument(Class<?> type, Duration duration, Rockpool pool) throws Exception {
    if (type == Duration.class) {
      return duration;
    }
    if (type == int.class) {
      return 1;
    }
    if (type == double.class) {
      return 1d;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == String.class) {
      return name();
    }
    if (type == InstantSource.class) {
      return Clock.systemUTC();
    }
    if (type == BackupOptions.class) {
      return BackupOptions.defaults();
    }
    if (type == Map.class) {
      return Map.of(1L, 1L);
    }
    if (type == Set.class) {
      return Set.of("tag");
    }
    if (type == Function.class) {
      return (Function<Object, Object>) x -> 1L;
    }
    if (type == Collection.class) {
      return List.of();
    }
    Fresh fresh = instances.get(type);
    return fresh != null ? fresh.make(pool) : 1L;
  }

  private String call(Call call, Duration duration, Rockpool pool) throws Exception {
    Class<?> type = call.type();
    Executable member = call.member();
    boolean isStatic = member instanceof Constructor || Modifier.isStatic(member.getModifiers());
    Fresh fresh = instances.get(type);
    if (!isStatic && fresh == null) {
      return "add an instance of " + type + " to this test";
    }
    Object target = isStatic ? null : fresh.make(pool);
    List<Object> arguments = new ArrayList<>();
    for (Class<?> parameter : member.getParameterTypes()) {
      arguments.add(
          parameter == List.class
              ? List.of(instances.get(type).make(pool))
              : parameter == long.class && target instanceof ChangeFeed<?, ?> feed
                  ? feed.oldest()
                  : argument(parameter, duration, pool));
    }
    member.setAccessible(true);
    try {
      if (member instanceof Constructor<?> constructor) {
        constructor.newInstance(arguments.toArray());
      } else {
        ((Method) member).invoke(target, arguments.toArray());
      }
      return "";
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      boolean refused = cause instanceof IllegalArgumentException && cause.getMessage() != null;
      if (cause instanceof UnsupportedOperationException && isFraction(member)) {
        return ""; // for numbers that are not whole
      }
      boolean isNull = duration == null && cause instanceof NullPointerException;
      return refused || isNull ? "" : cause.toString();
    } catch (IllegalArgumentException e) {
      return "give this test an argument for it: " + arguments;
    }
  }

  private static boolean isFraction(Executable member) {
    return Arrays.asList(member.getParameterTypes()).contains(double.class);
  }

  @Test
  void everyDurationWorksOrIsRefused() throws Exception {
    Set<String> wrong = new LinkedHashSet<>();
    Collection<Call> all = withDurations();
    assertThat(all).hasSizeGreaterThan(100);
    List<Duration> durations = new ArrayList<>(LONG);
    durations.addAll(SHORT);
    durations.add(null);
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      for (Call call : all) {
        for (Duration duration : durations) {
          String found = call(call, duration, pool);
          if (!found.isEmpty()) {
            wrong.add(call + " with " + duration + ": " + found);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void whatWasAcceptedWorksLater() throws Exception {
    for (Duration d : LONG) {
      for (int deliveries : new int[] {1, 2, 40, 1_000}) {
        assertThat(Backoff.fixed(d).after(deliveries)).isEqualTo(d);
        assertThat(Backoff.exponential(d, d).after(deliveries)).isEqualTo(d);
        assertThat(Backoff.exponential(Duration.ofMillis(1), d).after(deliveries)).isPositive();
      }
      Instant now = Instant.now();
      for (Schedule schedule : List.of(Schedule.rate(d), Schedule.delay(d))) {
        assertThat(schedule.first(now).orElseThrow()).isAfter(now.plusSeconds(1_000_000_000));
      }
      assertThat(Schedule.rate(d).next(now, now).orElseThrow()).isAfter(now);
      assertThat(Schedule.rate(d).next(Instant.EPOCH, now).orElseThrow()).isAfter(now);
      assertThat(Expiry.after(now.toEpochMilli(), d)).isGreaterThan(now.toEpochMilli());
    }
  }

  @Test
  void aQueueWorksWithTheLongestOfAll() throws Exception {
    for (Duration d : LONG) {
      Path path = directory.resolve("queue" + name());
      try (Rockpool pool = Rockpool.open(path)) {
        PersistentQueue<Long> queue = queue(pool, d);
        queue.send(1L);
        Delivery<Long> delivery = queue.receive(1, d).get(0);
        assertThat(delivery.extend(d)).isTrue();
        assertThat(delivery.retry("later")).isTrue();
        queue.send(2L, o -> o.delay(d));
        queue.send(3L, o -> o.timeToLive(d).deduplicate("id", d));
        assertThat(queue.size()).isEqualTo(3);
        CountDownLatch handled = new CountDownLatch(1);
        QueueListener<Long> listener =
            QueueListener.on(queue, message -> handled.countDown())
                .maxExtension(d)
                .shutdownTimeout(d)
                .start();
        handled.await();
        listener.close();
        assertThat(queue.size()).isEqualTo(2);
        PersistentTimer<Long> timer = pool.timer("rate", Schedule.rate(d), Long.class);
        timer.start(1L);
        assertThat(timer.next().orElseThrow()).isAfter(Instant.now());
      }
      try (Rockpool pool = Rockpool.open(path)) {
        assertThat(queue(pool, d).size()).isEqualTo(2);
      }
    }
  }

  private static PersistentQueue<Long> queue(Rockpool pool, Duration d) {
    return pool.queue(
        "q", Long.class, o -> o.visibilityTimeout(d).backoff(Backoff.exponential(d, d)));
  }

  @Test
  void aStoreAndACacheWorkWithTheLongestOfAll() throws Exception {
    for (Duration d : LONG) {
      Path path = directory.resolve("cache" + name());
      RocksDbOptions options =
          RocksDbOptions.builder()
              .syncPeriod(d)
              .stallLimit(d)
              .reclaimPeriod(d)
              .entryPurgePeriod(d)
              .build();
      try (Rockpool pool = Rockpool.at(o -> RocksDbEngine.open(path, options)).open()) {
        for (CacheExpiry<Long, Long> expiry :
            List.<CacheExpiry<Long, Long>>of(
                CacheExpiry.afterWrite(d),
                CacheExpiry.afterCreation(d),
                CacheExpiry.afterAccess(d),
                CacheExpiry.afterWriteOrAccess(d, d),
                CacheExpiry.creating((k, v) -> d),
                CacheExpiry.writing((k, v) -> d),
                CacheExpiry.accessing((k, v) -> d),
                CacheExpiry.<Long, Long>afterWrite(d).withJitter(0.5))) {
          CacheOptions<Long, Long> all = CacheOptions.defaults();
          PersistentCache<Long, Long> cache =
              cache(
                  pool,
                  all.expiry(expiry).softTtl(d).refreshRetryPause(d).refreshLoader(key -> key));
          assertThat(cache.get(1L)).isEqualTo(1);
          cache.put(2L, 2L, d);
          assertThat(cache.get(2L)).isEqualTo(2);
          cache.put(2L, 3L);
          assertThat(cache.get(2L)).isEqualTo(3);
        }
        WriteBehindOptions behind =
            WriteBehindOptions.defaults()
                .backoff(d, d)
                .maximumAge(d)
                .maximumWait(d)
                .closeTimeout(d);
        CacheOptions<Long, Long> all = CacheOptions.defaults();
        PersistentCache<Long, Long> cache = cache(pool, all.writeBehind(new Writer(), behind));
        assertThat(cache.writeBehind().flush(d)).isTrue();
        cache.close();
        PersistentMap<Long, Long> map =
            pool.map(
                "m", Long.class, Long.class, o -> o.entryTtl(d).changes(ChangeOptions.keep(d)));
        map.put(1L, 1L);
        assertThat(map.get(1L)).isEqualTo(1);
      }
    }
  }
}
