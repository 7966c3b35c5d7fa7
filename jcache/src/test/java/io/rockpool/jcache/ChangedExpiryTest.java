package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache that is opened with another expiry than it had. */
class ChangedExpiryTest extends JCacheTest {
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream standardError = System.err;

  @BeforeEach
  void catchLog() {
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void letLogGo() {
    System.setErr(standardError);
  }

  private static MutableConfiguration<String, Integer> eternal() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setExpiryPolicyFactory(EternalExpiryPolicy.factoryOf());
  }

  private static MutableConfiguration<String, Integer> minutes(long minutes) {
    return eternal()
        .setExpiryPolicyFactory(
            ModifiedExpiryPolicy.factoryOf(new Duration(TimeUnit.MINUTES, minutes)));
  }

  @Test
  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  void holdsForWhatIsWrittenFromThenOn() {
    manager().createCache("c", eternal()).put("old", 1);
    Cache<String, Integer> cache = restarted().createCache("c", minutes(10));
    cache.put("new", 2);
    PersistentCache<String, Integer> kernel = cache.unwrap(PersistentCache.class);
    assertThat(kernel.ttl("old")).contains(CacheExpiry.FOREVER);
    assertThat(kernel.ttl("new").orElseThrow())
        .isLessThanOrEqualTo(java.time.Duration.ofMinutes(10));
    cache.put("old", 3);
    assertThat(kernel.ttl("old").orElseThrow())
        .isLessThanOrEqualTo(java.time.Duration.ofMinutes(10));
  }

  @Test
  void isSaidOnce() {
    manager().createCache("c", eternal());
    restarted().createCache("c", eternal());
    restarted().getCache("c");
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("expire by");

    restarted().createCache("c", minutes(10));
    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce(
            "Entries of cache \"c\" that are written from now on expire by \"modified 10 MINUTES\"; those written before keep what \"eternal\" gave them");
    restarted().createCache("c", minutes(10));
    restarted().getCache("c");
    assertThat(log.toString(StandardCharsets.UTF_8)).containsOnlyOnce("expire by");

    restarted().createCache("c", eternal().setExpiryPolicyFactory(OwnPolicy::new));
    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("expire by \"a policy of the application's own\"");
  }
}
