package io.rockpool.quarkus.internal.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import io.rockpool.Rockpool;
import io.rockpool.testing.Slow;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a store of its own. */
@Slow
final class OwnStoreTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Library.class, Store.class))
          .overrideConfigKey("quarkus.cache.type", "rockpool")
          .overrideRuntimeConfigKey("quarkus.http.test-port", "0")
          .overrideRuntimeConfigKey("quarkus.rockpool.directory", "/dev/null/none");

  @Singleton
  static class Store {
    @Produces
    @Singleton
    Rockpool pool() {
      return Rockpool.inMemory();
    }
  }

  @Inject Library library;
  @Inject Rockpool pool;
  @Inject SmallRyeHealthReporter health;

  @Test
  void aBeanOfTheApplicationIsTheStore() {
    assertThat(library.find("1")).isEqualTo(Library.book("1"));
    assertThat(pool.names().find("books")).isPresent();
    pool.close();
    assertThat(health.getReadiness().getPayload().toString())
        .contains("\"name\":\"rockpool\",\"status\":\"DOWN\"", "\"error\"");
  }
}
