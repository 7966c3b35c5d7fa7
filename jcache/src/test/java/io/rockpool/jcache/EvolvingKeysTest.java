package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.NameConflictException;
import io.rockpool.testing.KeyPairs;
import io.rockpool.testing.KeyPairs.Outcome;
import io.rockpool.testing.KeyPairs.Pair;
import io.rockpool.testing.KeyPairs.Rules;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes of keys that change between two openings, in caches with types and without. */
@Slow
class EvolvingKeysTest extends JCacheTest {
  static Stream<Arguments> cases() {
    return KeyPairs.all().stream()
        .filter(pair -> !pair.hasCodec()) // a configuration has codecs of whole keys only
        .flatMap(
            pair ->
                Stream.of(Arguments.of(Rules.CACHE, pair), Arguments.of(Rules.ANY_CACHE, pair)));
  }

  private Cache<Object, String> open(Rules rules, SourceLoader version, Class<?> type) {
    MutableConfiguration<Object, String> configuration = new MutableConfiguration<>();
    if (rules == Rules.CACHE) {
      @SuppressWarnings("unchecked") // a class that only the loader has
      Class<Object> declared = (Class<Object>) type;
      configuration.setTypes(declared, String.class);
    }
    Cache<Object, String> cache =
        provider.getCacheManager(uri(), version).createCache("c", configuration);
    return cache;
  }

  private static List<Object> keys(Cache<Object, String> cache) {
    List<Object> keys = new ArrayList<>();
    cache.forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anEqualKeyIsFoundOrTheOpeningRefused(Rules rules, Pair pair) {
    SourceLoader before = pair.version(false);
    Object first = before.make();
    Cache<Object, String> cache = open(rules, before, first.getClass());
    cache.put(first, "v");
    assertThat(cache.get(first)).isEqualTo("v");
    provider.close();

    Outcome outcome = pair.outcome(rules);
    SourceLoader after = pair.version(true);
    Object mine = after.make();
    if (outcome == Outcome.REFUSED) {
      assertThatThrownBy(() -> open(rules, after, mine.getClass()))
          .hasStackTraceContaining(NameConflictException.class.getName())
          .hasMessageContaining("codec is ");
      return;
    }
    Cache<Object, String> later = open(rules, after, mine.getClass());
    boolean found = outcome == Outcome.FOUND;
    assertThat(keys(later)).hasSize(found ? 1 : 0).allMatch(later::containsKey);
    assertThat(later.get(mine)).isEqualTo(found ? "v" : null);
    assertThat(later.putIfAbsent(mine, "w")).isEqualTo(!found);
    assertThat(keys(later)).isEqualTo(List.of(mine));
    assertThat(later.get(mine)).isEqualTo(found ? "v" : "w");
  }
}
