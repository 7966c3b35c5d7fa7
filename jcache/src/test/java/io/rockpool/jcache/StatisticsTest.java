package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.management.CacheStatisticsMXBean;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each operation counts, on a key that is absent and on one that is present. */
class StatisticsTest extends JCacheTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String KEY = "k";
  private static final int VALUE = 1;

  /** Hits, misses, puts and removals. */
  record Counts(long hits, long misses, long puts, long removals) {
    static Counts of(CacheStatisticsMXBean bean) {
      return new Counts(
          bean.getCacheHits(), bean.getCacheMisses(), bean.getCachePuts(), bean.getCacheRemovals());
    }
  }

  private static final Counts NOTHING = new Counts(0, 0, 0, 0);
  private static final Counts HIT = new Counts(1, 0, 0, 0);
  private static final Counts MISS = new Counts(0, 1, 0, 0);
  private static final Counts PUT = new Counts(0, 0, 1, 0);
  private static final Counts REMOVAL = new Counts(0, 0, 0, 1);
  private static final Counts HIT_PUT = new Counts(1, 0, 1, 0);
  private static final Counts MISS_PUT = new Counts(0, 1, 1, 0);
  private static final Counts HIT_REMOVAL = new Counts(1, 0, 0, 1);
  private static final Counts MISS_REMOVAL = new Counts(0, 1, 0, 1);

  private static Arguments row(
      String operation, Consumer<Cache<String, Integer>> call, Counts absent, Counts present) {
    return arguments(Named.of(operation, call), absent, present);
  }

  private static Consumer<Cache<String, Integer>> invoke(
      EntryProcessor<String, Integer, Object> processor) {
    return cache -> cache.invoke(KEY, processor);
  }

  static Stream<Arguments> table() {
    return Stream.of(
        row("get", c -> c.get(KEY), MISS, HIT),
        row("getAll", c -> c.getAll(Set.of(KEY)), MISS, HIT),
        row("containsKey", c -> c.containsKey(KEY), NOTHING, NOTHING),
        row("put", c -> c.put(KEY, 2), PUT, PUT),
        row("putAll", c -> c.putAll(Map.of(KEY, 2)), PUT, PUT),
        row("getAndPut", c -> c.getAndPut(KEY, 2), MISS_PUT, HIT_PUT),
        row("putIfAbsent", c -> c.putIfAbsent(KEY, 2), MISS_PUT, HIT),
        row("remove", c -> c.remove(KEY), NOTHING, REMOVAL),
        row("remove equal", c -> c.remove(KEY, VALUE), MISS, HIT_REMOVAL),
        row("remove other", c -> c.remove(KEY, 7), MISS, HIT),
        row("getAndRemove", c -> c.getAndRemove(KEY), MISS, HIT_REMOVAL),
        row("replace equal", c -> c.replace(KEY, VALUE, 2), MISS, HIT_PUT),
        row("replace other", c -> c.replace(KEY, 7, 2), MISS, HIT),
        row("replace", c -> c.replace(KEY, 2), MISS, HIT_PUT),
        row("getAndReplace", c -> c.getAndReplace(KEY, 2), MISS, HIT_PUT),
        row("removeAll of keys", c -> c.removeAll(Set.of(KEY)), NOTHING, REMOVAL),
        row("removeAll", Cache::removeAll, NOTHING, REMOVAL),
        row("clear", Cache::clear, NOTHING, NOTHING),
        row("iterate", c -> c.forEach(entry -> {}), NOTHING, HIT),
        row("iterate and remove", StatisticsTest::iterateAndRemove, NOTHING, HIT_REMOVAL),
        row("loadAll", c -> c.loadAll(Set.of(KEY), true, null), NOTHING, NOTHING),
        row("invoke idly", invoke((e, a) -> null), MISS, HIT),
        row("invoke get", invoke((e, a) -> e.getValue()), MISS, HIT),
        row("invoke exists", invoke((e, a) -> e.exists()), MISS, HIT),
        row("invoke set", invoke(StatisticsTest::set), MISS_PUT, HIT_PUT),
        row("invoke remove", invoke(StatisticsTest::remove), MISS_REMOVAL, HIT_REMOVAL),
        row("invoke set, remove", invoke(StatisticsTest::setAndRemove), MISS, HIT_REMOVAL),
        row("invoke remove, set", invoke(StatisticsTest::removeAndSet), MISS_PUT, HIT_PUT));
  }

  private static void iterateAndRemove(Cache<String, Integer> cache) {
    for (Iterator<?> iterator = cache.iterator(); iterator.hasNext(); ) {
      iterator.next();
      iterator.remove();
    }
  }

  private static Object set(MutableEntry<String, Integer> entry, Object... arguments) {
    entry.setValue(2);
    return null;
  }

  private static Object remove(MutableEntry<String, Integer> entry, Object... arguments) {
    entry.remove();
    return null;
  }

  private static Object setAndRemove(MutableEntry<String, Integer> entry, Object... arguments) {
    entry.setValue(2);
    entry.remove();
    return null;
  }

  private static Object removeAndSet(MutableEntry<String, Integer> entry, Object... arguments) {
    entry.remove();
    entry.setValue(2);
    return null;
  }

  private Cache<String, Integer> cache;
  private CacheStatisticsMXBean bean;

  @BeforeEach
  void open() throws Exception {
    cache =
        manager()
            .createCache(
                "numbers",
                new MutableConfiguration<String, Integer>()
                    .setTypes(String.class, Integer.class)
                    .setStatisticsEnabled(true));
    bean = JMX.newMXBeanProxy(SERVER, name("CacheStatistics"), CacheStatisticsMXBean.class);
  }

  private ObjectName name(String type) throws Exception {
    return new ObjectName(
        "javax.cache:type="
            + type
            + ",CacheManager="
            + uri().toString().replace(':', '.')
            + ",Cache=numbers");
  }

  @ParameterizedTest
  @MethodSource("table")
  void operations(Consumer<Cache<String, Integer>> operation, Counts absent, Counts present) {
    operation.accept(cache);
    assertThat(Counts.of(bean)).as("absent").isEqualTo(absent);
    cache.put(KEY, VALUE);
    bean.clear();
    operation.accept(cache);
    assertThat(Counts.of(bean)).as("present").isEqualTo(present);
  }

  @Test
  void clearBeginsAnew() {
    cache.put(KEY, VALUE);
    cache.get(KEY);
    cache.get("none");
    assertThat(bean.getCacheGets()).isEqualTo(2);
    assertThat(bean.getCacheHitPercentage()).isEqualTo(50f);
    assertThat(bean.getCacheMissPercentage()).isEqualTo(50f);
    assertThat(bean.getAveragePutTime()).isPositive();
    assertThat(bean.getAverageGetTime()).isPositive();
    bean.clear();
    assertThat(Counts.of(bean)).isEqualTo(NOTHING);
    assertThat(bean.getCacheHitPercentage()).isZero();
    assertThat(bean.getAveragePutTime()).isZero();
  }

  @Test
  void beansComeAndGoAtRunTime() throws Exception {
    CacheManager manager = manager();
    assertThat(SERVER.isRegistered(name("CacheStatistics"))).isTrue();
    assertThat(SERVER.isRegistered(name("CacheConfiguration"))).isFalse();

    manager.enableManagement("numbers", true);
    assertThat(SERVER.getAttribute(name("CacheConfiguration"), "KeyType"))
        .isEqualTo("java.lang.String");
    assertThat(SERVER.getAttribute(name("CacheConfiguration"), "StatisticsEnabled"))
        .isEqualTo(true);
    manager.enableStatistics("numbers", false);
    assertThat(SERVER.isRegistered(name("CacheStatistics"))).isFalse();
    assertThat(configurationOf(cache).isStatisticsEnabled()).isFalse();
    cache.get(KEY);
    manager.enableStatistics("numbers", true);
    manager.enableStatistics("numbers", true);
    assertThat(Counts.of(bean)).as("counted nothing meanwhile").isEqualTo(NOTHING);

    cache.close();
    assertThat(SERVER.queryNames(new ObjectName("javax.cache:*"), null)).isEmpty();
  }

  @Test
  void togglingOpensACacheThatIsThere() throws Exception {
    restarted().enableManagement("numbers", true);
    assertThat(SERVER.isRegistered(name("CacheConfiguration"))).isTrue();
  }
}
