package io.rockpool.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.management.CacheStatisticsMXBean;

/**
 * What an operation brought about.
 *
 * @param calls how often each call was made and each statistic counted, by the short names that
 *     {@link OperationTableTest} explains
 * @param left the value that is there then, or {@code none}
 */
record Happening(Map<String, Long> calls, String left) {
  private static final String NONE = "none";

  /** Reads {@code hit put xU -> new}, leaving out the calls that nobody sees. */
  static Happening parse(String text, Predicate<String> seen) {
    String[] parts = text.split("->", 2);
    Map<String, Long> calls = new TreeMap<>();
    for (String call : parts[0].strip().split(" +", -1)) {
      if (!call.isEmpty() && seen.test(call)) {
        calls.merge(call, 1L, Long::sum);
      }
    }
    return new Happening(calls, parts[1].strip());
  }

  /** Runs an operation, which may fail. */
  static Happening of(String operation, Cache<String, String> cache, Observer observer) {
    JCacheTest.statistics(cache).ifPresent(CacheStatisticsMXBean::clear);
    observer.take();
    Map<String, Long> calls = new TreeMap<>();
    try {
      Operations.named(operation).accept(cache);
    } catch (CacheException e) {
      calls.put("failed", 1L);
    }
    calls.putAll(observer.take());
    JCacheTest.statistics(cache).ifPresent(bean -> count(bean, calls));
    return new Happening(calls, valueOf(cache));
  }

  private static void count(CacheStatisticsMXBean bean, Map<String, Long> calls) {
    calls.put("hit", bean.getCacheHits());
    calls.put("miss", bean.getCacheMisses());
    calls.put("put", bean.getCachePuts());
    calls.put("rem", bean.getCacheRemovals());
    calls.values().removeIf(times -> times == 0);
  }

  private static String valueOf(Cache<String, String> cache) {
    Iterator<Cache.Entry<String, String>> entries = cache.iterator();
    return entries.hasNext() ? entries.next().getValue() : NONE;
  }
}
