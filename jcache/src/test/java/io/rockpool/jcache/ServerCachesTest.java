package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.HandleUnderTest;
import java.util.Iterator;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches of two processes on one server, whose reports are late. */
@Timeout(60)
final class ServerCachesTest extends JCacheTest {
  private static final String NAME = "c";

  private final HandleUnderTest here = new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final HandleUnderTest there = here.another();
  private CacheManager mine;
  private CacheManager theirs;

  private static MutableConfiguration<String, String> configuration() {
    return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
  }

  @BeforeEach
  void open() {
    here.delay();
    there.delay();
    mine = managerOver(here.engine());
    theirs = managerOver(there.engine());
  }

  @AfterEach
  void close() {
    mine.close();
    theirs.close();
  }

  private Cache<String, String> destroyedElsewhere() {
    Cache<String, String> cache = mine.createCache(NAME, configuration());
    cache.put("k", "v");
    theirs.destroyCache(NAME);
    return cache;
  }

  private static void away(HandleUnderTest handle, String call) {
    handle.before(
        call,
        () -> {
          throw new ServerUnavailableException("The server is away.", null);
        });
  }

  @Test
  void aCacheThatAnotherProcessHasDestroyedIsAbsent() {
    Cache<String, String> cache = destroyedElsewhere();
    assertThat(mine.<String, String>getCache(NAME)).isNull();
    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.get("k")).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void aCacheThatAnotherProcessHasDestroyedCanBeCreatedAgain() {
    Cache<String, String> cache = destroyedElsewhere();
    Cache<String, String> again = mine.createCache(NAME, configuration());
    assertThat(again).isNotSameAs(cache).isEmpty();
    again.put("k", "w");
    assertThat(theirs.<String, String>getCache(NAME).get("k")).isEqualTo("w");
  }

  @Test
  void aCacheThatAnotherProcessHasCreatedAgainIsOpenedAnew() {
    Cache<String, String> cache = destroyedElsewhere();
    theirs.createCache(NAME, configuration()).put("k", "w");
    Cache<String, String> again = mine.getCache(NAME);
    assertThat(again).isNotSameAs(cache);
    assertThat(again.get("k")).isEqualTo("w");
  }

  @Test
  void anOpenCacheIsFoundWhileTheServerIsAwayAndInATransaction() {
    Cache<String, String> cache = mine.createCache(NAME, configuration());
    away(here, "info");
    assertThat(mine.<String, String>getCache(NAME)).isSameAs(cache);
    assertThat(
            mine.unwrap(Rockpool.class)
                .<Cache<String, String>>atomically(transaction -> mine.getCache(NAME)))
        .isSameAs(cache);
  }

  @Test
  void switchesOfTwoProcessesDoNotUndoEachOther() {
    mine.createCache(NAME, configuration());
    theirs.createCache(NAME, configuration());
    mine.enableStatistics(NAME, true);
    theirs.enableManagement(NAME, true);
    mine.close();
    theirs.close();
    try (CacheManager later = managerOver(here.another().engine())) {
      assertThat(configurationOf(later.getCache(NAME)).isStatisticsEnabled()).isTrue();
      assertThat(configurationOf(later.getCache(NAME)).isManagementEnabled()).isTrue();
    }
  }

  @Test
  void removalsAndIterationsOfAServerThatIsAwayThrowCacheExceptions() {
    Cache<String, String> cache =
        mine.createCache(NAME, configuration().setStatisticsEnabled(true));
    cache.put("k", "v");
    away(here, "scanAll");
    assertThatThrownBy(cache::removeAll)
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(ServerUnavailableException.class);
    away(here, "scanAll");
    assertThatThrownBy(
            () -> {
              Iterator<Cache.Entry<String, String>> entries = cache.iterator();
              entries.next();
            })
        .isInstanceOf(CacheException.class)
        .hasCauseInstanceOf(ServerUnavailableException.class);
  }
}
