package io.rockpool.compatibility.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.jcache.RockpoolCachingProvider;
import io.rockpool.sample.testing.LocalServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With JCache's {@link TouchedExpiryPolicy}, a process sees the reads of another one: it misses an
 * entry at most a tenth of its idle time too early.
 */
@Tag("slow")
@Timeout(240)
final class TouchedElsewhereTest {
  private static final long IDLE_SECONDS = 8;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);
  private static final long PAUSE_MILLIS = 50;
  private static final int ATTEMPTS = 5;
  private static final List<String> KEYS = List.of("seen", "unseen");

  /** The other process: reads entries for nine tenths of their idle time. */
  static final class Reader {
    public static void main(String[] arguments) throws Exception {
      try (RockpoolCachingProvider provider = new RockpoolCachingProvider()) {
        Cache<String, Integer> cache = cache(provider, arguments[0]);
        System.out.println("opened");
        while (System.in.read() >= 0) {
          long begun = System.nanoTime();
          while (System.nanoTime() - begun < IDLE_NANOS / 10 * 9) {
            KEYS.forEach(cache::get);
            Thread.sleep(PAUSE_MILLIS);
          }
          System.out.println("read");
        }
      }
    }
  }

  private static Cache<String, Integer> cache(RockpoolCachingProvider provider, String uri) {
    return provider
        .getCacheManager(URI.create("rockpool+" + uri), null)
        .createCache(
            "touched",
            new MutableConfiguration<String, Integer>()
                .setTypes(String.class, Integer.class)
                .setExpiryPolicyFactory(
                    TouchedExpiryPolicy.factoryOf(new Duration(TimeUnit.SECONDS, IDLE_SECONDS))));
  }

  @ParameterizedTest
  @EnumSource
  void readsOfAnotherProcessKeepAnEntry(LocalServer.Kind kind) throws Exception {
    kind.tool().orSkip();
    try (LocalServer server = LocalServer.start(kind);
        RockpoolCachingProvider provider = new RockpoolCachingProvider()) {
      String uri = server.uri("shop").toString();
      Cache<String, Integer> cache = cache(provider, uri);
      Process reader = start(uri);
      try (BufferedReader said = reader.inputReader(UTF_8)) {
        assertThat(said.readLine()).isEqualTo("opened");
        check(cache, reader, said);
      } finally {
        reader.destroyForcibly();
        reader.waitFor();
      }
    }
  }

  private static Process start(String uri) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Reader.class.getName(),
            uri)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void check(Cache<String, Integer> cache, Process reader, BufferedReader said)
      throws Exception {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      KEYS.forEach(key -> cache.put(key, 1));
      assertThat(cache.get("seen")).isEqualTo(1);
      reader.getOutputStream().write('\n');
      reader.getOutputStream().flush();
      assertThat(said.readLine()).isEqualTo("read");
      long read = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(IDLE_NANOS / 4 * 3);
      Integer seen = cache.get("seen");
      Integer unseen = cache.get("unseen");
      if (System.nanoTime() - read < IDLE_NANOS / 100 * 85) { // the machine did not hold it up
        assertThat(seen).as("in the memory of this process since it was put").isEqualTo(1);
        assertThat(unseen).as("never read here").isEqualTo(1);
        return;
      }
    }
    throw new AssertionError("the machine holds the reader up");
  }
}
