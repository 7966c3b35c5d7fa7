package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.engine.memory.MemoryEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Health, as an application gets it and as it is asked for through a server's port. */
@Timeout(60)
final class HealthTest {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  @Configuration
  @EnableAutoConfiguration
  static class Application {}

  @TempDir private Path directory;

  private Path store() {
    return directory.resolve("store");
  }

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolHealthAutoConfiguration.class,
                HealthContributorAutoConfiguration.class,
                HealthContributorRegistryAutoConfiguration.class))
        .withPropertyValues("rockpool.directory=" + store());
  }

  @Test
  void aCheckOfHealthDoesNotOpenTheStore() {
    runner()
        .run(
            context -> {
              Health before = health(context.getBean(HealthContributorRegistry.class));
              assertThat(before.getStatus()).isEqualTo(Status.UP);
              assertThat(before.getDetails()).containsEntry("store", "not opened yet");
              assertThat(store()).doesNotExist();

              Rockpool pool = context.getBean(Rockpool.class);
              Health open = health(context.getBean(HealthContributorRegistry.class));
              assertThat(open.getStatus()).isEqualTo(Status.UP);
              assertThat(open.getDetails())
                  .containsEntry("store", pool.toString())
                  .containsKey("diskBytes");

              assertThat(open.getDetails()).doesNotContainKey("verifiedBackup");
              BackupTarget backups = DirectoryTarget.at(directory.resolve("backups"));
              Instant created = pool.backups().make(backups).created();
              assertThat(pool.backups().verify(backups).isClean()).isTrue();
              assertThat(health(context.getBean(HealthContributorRegistry.class)).getDetails())
                  .containsEntry("verifiedBackup", created)
                  .doesNotContainKey("shippedUntil");
              Shipping shipping = pool.backups().ship(backups, ShippingOptions.defaults());
              assertThat(health(context.getBean(HealthContributorRegistry.class)).getDetails())
                  .containsEntry("shippedUntil", shipping.until());

              pool.close();
              Health closed = health(context.getBean(HealthContributorRegistry.class));
              assertThat(closed.getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void aStoreThatTookTheDamagedOnesPlaceIsDegraded() throws IOException {
    damage();
    runner()
        .withPropertyValues("rockpool.on-corruption=quarantine")
        .run(
            context -> {
              Path aside = context.getBean(Rockpool.class).state().quarantined().orElseThrow();
              assertThat(aside).isDirectory();
              Health health = health(context.getBean(HealthContributorRegistry.class));
              assertThat(health.getStatus()).isEqualTo(RockpoolHealthIndicator.DEGRADED);
              assertThat(health.getDetails())
                  .containsEntry("quarantined", aside.toString())
                  .doesNotContainKey("changesLost");
            });
  }

  @Test
  void aStoreWhoseOwnWorkFailsIsDegradedUntilItSucceeds() {
    MemoryEngine engine = MemoryEngine.builder().build();
    try (Rockpool pool = Rockpool.at(o -> engine).open()) {
      HealthIndicator indicator = new RockpoolHealthIndicator(() -> pool);
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);

      engine.upkeep().failed("rockpool-watch", new IllegalStateException("no"));
      engine.upkeep().failed("rockpool-watch", new IllegalStateException("no again"));
      Health failing = indicator.health();
      assertThat(failing.getStatus()).isEqualTo(RockpoolHealthIndicator.DEGRADED);
      assertThat(failing.getDetails())
          .containsEntry(
              "failing", Map.of("rockpool-watch", "java.lang.IllegalStateException: no again"))
          .containsEntry("failures", 2L);

      engine.upkeep().succeeded("rockpool-watch");
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }
  }

  private static Health health(HealthContributorRegistry registry) {
    return ((HealthIndicator) registry.getContributor("rockpool")).health();
  }

  @Test
  void eachStoreHasItsHealth() {
    runner()
        .withBean("orders", Rockpool.class, Rockpool::inMemory)
        .withBean("stock", Rockpool.class, Rockpool::inMemory)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    beans -> beans.getBeanDefinition("stock").setLazyInit(true)))
        .run(
            context -> {
              HealthContributors all =
                  (HealthContributors)
                      context.getBean(HealthContributorRegistry.class).getContributor("rockpool");
              assertThat(all.stream().map(HealthContributors.Entry::name))
                  .containsExactlyInAnyOrder("orders", "stock");
              HealthIndicator orders = (HealthIndicator) all.getContributor("orders");
              HealthIndicator stock = (HealthIndicator) all.getContributor("stock");
              assertThat(orders.health().getStatus()).isEqualTo(Status.UP);
              assertThat(stock.health().getDetails()).containsEntry("store", "not opened yet");
              context.getBean("stock", Rockpool.class).close();
              assertThat(orders.health().getStatus()).isEqualTo(Status.UP);
              assertThat(stock.health().getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void healthCanBeSwitchedOff() {
    runner()
        .withPropertyValues("management.health.rockpool.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(RockpoolHealthIndicator.class));
  }

  private void damage() throws IOException {
    Rockpool.open(store()).close();
    Files.writeString(store().resolve("db/CURRENT"), "nonsense");
  }

  @Test
  void aStoreThatLostChangesIsDegradedUntilItIsOpenedAnew() throws IOException {
    try (Rockpool pool = Rockpool.open(store())) {
      pool.map("stock", String.class, Long.class).put("apple", 3L);
    }
    try (Stream<Path> files = Files.list(store().resolve("db"))) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        Files.delete(log);
      }
    }
    runner()
        .run(
            context -> {
              long lost =
                  context.getBean(Rockpool.class).state().recovery().orElseThrow().changesLost();
              assertThat(lost).isPositive();
              Health health = health(context.getBean(HealthContributorRegistry.class));
              assertThat(health.getStatus()).isEqualTo(RockpoolHealthIndicator.DEGRADED);
              assertThat(health.getDetails())
                  .containsEntry("changesLost", lost)
                  .doesNotContainKey("quarantined");
              assertThat(health.getDetails().get("recovery"))
                  .asString()
                  .contains("at least " + lost + " changes");
            });
    runner()
        .run(
            context -> {
              context.getBean(Rockpool.class);
              Health health = health(context.getBean(HealthContributorRegistry.class));
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails()).doesNotContainKey("changesLost");
            });
  }

  @Test
  void aDegradedStoreTakesNoInstanceOutOfServiceUnlessItIsSaidSo() throws Exception {
    damage();
    try (ConfigurableApplicationContext context = start()) {
      HttpResponse<String> one = get(context, "/rockpool");
      assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
      assertThat(status(one)).isEqualTo("DEGRADED");
      HttpResponse<String> all = get(context, "");
      assertThat(all.statusCode()).as(all.body()).isEqualTo(200);
      assertThat(status(all)).isEqualTo("UP");
    }
    Files.writeString(store().resolve("db/CURRENT"), "nonsense");
    try (ConfigurableApplicationContext context =
        start(
            "--management.endpoint.health.status.order=down,out-of-service,degraded,up,unknown",
            "--management.endpoint.health.status.http-mapping.degraded=503",
            "--management.endpoint.health.status.http-mapping.down=503")) {
      HttpResponse<String> all = get(context, "");
      assertThat(all.statusCode()).as(all.body()).isEqualTo(503);
      assertThat(status(all)).isEqualTo("DEGRADED");
    }
  }

  private ConfigurableApplicationContext start(String... properties) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--rockpool.directory=" + store(),
                "--rockpool.on-corruption=quarantine",
                "--management.endpoint.health.show-details=always",
                "--server.address=127.0.0.1",
                "--server.port=0"));
    all.addAll(Arrays.asList(properties));
    SpringApplication application = new SpringApplication(Application.class);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    ConfigurableApplicationContext context = application.run(all.toArray(String[]::new));
    context.getBean(Rockpool.class);
    return context;
  }

  private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
      throws Exception {
    int port = ((WebServerApplicationContext) context).getWebServer().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/health" + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER_LIMIT).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String status(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body()).at("/status").asString();
  }
}
