package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import io.rockpool.queue.SendOptions;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.SuiteStores;
import io.rockpool.testing.ToReclaim;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.cache.Cache;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint as operators reach it: through a server's port. */
@Timeout(60)
final class RockpoolEndpointTest {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  record Order(String id, int cents) {}

  @Configuration
  @EnableCaching
  @EnableAutoConfiguration
  static class Application {}

  @Configuration
  static class Sanitizing {
    @Bean
    SanitizingFunction secrets() {
      return SanitizingFunction.of(SanitizableData::withSanitizedValue).ifKeyContains("secret");
    }
  }

  @TempDir private Path directory;
  private ConfigurableApplicationContext context;
  private final HttpClient client = HttpClient.newHttpClient();

  private void start(String... properties) {
    start(List.of(Application.class), properties);
  }

  private void start(List<Class<?>> sources, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("--management.endpoints.web.exposure.include=rockpool");
    run(sources, all);
  }

  private void run(List<Class<?>> sources, List<String> properties) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--" + SuiteStores.property(directory),
                "--rockpool.allow=io.rockpool.spring.boot",
                "--server.address=127.0.0.1",
                "--server.port=0"));
    all.addAll(properties);
    SpringApplication application = new SpringApplication(sources.toArray(Class[]::new));
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    context = application.run(all.toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    if (context != null) {
      context.close();
    }
  }

  private Cache cache(String name) {
    return context.getBean(RockpoolCacheManager.class).getCache(name);
  }

  private HttpResponse<String> request(String method, String path) throws Exception {
    return request(method, path, HttpRequest.BodyPublishers.noBody());
  }

  private HttpResponse<String> request(String method, String path, HttpRequest.BodyPublisher body)
      throws Exception {
    int port = ((WebServerApplicationContext) context).getWebServer().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/rockpool" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, body)
            .header("Content-Type", "application/json")
            .timeout(ANSWER_LIMIT)
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response = request("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(response.body());
  }

  @Test
  void storesAndCachesAreListed() throws Exception {
    start();
    assertThat(get("").at("/stores/rockpool/open").asBoolean()).isTrue();
    context.getBean(Rockpool.class).map("stock", String.class, Long.class).put("apple", 3L);
    Cache orders = cache("shop/orders");
    orders.put("o-1", new Order("o-1", 5));
    orders.get("o-1");
    orders.get("o-2");
    JsonNode all = get("");
    JsonNode store = all.at("/stores/rockpool");
    assertThat(store.at("/description").asString()).contains(directory.toString());
    assertThat(store.at("/diskBytes").asLong()).isPositive();
    assertThat(store.at("/names").asInt()).isEqualTo(2);
    assertThat(store.at("/structures/0/name").asString()).isEqualTo("shop/orders");
    assertThat(store.at("/structures/0/type").asString()).isEqualTo("cache");
    assertThat(store.at("/structures/1/name").asString()).isEqualTo("stock");
    assertThat(store.at("/structures/1/type").asString()).isEqualTo("map");
    assertThat(store.at("/structures/1/size").asLong()).isEqualTo(1);
    JsonNode cache = all.at("/cacheManagers/cacheManager/0");
    assertThat(cache.at("/name").asString()).isEqualTo("shop/orders");
    assertThat(cache.at("/hitRatio").asDouble()).isEqualTo(0.5);
    assertThat(cache.at("/memoryHits").asLong() + cache.at("/diskHits").asLong()).isEqualTo(1);
    assertThat(cache.at("/misses").asLong()).isEqualTo(1);
  }

  @Configuration
  static class StoreToReclaim {
    @Bean
    ToReclaim toReclaim(@Value("${rockpool.directory}") Path directory) {
      return new ToReclaim(directory);
    }

    @Bean
    Rockpool rockpool(ToReclaim store) {
      return store.pool();
    }
  }

  @Test
  void whatIsToBeGivenBackIsShown() throws Exception {
    start(List.of(Application.class, StoreToReclaim.class));
    JsonNode reclaim = get("").at("/stores/rockpool/reclaim");
    assertThat(reclaim.at("/pendingClears").asLong()).isEqualTo(ToReclaim.CLEARS);
    assertThat(reclaim.at("/heldClears").asLong()).isEqualTo(1);
    assertThat(reclaim.at("/pendingBytes").asLong()).isGreaterThan(2 * ToReclaim.MAP_BYTES);
    assertThat(Duration.parse(reclaim.at("/overdue").asString())).isEqualTo(ToReclaim.OVERDUE);

    ToReclaim store = context.getBean(ToReclaim.class);
    store.release();
    store.pool().reclaim();
    JsonNode after = get("").at("/stores/rockpool/reclaim");
    assertThat(after.at("/pendingClears").asLong()).isZero();
    assertThat(after.at("/overdue").asString()).isEqualTo("PT0S");
    assertThat(after.at("/clears").asLong()).isEqualTo(ToReclaim.CLEARS);
    assertThat(after.at("/clearedBytes").asLong()).isGreaterThan(2 * ToReclaim.MAP_BYTES);
    assertThat(after.at("/expiredRecords").asLong()).isEqualTo(ToReclaim.EXPIRED);
  }

  @Test
  void aCacheTellsHowLongItsEntriesLive() throws Exception {
    start("--rockpool.defaults.ttl=30m", "--rockpool.caches.quick.ttl=5s");
    for (int i = 0; i < 100; i++) {
      cache("orders").put(i, "v");
    }
    cache("quick").put(1, "v");
    JsonNode orders = get("/orders");
    assertThat(orders.at("/hitRatio").isMissingNode()).isTrue();
    assertThat(orders.at("/entries/sampled").asInt()).isEqualTo(100);
    assertThat(orders.at("/entries/whole").asBoolean()).isTrue();
    assertThat(orders.at("/entries/ttls").size()).isEqualTo(1);
    assertThat(orders.at("/entries/ttls/0/upTo").asString()).isEqualTo("PT1H");
    assertThat(orders.at("/entries/ttls/0/entries").asLong()).isEqualTo(100);
    assertThat(get("/quick").at("/entries/ttls/0/upTo").asString()).isEqualTo("PT10S");

    JsonNode some = get("/orders?sample=10").at("/entries");
    assertThat(some.at("/whole").asBoolean()).isFalse();
    assertThat(some.at("/sampled").asInt()).isBetween(1, 10);
    assertThat(request("GET", "/orders?sample=1000000").statusCode()).isEqualTo(400);
    assertThat(request("GET", "/orders?sample=0").statusCode()).isEqualTo(400);
    assertThat(request("GET", "/nothing").statusCode()).isEqualTo(404);
    assertThat(context.getBean(RockpoolCacheManager.class).caches()).hasSize(2);
  }

  @Test
  void keysOfAnyTypeAreFoundAsTheyRead() throws Exception {
    start("--management.endpoint.rockpool.access=unrestricted");
    Cache prices = cache("prices");
    prices.put(new SimpleKey("a", 1), "of both");
    prices.put(new Order("o-1", 5), "of a record");
    prices.put(TimeUnit.DAYS, "of an enum");
    for (Object key : List.of(new SimpleKey("a", 1), new Order("o-1", 5), TimeUnit.DAYS)) {
      String path = "/prices?keyType=text&key=" + URLEncoder.encode(key.toString(), UTF_8);
      assertThat(get(path).at("/keyType").asString()).isEqualTo(key.getClass().getName());
      assertThat(request("DELETE", path).statusCode()).isEqualTo(204);
      assertThat(request("DELETE", path).statusCode()).isEqualTo(404);
      assertThat(prices.get(key)).isNull();
    }
  }

  record Unprintable(int number) {
    @Override
    @SuppressWarnings({"NullAway", "ToStringReturnsNull"}) // as a careless application does
    public String toString() {
      if (number == 0) {
        throw new IllegalStateException("secret");
      }
      return null;
    }
  }

  @Test
  void aKeyOrValueThatCannotBeMadeIntoTextIsNamedByItsClass() throws Exception {
    start("--management.endpoint.rockpool.show-values=always");
    Cache odd = cache("odd");
    odd.put(new Unprintable(0), "of an unprintable key");
    odd.put("throws", new Unprintable(0));
    odd.put("null", new Unprintable(1));
    odd.put(new Order("o-1", 5), "of a record");
    String order = URLEncoder.encode(new Order("o-1", 5).toString(), UTF_8);
    assertThat(get("/odd?keyType=text&key=" + order).at("/value").asString())
        .isEqualTo("of a record");
    String shown =
        Unprintable.class.getName() + ", whose toString threw java.lang.IllegalStateException";
    assertThat(get("/odd?key=throws").at("/value").asString()).isEqualTo(shown);
    assertThat(get("/odd?key=null").at("/value").asString()).isEqualTo("null");
    JsonNode key = get("/odd?keyType=text&key=" + URLEncoder.encode(shown, UTF_8));
    assertThat(key.at("/key").asString()).isEqualTo(shown);
    assertThat(key.at("/value").asString()).isEqualTo("of an unprintable key");
  }

  @Test
  void anEntryIsFoundByItsKeyAndItsValueIsHidden() throws Exception {
    start("--rockpool.defaults.ttl=1h");
    UUID id = new UUID(1, 2);
    cache("shop/orders").put("o-1", new Order("o-1", 5));
    cache("shop/orders").put(7, "seven");
    cache("shop/orders").put(8L, "eight");
    cache("shop/orders").put(id, "id");
    cache("shop/orders").put("none", null);
    JsonNode order = get("/shop/orders?key=o-1");
    assertThat(order.at("/cache").asString()).isEqualTo("shop/orders");
    assertThat(order.at("/keyType").asString()).isEqualTo("java.lang.String");
    assertThat(order.at("/valueType").asString()).isEqualTo(Order.class.getName());
    assertThat(order.at("/value").asString()).isEqualTo("******");
    assertThat(Duration.parse(order.at("/ttl").asString()))
        .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    assertThat(get("/shop/orders?key=7").at("/keyType").asString()).isEqualTo("java.lang.Integer");
    assertThat(get("/shop/orders?key=8").at("/keyType").asString()).isEqualTo("java.lang.Long");
    assertThat(get("/shop/orders?key=" + id).at("/keyType").asString()).isEqualTo("java.util.UUID");
    assertThat(get("/shop/orders?key=none").at("/value").isMissingNode()).isTrue();
    assertThat(request("GET", "/shop/orders?key=7&keyType=string").statusCode()).isEqualTo(404);
    assertThat(request("GET", "/shop/orders?key=7&keyType=int").statusCode()).isEqualTo(200);
    assertThat(request("GET", "/shop/orders?key=x&keyType=int").statusCode()).isEqualTo(400);
    assertThat(request("GET", "/shop/orders?key=o-2").statusCode()).isEqualTo(404);
    assertThat(get("/shop/orders").at("/misses").asLong()).isZero();
  }

  @Test
  void valuesAreShownWhereThatIsAskedFor() throws Exception {
    start(
        List.of(Application.class, Sanitizing.class),
        "--management.endpoint.rockpool.show-values=always");
    cache("orders").put("o-1", new Order("o-1", 5));
    cache("orders").put("long", "x".repeat(10_000));
    cache("secrets").put("o-1", "hush");
    assertThat(get("/orders?key=o-1").at("/value").asString()).isEqualTo("Order[id=o-1, cents=5]");
    assertThat(get("/orders?key=long").at("/value").asString()).hasSize(4_097).endsWith("x…");
    assertThat(get("/secrets?key=o-1").at("/value").asString()).isEqualTo("******");
  }

  @Test
  void nobodyWritesUnlessThatIsAllowed() throws Exception {
    start();
    cache("orders").put("o-1", "v");
    assertThat(request("DELETE", "/orders?key=o-1").statusCode()).isEqualTo(405);
    assertThat(request("DELETE", "/orders").statusCode()).isEqualTo(405);
    assertThat(cache("orders").get("o-1")).isNotNull();
  }

  @Test
  void entriesAreEvictedAndCachesCleared() throws Exception {
    start("--management.endpoint.rockpool.access=unrestricted");
    for (Object key : List.of("o-1", "o-2", 3)) {
      cache("orders").put(key, "v");
    }
    assertThat(request("DELETE", "/orders?key=o-1").statusCode()).isEqualTo(204);
    assertThat(request("DELETE", "/orders?key=o-1").statusCode()).isEqualTo(404);
    assertThat(request("DELETE", "/orders?key=3").statusCode()).isEqualTo(204);
    assertThat(cache("orders").get("o-1")).isNull();
    assertThat(cache("orders").get(3)).isNull();
    assertThat(cache("orders").get("o-2")).isNotNull();
    for (String mistyped : List.of("", "?Key=o-2", "?clear=false", "?clear=true&key=o-2")) {
      assertThat(request("DELETE", "/orders" + mistyped).statusCode()).isEqualTo(400);
    }
    assertThat(cache("orders").get("o-2")).isNotNull();
    assertThat(request("DELETE", "/orders?clear=true").statusCode()).isEqualTo(204);
    assertThat(cache("orders").get("o-2")).isNull();
    assertThat(request("DELETE", "/nothing?clear=true").statusCode()).isEqualTo(404);
    assertThat(request("DELETE", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aDroppedNameIsNoCacheUntilItIsUsedAgain() throws Exception {
    start();
    cache("orders").put("o-1", "v");
    assertThat(context.getBean(Rockpool.class).names().drop("orders")).isTrue();
    assertThat(request("GET", "/orders").statusCode()).isEqualTo(404);
    assertThat(get("").at("/caches").toString()).doesNotContain("orders");
    cache("orders").put("o-1", "w");
    assertThat(request("GET", "/orders").statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> post(String path, String action) throws Exception {
    String body = "{\"action\":\"" + action + "\"}";
    return request("POST", path, HttpRequest.BodyPublishers.ofString(body));
  }

  private PersistentQueue<String> mails() {
    return context
        .getBean(Rockpool.class)
        .queue("shop/mails", String.class, o -> o.maxDeliveries(2).deadLetters("shop/dead"));
  }

  @Test
  void openQueuesAreListed() throws Exception {
    start();
    PersistentQueue<String> mails = mails();
    mails.sendAll(List.of("a", "b", "c", "d"), SendOptions.defaults());
    List<Delivery<String>> delivered = mails.receive(3);
    delivered.get(0).acknowledge();
    delivered.get(1).reject("bad");
    delivered.get(2).release();
    assertThat(mails.receive(1)).hasSize(1);
    mails.pause();
    PersistentTimer<String> timer =
        context
            .getBean(Rockpool.class)
            .timer("timer", Schedule.cron("0 3 * * *", ZoneOffset.UTC), String.class);
    timer.start("daily");
    JsonNode queues = get("").at("/stores/rockpool/queues");
    assertThat(queues.size()).isEqualTo(3);
    assertThat(queues.at("/0/name").asString()).isEqualTo("shop/dead");
    assertThat(queues.at("/0/depth").asLong()).isEqualTo(1);
    assertThat(queues.at("/0/deadLetterQueue").isMissingNode()).isTrue();
    JsonNode queue = queues.at("/1");
    assertThat(queue.at("/name").asString()).isEqualTo("shop/mails");
    assertThat(queue.at("/depth").asLong()).isEqualTo(1);
    assertThat(queue.at("/inFlight").asLong()).isEqualTo(1);
    assertThat(queue.at("/sent").asLong()).isEqualTo(4);
    assertThat(queue.at("/acknowledged").asLong()).isEqualTo(1);
    assertThat(queue.at("/redelivered").asLong()).isEqualTo(1);
    assertThat(Duration.parse(queue.at("/oldestAge").asString())).isPositive();
    assertThat(queue.at("/paused").asBoolean()).isTrue();
    assertThat(queue.at("/deadLetterQueue").asString()).isEqualTo("shop/dead");
    assertThat(queue.at("/deadLetters").asLong()).isEqualTo(1);
    assertThat(queue.at("/nextFiring").isMissingNode()).isTrue();
    assertThat(queues.at("/2/name").asString()).isEqualTo("timer");
    assertThat(Instant.parse(queues.at("/2/nextFiring").asString()))
        .isEqualTo(timer.next().orElseThrow());
    assertThat(queues.at("/2/paused").asBoolean()).isFalse();

    assertThat(post("/shop/mails", "purge").statusCode()).isEqualTo(405);
    assertThat(mails.size()).isEqualTo(2);
  }

  @Test
  void queuesArePausedResumedRedrivenAndPurged() throws Exception {
    start("--management.endpoint.rockpool.access=unrestricted");
    PersistentQueue<String> mails = mails();
    mails.send("a");
    JsonNode paused = JsonMapper.shared().readTree(post("/shop/mails", "pause").body());
    assertThat(paused.at("/paused").asBoolean()).isTrue();
    assertThat(mails.receive(1)).isEmpty();
    assertThat(post("/shop/mails", "resume").statusCode()).isEqualTo(200);
    mails.receive().orElseThrow().reject("bad");
    assertThat(mails.size()).isZero();
    JsonNode redriven = JsonMapper.shared().readTree(post("/shop/mails", "redrive").body());
    assertThat(redriven.at("/depth").asLong()).isEqualTo(1);
    assertThat(redriven.at("/deadLetters").asLong()).isZero();
    assertThat(mails.peek(1).get(0).message()).isEqualTo("a");
    assertThat(post("/shop/dead", "redrive").statusCode()).isEqualTo(400);
    JsonNode purged = JsonMapper.shared().readTree(post("/shop/mails", "purge").body());
    assertThat(purged.at("/depth").asLong()).isZero();
    assertThat(mails.size()).isZero();
    assertThat(post("/shop/mails", "drop").statusCode()).isEqualTo(400);
    assertThat(post("/nothing", "pause").statusCode()).isEqualTo(404);
    cache("orders").put("o-1", "v");
    assertThat(post("/orders", "purge").statusCode()).isEqualTo(404);
    assertThat(cache("orders").get("o-1")).isNotNull();
  }

  @Configuration
  static class Writing {
    @Bean
    BatchWriter<String, String> writer() {
      return new BatchWriter<>() {
        @Override
        public void writeAll(Map<String, String> entries) {
          throw new IllegalStateException("down");
        }

        @Override
        public void deleteAll(Set<String> keys) {}
      };
    }
  }

  @Test
  void whatIsWrittenBehindIsShown() throws Exception {
    start(
        List.of(Application.class, Writing.class),
        "--rockpool.caches.orders.write-behind.writer=writer",
        "--rockpool.caches.orders.write-behind.delay=1ms",
        "--rockpool.caches.orders.write-behind.backoff=1h",
        "--rockpool.caches.orders.write-behind.maximum-backoff=1h",
        "--rockpool.caches.orders.write-behind.close-timeout=0");
    RockpoolCache orders = context.getBean(RockpoolCacheManager.class).caches().get(0);
    orders.put("o-1", "v");
    while (orders.getNativeCache().statistics().writeFailures() == 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    JsonNode behind = get("/orders").at("/writeBehind");
    assertThat(behind.at("/pending").asLong()).isEqualTo(1);
    assertThat(behind.at("/bytes").asLong()).isPositive();
    assertThat(Duration.parse(behind.at("/oldestAge").asString())).isPositive();
    assertThat(behind.at("/deadLetters").asLong()).isZero();
    assertThat(behind.at("/written").asLong()).isZero();
    assertThat(behind.at("/failures").asLong()).isEqualTo(1);
    orders.evict("o-2");
    while (orders.getNativeCache().statistics().written() == 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(get("").at("/cacheManagers/cacheManager/0/writeBehind/written").asLong())
        .isEqualTo(1);
  }

  @Test
  void whatIsNotExposedIsNotThere() throws Exception {
    run(List.of(Application.class), List.of("--management.endpoints.web.exposure.include=health"));
    assertThat(context.getBeansOfType(RockpoolEndpoint.class)).isEmpty();
    assertThat(request("GET", "").statusCode()).isEqualTo(404);
  }

  @Test
  void twoManagersWithACacheOfOneNameAreToldApart() throws Exception {
    start(List.of(Application.class, TwoManagers.class));
    Map<String, RockpoolCacheManager> managers = context.getBeansOfType(RockpoolCacheManager.class);
    managers.get("first").getCache("a").put(1, "v");
    managers.get("second").getCache("a");
    assertThat(request("GET", "/a").statusCode()).isEqualTo(400);
    assertThat(get("/a?cacheManager=first").at("/puts").asLong()).isEqualTo(1);
    assertThat(get("/a?cacheManager=second").at("/puts").asLong()).isZero();
  }

  @Configuration
  static class TwoManagers {
    @Bean
    RockpoolCacheManager first(Rockpool pool) {
      return new RockpoolCacheManager(pool);
    }

    @Bean
    @Primary
    RockpoolCacheManager second(Rockpool pool) {
      return new RockpoolCacheManager(pool);
    }
  }
}
