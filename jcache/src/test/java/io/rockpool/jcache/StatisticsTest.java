package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.management.CacheStatisticsMXBean;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The beans; what each operation counts is in {@link OperationTableTest}. */
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

  @Test
  void entriesThatAreIteratedTakeTime() {
    cache.put(KEY, VALUE);
    cache.forEach(entry -> {});
    assertThat(bean.getCacheHits()).isEqualTo(1);
    assertThat(bean.getAverageGetTime()).isPositive();
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
  void aBeanThatIsEnabledWhileItsCacheClosesIsNotLeft() throws Exception {
    cache.close();
    ManagementBean late =
        new ManagementBean(
            new ConfigurationBean(MutableConfiguration::new), "CacheConfiguration", uri(), "late");
    late.enable(true);
    assertThat(SERVER.queryNames(new ObjectName("javax.cache:*"), null)).hasSize(1);
    late.close();
    late.enable(true);
    assertThat(SERVER.queryNames(new ObjectName("javax.cache:*"), null)).isEmpty();
  }

  @Test
  void togglingOpensACacheThatIsThere() throws Exception {
    restarted().enableManagement("numbers", true);
    assertThat(SERVER.isRegistered(name("CacheConfiguration"))).isTrue();
  }

  @Test
  void cachesWithAlikeNamesHaveBeansOfTheirOwn() throws Exception {
    List<String> names = List.of("q:b", "q.b", "q=b", "q\"b");
    for (String name : names) {
      manager()
          .createCache(name, new MutableConfiguration<String, String>().setStatisticsEnabled(true))
          .put("a", "b");
    }
    assertThat(beans("q*b")).hasSize(1);
    assertThat(beans("*q*b*")).hasSize(names.size());
    manager().destroyCache("q:b");
    assertThat(beans("*q*b*")).hasSize(names.size() - 1).allSatisfy(bean -> puts(bean, 1));
  }

  private static Set<ObjectName> beans(String cache) throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("javax.cache:type=CacheStatistics,Cache=" + cache + ",*"), null);
  }

  private static void puts(ObjectName bean, long expected) throws JMException {
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "CachePuts"))
        .isEqualTo(expected);
  }
}
