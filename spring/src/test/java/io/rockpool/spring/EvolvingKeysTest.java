package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.KeyPairs;
import io.rockpool.testing.KeyPairs.Outcome;
import io.rockpool.testing.KeyPairs.Pair;
import io.rockpool.testing.KeyPairs.Rules;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Classes of the parameters of {@code @Cacheable} methods that change between two deploys. */
@Slow
final class EvolvingKeysTest {
  @TempDir private Path directory;

  @Configuration
  @EnableCaching
  static class Settings {}

  static class Service {
    int calls;

    @Cacheable("one")
    public String of(Object key) {
      return "call " + ++calls;
    }

    @Cacheable("two")
    public String of(Object key, int other) {
      return "call " + ++calls;
    }

    /** How often methods were run for two calls with one parameter and two with two. */
    static int calls(Service service, Object key) {
      for (int i = 0; i < 2; i++) {
        assertThat(service.of(key)).startsWith("call ");
        assertThat(service.of(key, 1)).startsWith("call ");
      }
      return service.calls();
    }

    public int calls() {
      return calls;
    }
  }

  static Iterable<Pair> pairs() {
    return KeyPairs.all();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void anEqualKeyIsFoundOrIsAnother(Pair pair) {
    Outcome outcome = pair.outcome(Rules.ANY_CACHE);
    assertThat(callsOf(pair.version(false))).isEqualTo(2);
    assertThat(callsOf(pair.version(true))).isEqualTo(outcome == Outcome.FOUND ? 0 : 2);
  }

  private int callsOf(SourceLoader version) {
    try (Rockpool pool = SuiteStores.open(directory.resolve("store"));
        RockpoolCacheManager manager = new RockpoolCacheManager(pool, KeyPairs.codecs(version));
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(CacheManager.class, () -> manager);
      context.register(Settings.class, Service.class);
      context.refresh();
      return Service.calls(context.getBean(Service.class), version.make());
    }
  }
}
