package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.rockpool.engine.memory.MemoryEngine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheWriter;
import javax.cache.management.CacheStatisticsMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In which order the writer, the cache and the listeners come, and what each is told: the writer
 * sees the cache as it was, the listeners as it is.
 */
class SequenceTest extends JCacheTest {
  /**
   * The operation, then what is told if the key is absent, and if it is present; in brackets, what
   * the cache has at that moment.
   */
  private static final String TABLE =
      """
      put               | W new [-], CREATED ->new [new]   | W new [old], UPDATED old->new [new]
      putAll            | W new [-], CREATED ->new [new]   | W new [old], UPDATED old->new [new]
      getAndPut         | W new [-], CREATED ->new [new]   | W new [old], UPDATED old->new [new]
      putIfAbsent       | W new [-], CREATED ->new [new]   |
      remove            | D [-]                            | D [old], REMOVED old->old [-]
      remove equal      |                                  | D [old], REMOVED old->old [-]
      getAndRemove      | D [-]                            | D [old], REMOVED old->old [-]
      removeAll of keys | D [-]                            | D [old], REMOVED old->old [-]
      removeAll         |                                  | D [old], REMOVED old->old [-]
      replace           |                                  | W new [old], UPDATED old->new [new]
      replace equal     |                                  | W new [old], UPDATED old->new [new]
      getAndReplace     |                                  | W new [old], UPDATED old->new [new]
      iterate and remove |                                 | D [old], REMOVED old->old [-]
      invoke set        | W new [-], CREATED ->new [new]   | W new [old], UPDATED old->new [new]
      invoke remove     | D [-]                            | D [old], REMOVED old->old [-]
      invokeAll set     | W new [-], CREATED ->new [new]   | W new [old], UPDATED old->new [new]
      invokeAll remove  | D [-]                            | D [old], REMOVED old->old [-]
      """;

  private final List<String> told = new ArrayList<>();
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());
  private Cache<String, String> cache;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private void note(String what, String key) {
    Object there = kernelOf(cache).get(key);
    told.add(what + " [" + text(there) + "]");
  }

  private static String text(Object value) {
    return value == null ? "-" : value.toString();
  }

  private final class Writer implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      note("W " + entry.getValue(), entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.forEach(this::write);
    }

    @Override
    public void delete(Object key) {
      note("D", (String) key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
    }
  }

  private final class Ear
      implements CacheEntryCreatedListener<String, String>,
          CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String> {
    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      for (CacheEntryEvent<? extends String, ? extends String> event : events) {
        String old = event.getOldValue() == null ? "" : event.getOldValue();
        String now = event.getValue() == null ? "" : event.getValue();
        note(event.getEventType() + " " + old + "->" + now, event.getKey());
      }
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      hear(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      hear(events);
    }
  }

  private void open() {
    cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setStatisticsEnabled(true)
                .setWriteThrough(true)
                .setCacheWriterFactory(Writer::new)
                .addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<>(Ear::new, null, true, true)));
  }

  static Stream<Arguments> rows() {
    return TABLE
        .lines()
        .map(line -> line.split("\\|", -1))
        .map(row -> arguments(row[0].strip(), row[1].strip(), row[2].strip()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void row(String operation, String absent, String present) {
    open();
    Operations.named(operation).accept(cache);
    assertThat(String.join(", ", told)).as("absent").isEqualTo(absent);
    cache.clear();
    cache.put(Operations.KEY, Operations.OLD);
    told.clear();
    Operations.named(operation).accept(cache);
    assertThat(String.join(", ", told)).as("present").isEqualTo(present);
  }

  private void given(String... keys) {
    open();
    for (String key : keys) {
      cache.put(key, Operations.OLD);
    }
    statistics(cache).ifPresent(CacheStatisticsMXBean::clear);
    told.clear();
  }

  private static Set<String> threeKeys() {
    return new LinkedHashSet<>(List.of("a", "b", "c"));
  }

  @Test
  void manyOfWhichSomeAreThereArePut() {
    given("b");
    cache.putAll(Operations.all(threeKeys(), Operations.NEW));
    assertThat(told)
        .containsExactlyInAnyOrder(
            "W new [-]",
            "W new [old]",
            "W new [-]",
            "CREATED ->new [new]",
            "UPDATED old->new [new]",
            "CREATED ->new [new]");
    assertThat(told.subList(0, 3)).allMatch(it -> it.startsWith("W"));
    assertThat(statistics(cache).orElseThrow().getCachePuts()).isEqualTo(3);
  }

  @Test
  void manyOfWhichSomeAreThereAreRemoved() {
    given("b");
    cache.removeAll(threeKeys());
    assertThat(told).containsExactly("D [-]", "D [old]", "D [-]", "REMOVED old->old [-]");
    assertThat(statistics(cache).orElseThrow().getCacheRemovals()).isEqualTo(1);
  }

  @Test
  void manyOfWhichSomeAreThereAreRead() {
    given("b");
    assertThat(cache.getAll(threeKeys())).isEqualTo(Map.of("b", Operations.OLD));
    assertThat(told).isEmpty();
    CacheStatisticsMXBean counted = statistics(cache).orElseThrow();
    assertThat(counted.getCacheHits()).isEqualTo(1);
    assertThat(counted.getCacheMisses()).isEqualTo(2);
  }

  @Test
  void manyOfWhichSomeAreThereAreProcessed() {
    given("b");
    cache.invokeAll(
        threeKeys(),
        (entry, arguments) -> {
          if (entry.getKey().equals("c")) {
            throw new CacheException("as told");
          }
          entry.setValue(Operations.NEW);
          return null;
        });
    assertThat(told)
        .containsExactly(
            "W new [-]", "W new [old]", "CREATED ->new [new]", "UPDATED old->new [new]");
    CacheStatisticsMXBean counted = statistics(cache).orElseThrow();
    assertThat(counted.getCacheHits()).isEqualTo(1);
    assertThat(counted.getCacheMisses()).isEqualTo(2);
    assertThat(counted.getCachePuts()).isEqualTo(2);
  }
}
