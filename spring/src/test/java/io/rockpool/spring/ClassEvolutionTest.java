package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cache.Cache;

/** What a deployment finds that has changed the classes of values. */
final class ClassEvolutionTest {
  @TempDir private Path directory;

  @BeforeEach
  void storeAnOrder() throws Exception {
    withOrder(
        "public record Order(String id, long cents) {}",
        (cache, order) -> {
          cache.put("plain", "v");
          cache.put("o", order.getConstructor(String.class, long.class).newInstance("o-1", 99L));
          assertThat(cache.get("o").get()).hasToString("Order[id=o-1, cents=99]");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public record Order(String id, long cents, String note) {}",
        "public record Order(String name, long price, boolean paid) {}"
      })
  void aComponentMoreIsAMiss(String source) throws Exception {
    withOrder(
        source,
        (cache, order) -> {
          assertThat(cache.get("o")).isNull();
          assertThat(cache.get("o", () -> "loaded")).isEqualTo("loaded");
          assertThat(((RockpoolCache) cache).getNativeCache().statistics().undecodable())
              .isEqualTo(1);
        });
  }

  @Test
  void aComponentLessIsAHit() throws Exception {
    withOrder(
        "public record Order(long cents) {}",
        (cache, order) -> assertThat(cache.get("o").get()).hasToString("Order[cents=99]"));
  }

  @Test
  void aComponentMoreIsNullWhereTheCacheEvolves() throws Exception {
    withOrder(
        true,
        "public record Order(String id, long cents, String note) {}",
        (cache, order) ->
            assertThat(cache.get("o").get()).hasToString("Order[id=o-1, cents=99, note=null]"));
  }

  @Test
  void aComponentWithAnotherNameIsNullOrZeroWhereTheCacheEvolves() throws Exception {
    withOrder(
        true,
        "public record Order(String name, long price, boolean paid) {}",
        (cache, order) ->
            assertThat(cache.get("o").get()).hasToString("Order[name=null, price=0, paid=false]"));
  }

  @Test
  void aClassThatCannotBeDecodedIsAMiss() throws Exception {
    withOrder(
        "public enum Order { SOME }",
        (cache, order) -> {
          assertThat(cache.get("o")).isNull();
          assertThat(cache.get("o", () -> "loaded")).isEqualTo("loaded");
          assertThat(cache.get("o").get()).isEqualTo("loaded");
          assertThat(cache.get("plain").get()).isEqualTo("v");
          assertThat(((RockpoolCache) cache).getNativeCache().statistics().undecodable())
              .isEqualTo(1);
        });
  }

  @Test
  void aClassThatIsGoneIsAMiss() throws Exception {
    withOrder(
        "class Other {}",
        (cache, order) -> {
          assertThat(cache.get("o")).isNull();
          assertThat(cache.retrieve("plain").get()).isNotNull();
        });
  }

  private interface Deployment {
    void run(Cache cache, Class<?> order) throws Exception;
  }

  /** Runs with a version of {@code app.Order} on a store that the versions share. */
  private void withOrder(String source, Deployment deployment) throws Exception {
    withOrder(false, source, deployment);
  }

  private void withOrder(boolean evolves, String source, Deployment deployment) throws Exception {
    Path classes = Files.createTempDirectory(directory, "classes");
    Path file = Files.writeString(classes.resolve("Order.java"), "package app; " + source);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", classes.toString(), file.toString()))
        .isZero();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
        Rockpool pool = SuiteStores.open(directory.resolve("store"));
        RockpoolCacheManager manager =
            new RockpoolCacheManager(
                pool, Codecs.builder().allowPackage("app").classLoader(loader).build())) {
      manager.setDefaults(RockpoolCacheConfiguration.defaults().evolve(evolves));
      Class<?> order = source.contains("Order") ? loader.loadClass("app.Order") : Object.class;
      deployment.run(manager.getCache("orders"), order);
    }
  }
}
