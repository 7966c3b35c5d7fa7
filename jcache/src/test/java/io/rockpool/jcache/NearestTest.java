package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.jcache.internal.config.CacheSection;
import io.rockpool.jcache.internal.config.Suggestion;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  @ParameterizedTest
  @CsvSource({
    "hot-sise, hot-size",
    "hotsize, hot-size",
    "hot-siz, hot-size",
    "expire, expiry",
    "durabilty, durability"
  })
  void findsWhatWasMeant(String typed, String meant) {
    assertThat(Suggestion.to(typed, CacheSection.KEYS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"colour", "x", "ttl"})
  void guessesNothingFar(String typed) {
    assertThat(Suggestion.to(typed, CacheSection.KEYS)).isEmpty();
    assertThat(Suggestion.to(typed, List.of())).isEmpty();
  }
}
