package io.rockpool.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.netty.handler.ssl.SslContext;
import io.rockpool.redis.RedisSettings.HostPort;
import io.rockpool.redis.RedisSettings.Login;
import io.rockpool.redis.RedisSettings.Tls;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the client and the addresses of servers, as the settings say. */
final class RedisClients {
  private static final Pattern OTHER_KEY =
      Pattern.compile("-----BEGIN (RSA|EC|DSA|ENCRYPTED) PRIVATE KEY-----");

  private RedisClients() {}

  /** A client that does not close connections again which are being closed, and log that. */
  private static final class Client extends RedisClient {
    Client(ClientResources resources) {
      super(resources, new RedisURI());
    }

    @Override
    public CompletableFuture<Void> shutdownAsync(long quietPeriod, long timeout, TimeUnit unit) {
      boolean unused =
          closeableResources.removeIf(
              it -> it instanceof RedisChannelHandler<?, ?> connection && connection.isClosed());
      return super.shutdownAsync(quietPeriod, timeout, unit);
    }
  }

  /** A client whose connections are never repaired silently; {@code given} replaces the files. */
  static RedisClient client(
      ClientResources resources, RedisSettings settings, @Nullable SslOptions given) {
    RedisClient client = new Client(resources);
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(false)
            .protocolVersion(ProtocolVersion.RESP3)
            .socketOptions(SocketOptions.builder().connectTimeout(settings.timeout()).build())
            // Calls wait no longer than the timeout. A timer of the client's own would keep each
            // group of commands for so long, also if it was answered at once.
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
    Tls tls = settings.tls();
    if (given != null) {
      options.sslOptions(given);
    } else if (tls != null) {
      options.sslOptions(sslOptions(tls));
    }
    client.setOptions(options.build());
    return client;
  }

  private static SslOptions sslOptions(Tls tls) {
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
    if (tls.caCertificate() != null) {
      options.trustManager(file("ca-certificate", tls.caCertificate()));
    }
    if (tls.clientCertificate() != null && tls.clientKey() != null) {
      options.keyManager(
          file("client-certificate", tls.clientCertificate()),
          key(file("client-key", tls.clientKey())),
          new char[0]);
    }
    return options.build();
  }

  private static File file(String property, String path) {
    File file = new File(path);
    if (!file.canRead()) {
      throw new IllegalArgumentException(
          "The property "
              + property
              + " is \""
              + path
              + "\". Give the path of a readable PEM file.");
    }
    return file;
  }

  /** Refuses a key in a format that the JDK does not read. */
  private static File key(File file) {
    String text;
    try {
      text = Files.readString(file.toPath(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (OTHER_KEY.matcher(text).find()) {
      throw new IllegalArgumentException(
          "The property client-key is \""
              + file.getPath()
              + "\", whose key is in the format PKCS#1 or SEC 1, or has a password. Convert it with"
              + " openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW.");
    }
    return file;
  }

  /**
   * Begins to connect. Certificates or keys that cannot be used are found first: the client would
   * log each attempt with a stack trace.
   */
  static <K, V> CompletableFuture<StatefulRedisConnection<K, V>> connect(
      RedisClient client, RedisCodec<K, V> codec, RedisURI server) {
    if (server.isSsl()) {
      try {
        SslContext unused = client.getOptions().getSslOptions().createSslContextBuilder().build();
      } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return client.connectAsync(codec, server).toCompletableFuture();
  }

  /** The address of a server that has data. */
  static RedisURI server(RedisSettings settings, HostPort place) {
    RedisURI server = address(settings, place, settings.login());
    server.setDatabase(settings.database());
    return server;
  }

  /** The address of a sentinel. */
  static RedisURI sentinel(RedisSettings settings, HostPort place) {
    return address(settings, place, settings.sentinelLogin());
  }

  private static RedisURI address(RedisSettings settings, HostPort place, Login login) {
    Tls tls = settings.tls();
    RedisURI.Builder builder =
        RedisURI.builder()
            .withHost(place.host())
            .withPort(place.port())
            .withTimeout(settings.timeout())
            .withClientName(settings.clientName())
            .withSsl(tls != null)
            .withVerifyPeer(tls == null || tls.verifyPeer());
    String username = login.username();
    String password = login.password();
    if (username != null && password != null) {
      builder.withAuthentication(username, password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
    return builder.build();
  }
}
