package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.jcache.internal.config.ExpiryText;
import io.rockpool.jcache.internal.config.FixedExpiryPolicy;
import io.rockpool.jcache.internal.config.StoredConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import org.junit.jupiter.api.Test;

/** Whatever the text beside a cache has become: a configuration, or an error that says so. */
class DamagedConfigurationTest {
  private static final int CHANGES = 20_000;
  private static final String LETTERS = "0123456789 ,.-+eEPTSDHMNaI\0xé";

  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  private String damaged(String text) {
    StringBuilder damaged = new StringBuilder(text);
    for (int left = random.nextInt(3); left >= 0; left--) {
      int at = random.nextInt(damaged.length() + 1);
      char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
      switch (random.nextInt(3)) {
        case 0 -> damaged.insert(at, letter);
        case 1 -> damaged.delete(at, at + 1 + random.nextInt(3));
        default -> damaged.replace(at, Math.min(at + 1, damaged.length()), letter + "");
      }
    }
    return damaged.toString();
  }

  @Test
  void ofAnExpiryPolicyIsAPolicyOrRefused() {
    List<String> whole =
        List.of(
            "eternal",
            "created 30 SECONDS",
            "touched ETERNAL",
            "fixed 30 SECONDS, UNCHANGED, 5 MINUTES");
    int read = 0;
    for (int i = 0; i < CHANGES; i++) {
      String text = damaged(whole.get(i % whole.size()));
      ExpiryPolicy policy;
      try {
        policy = ExpiryText.factory(text).create();
      } catch (IllegalArgumentException e) {
        continue;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", " + text, e);
      }
      read++;
      String back = ExpiryText.of(policy);
      assertThat(ExpiryText.of(ExpiryText.factory(back).create())).as(text).isEqualTo(back);
    }
    assertThat(read).isPositive();
  }

  private static Map<String, String> whole() {
    RockpoolConfiguration<String, Integer> configuration =
        RockpoolConfiguration.of(
                new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class))
            .hotEntries(5)
            .softTtl(Duration.ofSeconds(9))
            .jitter(0.25);
    javax.cache.expiry.Duration hour = new javax.cache.expiry.Duration(TimeUnit.HOURS, 1);
    return StoredConfiguration.toText(
        configuration, configuration.values(), new FixedExpiryPolicy(hour, hour, null));
  }

  @Test
  void ofAConfigurationIsAConfigurationOrRefused() {
    Map<String, String> whole = whole();
    List<String> names = List.copyOf(whole.keySet());
    ClassLoader loader = getClass().getClassLoader();
    int read = 0;
    for (int i = 0; i < CHANGES; i++) {
      Map<String, String> text = new TreeMap<>(whole);
      String name = names.get(i % names.size());
      if (i % 10 == 0) {
        text.remove(name);
      } else {
        text.computeIfPresent(name, (same, value) -> damaged(value));
      }
      try {
        assertThat(StoredConfiguration.fromText("c", text, loader).standard().getKeyType())
            .isNotNull();
        read++;
      } catch (CacheException e) {
        assertThat(e).hasMessageContaining("\"c\"");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", " + text, e);
      }
    }
    assertThat(read).isPositive();
  }
}
