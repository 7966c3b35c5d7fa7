package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.Slow;
import java.util.Set;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every operation does, on a key that is absent and on one that is present, with read-through
 * and write-through off and on, whoever watches.
 */
@Slow
class OperationTableTest extends JCacheTest {
  /**
   * Operation, then what happens if the key is absent, then if it is present. {@code RT:} begins
   * what happens instead where reads go through a loader; what the writer is told is left out where
   * writes do not go through one. After the arrow: which value is there then.
   *
   * <pre>
   * hit miss put rem   statistics
   * xC xA xU           the expiry policy is asked at creation, access, update
   * C U R              events: created, updated, removed
   * L Ls               the loader: load, loadAll
   * failed             the operation throws
   * W Ws D Ds          the writer: write, writeAll, delete, deleteAll
   * </pre>
   */
  private static final String TABLE =
      """
      get                   | miss -> none       RT: miss L xC C -> loaded       | hit xA -> old
      getAll                | miss -> none       RT: miss Ls xC C -> loaded      | hit xA -> old
      containsKey           | -> none                                            | -> old
      put                   | put xC C W -> new                                  | put xU U W -> new
      putAll                | put xC C Ws -> new                                 | put xU U Ws -> new
      getAndPut             | miss put xC C W -> new                             | hit put xU U W -> new
      putIfAbsent           | miss put xC C W -> new                             | hit -> old
      remove                | D -> none                                          | rem R D -> none
      remove equal          | miss -> none                                       | hit rem R D -> none
      remove other          | miss -> none                                       | hit xA -> old
      getAndRemove          | miss D -> none                                     | hit rem R D -> none
      replace equal         | miss -> none                                       | hit put xU U W -> new
      replace other         | miss -> none                                       | hit xA -> old
      replace               | miss -> none                                       | hit put xU U W -> new
      getAndReplace         | miss -> none                                       | hit put xU U W -> new
      removeAll of keys     | Ds -> none                                         | rem R Ds -> none
      removeAll             | -> none                                            | rem R Ds -> none
      clear                 | -> none                                            | -> none
      iterate               | -> none                                            | hit xA -> old
      iterate and remove    | -> none                                            | hit xA rem R D -> none
      loadAll keeping       | Ls xC C -> loaded                                  | -> old
      loadAll replacing     | Ls xC C -> loaded                                  | Ls xU U -> loaded
      invoke                | miss -> none                                       | hit -> old
      invoke get            | miss -> none       RT: miss L xC C -> loaded       | hit xA -> old
      invoke exists         | miss -> none                                       | hit -> old
      invoke set            | miss put xC C W -> new                             | hit put xU U W -> new
      invoke remove         | miss D -> none                                     | hit rem R D -> none
      invoke get set        | miss put xC C W -> new  RT: miss L put xC C W -> new | hit put xU U W -> new
      invoke exists set     | miss put xC C W -> new                             | hit put xU U W -> new
      invoke set get        | miss put xC C W -> new                             | hit put xU U W -> new
      invoke set remove     | miss -> none                                       | hit rem R D -> none
      invoke get remove     | miss D -> none        RT: miss L -> none           | hit rem R D -> none
      invoke remove set     | miss put xC C W -> new                             | hit put xU U W -> new
      invoke remove get     | miss D -> none        RT: miss L xC C -> loaded    | hit rem R D -> none  RT: hit L xC C -> loaded
      invoke set fail       | miss failed -> none                                | hit failed -> old
      invokeAll set         | miss put xC C W -> new                             | hit put xU U W -> new
      invokeAll get         | miss -> none       RT: miss L xC C -> loaded       | hit xA -> old
      """;

  private static final int OPERATIONS = 37;
  private static final Set<String> COUNTED = Set.of("hit", "miss", "put", "rem");
  private static final Set<String> WRITER = Set.of("W", "Ws", "D", "Ds");
  private static final Set<String> ALWAYS = Set.of("L", "Ls", "W", "Ws", "D", "Ds", "failed");

  /** Who watches the cache beside its loader and writer: with fewer, it goes cheaper ways. */
  private enum Watchers {
    ALL,
    STATISTICS,
    LISTENER,
    POLICY,
    NONE;

    boolean see(String call) {
      return this == ALL || ALWAYS.contains(call) || this == watcherOf(call);
    }

    private static Watchers watcherOf(String call) {
      if (COUNTED.contains(call)) {
        return STATISTICS;
      }
      return call.startsWith("x") ? POLICY : LISTENER;
    }
  }

  /** How the cache of a test is made. */
  private record Setup(boolean readThrough, boolean writeThrough, Watchers watchers) {
    /** What a cell of the table says for this setup. */
    Happening expected(String cell) {
      String[] ways = cell.split("RT:", 2);
      return Happening.parse(
          ways[ways.length == 2 && readThrough ? 1 : 0],
          call -> watchers.see(call) && (writeThrough || !WRITER.contains(call)));
    }

    static Stream<Setup> all() {
      return Stream.of(Watchers.values())
          .flatMap(
              watchers ->
                  Stream.of(false, true)
                      .flatMap(
                          through ->
                              Stream.of(
                                  new Setup(false, through, watchers),
                                  new Setup(true, through, watchers))));
    }
  }

  @Test
  void theTableIsWhole() {
    assertThat(TABLE.lines()).hasSize(OPERATIONS);
  }

  static Stream<Arguments> cells() {
    return TABLE
        .lines()
        .map(line -> line.split("\\|"))
        .flatMap(
            row ->
                Setup.all()
                    .flatMap(
                        setup ->
                            Stream.of(
                                arguments(row[0].strip(), "absent", setup, row[1]),
                                arguments(row[0].strip(), "present", setup, row[2]))));
  }

  private final Observer observer = new Observer();
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private MutableConfiguration<String, String> configuration(Setup setup) {
    MutableConfiguration<String, String> configuration =
        new MutableConfiguration<String, String>()
            .setTypes(String.class, String.class)
            .setStatisticsEnabled(setup.watchers.see("hit"))
            .setCacheLoaderFactory(() -> observer.loader)
            .setReadThrough(setup.readThrough)
            .setCacheWriterFactory(() -> observer.writer)
            .setWriteThrough(setup.writeThrough);
    if (setup.watchers.see("xC")) {
      configuration.setExpiryPolicyFactory(() -> observer.policy);
    }
    if (setup.watchers.see("C")) {
      configuration.addCacheEntryListenerConfiguration(
          new MutableCacheEntryListenerConfiguration<>(() -> observer.listener, null, true, true));
    }
    return configuration;
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @MethodSource("cells")
  void cell(String operation, String presence, Setup setup, String cell) {
    Cache<String, String> cache = manager.createCache("c", configuration(setup));
    if (presence.equals("present")) {
      cache.put(Operations.KEY, Operations.OLD);
    }
    assertThat(Happening.of(operation, cache, observer)).isEqualTo(setup.expected(cell));
  }
}
