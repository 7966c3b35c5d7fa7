package io.rockpool.quarkus.internal.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.quarkus.test.QuarkusUnitTest;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.io.FileUtils;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Two applications, one after the other, with the same store. Classes of the second changed. */
@Slow
final class RestartTest {
  private static final String PRICES =
      """
      @jakarta.inject.Singleton
      public class Main
          implements java.util.function.Function<String, Object>,
              java.util.function.Supplier<List<Object>> {
        public record Price(String isbn, TYPE cents) {}

        @io.quarkus.cache.CacheResult(cacheName = "prices-by-class")
        public Object apply(String isbn) {
          return new Price(isbn, VALUE);
        }

        @io.quarkus.cache.CacheResult(cacheName = "types")
        public TYPE cents(String isbn) {
          return VALUE;
        }

        @io.quarkus.cache.CacheResult(cacheName = "async-types")
        public io.smallrye.mutiny.Uni<BOX> later(String isbn) {
          return io.smallrye.mutiny.Uni.createFrom().item(VALUE);
        }

        @Override
        public List<Object> get() {
          return List.of(cents("1"), later("1").await().indefinitely());
        }
      }
      """;

  private static final Path DIRECTORY = Path.of("target", "restart-store").toAbsolutePath();
  private static final UUID ID = new UUID(1, 2);

  private static QuarkusUnitTest application(String type, String value) {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar -> {
              jar.addClasses(Library.class, RestartTest.class);
              SourceLoader source =
                  new SourceLoader(
                      PRICES
                          .replace("TYPE", type)
                          .replace("BOX", type.equals("long") ? "Long" : type)
                          .replace("VALUE", value));
              add(jar, source, "app/Main.class");
              add(jar, source, "app/Main$Price.class");
            })
        .overrideConfigKey("quarkus.cache.type", "rockpool")
        .overrideConfigKey("quarkus.rockpool.health.enabled", "false")
        .overrideRuntimeConfigKey("quarkus.http.test-port", "0")
        .overrideRuntimeConfigKey("quarkus.rockpool.directory", DIRECTORY.toString());
  }

  private static void add(JavaArchive jar, SourceLoader source, String name) {
    try (InputStream bytes = source.getResourceAsStream(name)) {
      jar.add(new ByteArrayAsset(bytes.readAllBytes()), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Calls a method of each kind. */
  private static List<Object> results(Library library) {
    return List.of(
        library.find("1"),
        library.optional(""),
        library.all("Ann"),
        library.count(),
        library.price("1", new String[] {"a"}, 5),
        library.price("1", null, 5),
        library.byUuid(ID),
        library.byDay(DayOfWeek.MONDAY),
        library.byRecord(new Library.Shelf("attic", 5)),
        library.byArray(new byte[] {1, 2}),
        library.byLong(5),
        library.uni("1").await().indefinitely(),
        library.stage("1").toCompletableFuture().join());
  }

  static final class FirstRun {
    @RegisterExtension static final QuarkusUnitTest APPLICATION = application("long", "500L");

    @Inject SmallRyeHealthReporter health;
    @Inject Library library;
    @Inject Function<String, Object> prices;
    @Inject Supplier<List<Object>> types;

    @Test
    void resultsAreStored() {
      assertThat(health.getReadiness().getPayload().toString()).doesNotContain("rockpool");
      assertThat(results(library)).hasSize(13);
      assertThat(library.calls()).isEqualTo(13);
      assertThat(prices.apply("1")).hasToString("Price[isbn=1, cents=500]");
      assertThat(types.get()).containsExactly(500L, 500L);
    }
  }

  static final class SecondRun {
    @RegisterExtension static final QuarkusUnitTest APPLICATION = application("String", "\"5.00\"");

    @Inject Library library;
    @Inject Function<String, Object> prices;
    @Inject Supplier<List<Object>> types;

    @Test
    void resultsAreThereAndThoseOfChangedClassesAreMisses() {
      assertThat(prices.apply("1")).hasToString("Price[isbn=1, cents=5.00]");
      assertThat(prices.apply("1")).hasToString("Price[isbn=1, cents=5.00]");
      assertThat(types.get()).containsExactly("5.00", "5.00");
      assertThat(results(library)).startsWith(Library.book("1"), Optional.empty());
      assertThat(library.calls()).isZero();
    }
  }

  @Test
  void valuesOutliveTheApplication() throws IOException {
    FileUtils.deleteDirectory(DIRECTORY.toFile());
    for (Class<?> run : List.of(FirstRun.class, SecondRun.class)) {
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      LauncherFactory.create().execute(request().selectors(selectClass(run)).build(), summary);
      StringWriter failures = new StringWriter();
      summary.getSummary().printFailuresTo(new PrintWriter(failures, true), 50);
      assertThat(summary.getSummary().getTestsSucceededCount()).as("%s", failures).isEqualTo(1);
      assertThat(failures.toString()).isEmpty();
    }
  }
}
