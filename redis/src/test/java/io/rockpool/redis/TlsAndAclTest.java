package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.redis.boot.RockpoolRedisAutoConfiguration;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Certificates that openssl makes, and a user with the commands of docs/redis.md only. */
@Slow
@Timeout(60)
@Needs({Tool.REDIS, Tool.OPENSSL})
final class TlsAndAclTest {
  @TempDir private static Path files;

  private RedisServer server;

  @BeforeAll
  static void makeCertificates() throws Exception {
    for (String authority : List.of("ca", "otherCa")) {
      openssl(
          "req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-days",
          "2",
          "-subj",
          "/CN=" + authority,
          "-keyout",
          file(authority + ".key"),
          "-out",
          file(authority + ".pem"));
    }
    Files.writeString(files.resolve("san"), "subjectAltName=IP:127.0.0.1");
    for (String name : List.of("server", "client")) {
      openssl(
          "req",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-subj",
          "/CN=" + name,
          "-keyout",
          file(name + ".key"),
          "-out",
          file(name + ".csr"));
      openssl(
          "x509",
          "-req",
          "-days",
          "2",
          "-in",
          file(name + ".csr"),
          "-CA",
          file("ca.pem"),
          "-CAkey",
          file("ca.key"),
          "-CAcreateserial",
          "-extfile",
          file("san"),
          "-out",
          file(name + ".pem"));
    }
  }

  private static String file(String name) {
    return files.resolve(name).toString();
  }

  private static void openssl(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Tool.OPENSSL.program().toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  private URI startTls(String clients) throws Exception {
    int port = RedisServer.freePort();
    server = RedisServer.start(tls(port, clients).toArray(String[]::new));
    return URI.create("rediss://127.0.0.1:" + port);
  }

  private static List<String> tls(int port, String clients) {
    return new ArrayList<>(
        List.of(
            "--tls-port",
            "" + port,
            "--tls-cert-file",
            file("server.pem"),
            "--tls-key-file",
            file("server.key"),
            "--tls-ca-cert-file",
            file("ca.pem"),
            "--tls-auth-clients",
            clients));
  }

  private static void use(Rockpool pool) {
    PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
    cache.put("k", 1L);
    assertThat(cache.get("k")).isEqualTo(1);
    assertThat(cache.replace("k", 1L, 2L)).isTrue();
    assertThat(cache.getAll(List.of("k", "other"))).isEqualTo(Map.of("k", 2L));
    assertThat(cache.putIfAbsent("k", 3L)).isEqualTo(2);
    cache.forEach(entry -> assertThat(entry.getValue()).isEqualTo(2));
    cache.invalidate("k");
    cache.put("k", 4L, Duration.ofMinutes(1));
    assertThat(cache.ttl("k")).isNotNull();
    cache.putAll(Map.of("k", 5L, "m", 5L));
    cache.invalidateAll(List.of("k", "m"));
    cache.clear();
    assertThat(cache.get("k")).isNull();
    assertThat(cache.get("k", key -> 6L)).isEqualTo(6);
    assertThat(cache.getAll(List.of("k", "m"), keys -> Map.of("m", 7L))).hasSize(2);
    assertThat(cache.compute("k", (key, value) -> value + 1)).isEqualTo(7);
    pool.cache("level/c", String.class, Long.class).put("k", 1L);
    assertThat(pool.names().dropLevel("level")).isEqualTo(1);
    assertThat(pool.names().list("")).hasSize(1);
    pool.reclaim();
    assertThat(pool.verify().isClean()).isTrue();
    assertThat(pool.names().drop("c")).isTrue();
  }

  @Test
  void theServersCertificateIsChecked() throws Exception {
    URI uri = startTls("no");
    try (Rockpool pool = Rockpool.open(with(uri, "ca-certificate=" + file("ca.pem")))) {
      use(pool);
    }
    try (Rockpool pool = Rockpool.open(with(uri, "verify-peer=false"))) {
      use(pool);
    }
    for (URI untrusting :
        List.of(
            with(uri, "verify-peer=true"), with(uri, "ca-certificate=" + file("otherCa.pem")))) {
      assertThatThrownBy(() -> Rockpool.open(untrusting))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("unable to find valid certification path");
    }
    assertThatThrownBy(() -> Rockpool.open(with(uri, "ca-certificate=/none.pem")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca-certificate");
  }

  /** Files may be replaced while a store is open. */
  @Test
  void aMissingFileIsNamedUntilItIsBack() throws Exception {
    URI uri = startTls("no");
    Path copy = Files.copy(files.resolve("ca.pem"), files.resolve("copied.pem"));
    try (Rockpool pool = Rockpool.open(URI.create(uri + "?timeout=3s&ca-certificate=" + copy))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("k", 1L);
      Files.delete(copy);
      String unused = server.command("CLIENT", "KILL", "TYPE", "normal");
      Failover.await(
          () ->
              catchThrowable(() -> cache.put("k", 2L)) instanceof ServerUnavailableException e
                  && e.getMessage().contains("copied.pem"));
      Files.copy(files.resolve("ca.pem"), copy);
      Failover.await(() -> catchThrowable(() -> cache.put("k", 3L)) == null);
      assertThat(cache.get("k")).isEqualTo(3);
    }
  }

  @Test
  void theServerChecksTheClientsCertificate() throws Exception {
    URI uri = with(startTls("yes"), "ca-certificate=" + file("ca.pem"));
    String keys = "&client-certificate=" + file("client.pem") + "&client-key=" + file("client.key");
    try (Rockpool pool = Rockpool.open(URI.create(uri + keys))) {
      use(pool);
    }
    assertThatThrownBy(() -> Rockpool.open(URI.create(uri.toString().replace("=20s", "=1s"))))
        .isInstanceOf(ServerUnavailableException.class);
    assertThatThrownBy(() -> Rockpool.open(URI.create(uri + "&client-key=" + file("client.key"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("client-certificate");
  }

  @Test
  void bootsBundleHasTheCertificates() throws Exception {
    URI uri = startTls("yes");
    boot(uri.getPort()).run(context -> use(context.getBean(Rockpool.class)));
  }

  private static ApplicationContextRunner boot(int port) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                SslAutoConfiguration.class,
                DataRedisAutoConfiguration.class,
                RockpoolRedisAutoConfiguration.class,
                RockpoolAutoConfiguration.class))
        .withPropertyValues(
            "rockpool.engine=redis",
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.port=" + port,
            "spring.data.redis.ssl.bundle=shop",
            "spring.ssl.bundle.pem.shop.truststore.certificate=file:" + file("ca.pem"),
            "spring.ssl.bundle.pem.shop.keystore.certificate=file:" + file("client.pem"),
            "spring.ssl.bundle.pem.shop.keystore.private-key=file:" + file("client.key"));
  }

  /** The first handshake of a JVM takes seconds on a busy machine, which is not what is tested. */
  private static URI with(URI uri, String option) {
    return URI.create(uri + "?timeout=20s&" + option);
  }

  /** On a replica with what the page says that it needs there, and an encrypted store. */
  @Test
  void replicasAnswerOverTlsAUserWithFewRights() throws Exception {
    URI uri = startTls("no");
    int replicaPort = RedisServer.freePort();
    List<String> options = tls(replicaPort, "no");
    options.addAll(
        List.of("--tls-replication", "yes", "--replicaof", "127.0.0.1 " + uri.getPort()));
    Path keys = Files.writeString(files.resolve("keys"), KeyProviders.newKey("first"));
    try (RedisServer replica = RedisServer.start(options.toArray(String[]::new))) {
      allow(server, documented().stream().map("+"::concat).toList());
      allow(replica, List.of("+get", "+mget", "+hello", "+select", "+info"));
      String unused = replica.command("ACL", "SETUSER", "app", "+client|setinfo"); // Redis 7.2
      RedisServer.awaitAnswer(
          () -> replica.command("INFO", "replication").contains("master_link_status:up"));
      boot(uri.getPort())
          .withPropertyValues(
              "rockpool.redis.timeout=20s",
              "rockpool.redis.read-from=replica",
              "rockpool.encryption.key-file=" + keys,
              "spring.data.redis.username=app",
              "spring.data.redis.password=se+cret@")
          .run(context -> readFromReplicas(context.getBean(Rockpool.class)));
      assertThatThrownBy(() -> Rockpool.open(server.uri("?timeout=20s")).close())
          .isInstanceOf(EncryptionKeyException.class)
          .hasMessageContaining("first");
      assertThat(server.command("ACL", "LOG")).isEmpty();
      assertThat(replica.command("ACL", "LOG")).isEmpty();
    }
  }

  private static void readFromReplicas(Rockpool pool) {
    PersistentCache<String, Long> cache =
        pool.cache("c", String.class, Long.class, cold -> cold.hotEntries(0));
    cache.put("k", 1L);
    Failover.await(
        () -> {
          assertThat(cache.get("k")).isEqualTo(1);
          assertThat(cache.getAll(List.of("k", "other"))).isEqualTo(Map.of("k", 1L));
          return pool.state().server().orElseThrow().replicaReads() > 10;
        });
    cache.put("k", 2L);
    assertThat(cache.get("k")).isEqualTo(2);
  }

  private static void allow(RedisServer at, List<String> rights) {
    List<String> words =
        new ArrayList<>(
            List.of("ACL", "SETUSER", "app", "on", ">se+cret@", "resetchannels", "~rockpool:*"));
    words.addAll(rights);
    assertThat(at.command(words.toArray(String[]::new))).isEqualTo("OK");
  }

  /** Makes a user with the commands of the page, without some of them. */
  private URI startAcl(List<String> without) throws Exception {
    server = RedisServer.start();
    List<String> rights =
        Stream.concat(
                documented().stream()
                    .filter(command -> !without.contains(command))
                    .map("+"::concat),
                without.stream().filter(command -> command.contains("|")).map("-"::concat))
            .toList();
    allow(server, rights);
    return URI.create("redis://app:se+cret%40@127.0.0.1:" + server.port() + "?timeout=20s");
  }

  /** The commands in the page's lines that begin with {@code +}. */
  private static List<String> documented() throws Exception {
    return Files.readAllLines(Path.of("..", "docs", "redis.md")).stream()
        .filter(line -> line.startsWith("+"))
        .flatMap(line -> Stream.of(line.split(" ")))
        .map(command -> command.substring(1))
        .toList();
  }

  @Test
  void theDocumentedCommandsAreEnough() throws Exception {
    URI uri = startAcl(List.of());
    try (Rockpool pool = Rockpool.open(uri)) {
      assertThat(pool.state().server().orElseThrow().reported()).isTrue();
      use(pool);
    }
    assertThat(server.command("ACL", "LOG")).isEmpty();
    assertThatThrownBy(
            () ->
                Rockpool.open(
                    URI.create("redis://app:wrong@127.0.0.1:" + server.port() + "?timeout=20s")))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("WRONGPASS")
        .hasMessageContaining("user and password")
        .hasMessageNotContaining("app:wrong");
  }

  /** Also one that a script needs, which this version of the server does not name. */
  @ParameterizedTest
  @MethodSource("neededCommands")
  void eachMissingCommandIsNamed(String command) throws Exception {
    URI uri = startAcl(List.of(command));
    assertThatThrownBy(
            () -> {
              try (Rockpool pool = Rockpool.open(uri)) {
                use(pool);
              }
            })
        .isInstanceOf(RockpoolException.class)
        .hasMessageContaining(command)
        .hasMessageContaining("permissions")
        .hasMessageNotContaining("..");
  }

  private static List<String> neededCommands() throws Exception {
    Set<String> others =
        Set.of("hello", "select", "ping", "cluster|slots", "cluster|info", "asking");
    return documented().stream().filter(command -> !others.contains(command)).toList();
  }

  @Test
  void keysOfAnotherPrefixAreRefused() throws Exception {
    URI uri = startAcl(List.of());
    assertThatThrownBy(() -> Rockpool.open(URI.create(uri + "&prefix=other")))
        .isInstanceOf(RockpoolException.class)
        .hasMessageContainingAll("keys that begin with", "prefix")
        .hasMessageNotContaining("version");
  }

  @Test
  void withoutTrackingNothingIsKeptInMemory() throws Exception {
    try (Rockpool pool = Rockpool.open(startAcl(List.of("client|tracking")))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("k", 1L);
      assertThat(cache.get("k")).isEqualTo(1);
      assertThat(cache.hotSize()).isZero();
      assertThat(pool.state().server().orElseThrow().reported()).isFalse();
      assertThat(cache.replace("k", 1L, 2L)).isTrue();
    }
  }

  /** The connection stays: calls that wait for answers on it are not disturbed. */
  @Test
  void trackingThatIsAllowedLaterIsUsed() throws Exception {
    URI uri = URI.create(startAcl(List.of("client|tracking")) + "&feed-timeout=1s");
    try (Rockpool pool = Rockpool.open(uri);
        Rockpool other = Rockpool.open(server.uri("?timeout=20s"))) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("k", 1L);
      assertThat(pool.state().server().orElseThrow().reported()).isFalse();
      assertThat(server.command("ACL", "SETUSER", "app", "+client|tracking")).isEqualTo("OK");
      Failover.await(() -> pool.state().server().orElseThrow().reported());
      assertThat(pool.state().server().orElseThrow().connections()).isOne();
      Failover.await(() -> cache.get("k") == 1 && cache.hotSize() == 1);
      other.cache("c", String.class, Long.class).put("k", 2L);
      Failover.await(() -> cache.get("k") == 2);
    }
  }

  @Test
  void aMissingCommandOfTheConnectionIsNamed() throws Exception {
    URI uri = startAcl(List.of("info"));
    assertThatThrownBy(() -> Rockpool.open(uri))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("info");
  }
}
