package io.rockpool.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rockpool.Rockpool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the pages on loopback to the browser that was given the token. The token is exchanged for
 * a cookie. Pages lie below a random path, so that the browser sends the cookie to no other server
 * of this machine.
 */
final class UiServer implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int SECRET_BYTES = 24;
  private static final String COOKIE = "rockpool";
  private static final String HTML = "text/html; charset=utf-8";

  /** The address of a page, relative to that of the names. */
  private static final Pattern PAGE = Pattern.compile("(name|entry)?(\\?[\\w%=&.*+/-]*)?");

  private static final SecureRandom RANDOM = new SecureRandom();

  /** What every answer has. Pages have no script, and load nothing but their style sheet. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final UiStore store;
  private final UiPages pages;
  private final HttpServer server;
  private final ExecutorService threads;
  private final Set<String> hosts;
  private final String token = secret();
  private final String session = secret();
  private final String base = "/" + secret() + "/";
  private final Semaphore requests = new Semaphore(0);

  /** An answer. */
  private record Answer(int status, String type, String body) {}

  /**
   * Starts to serve.
   *
   * @param port 0 for any that is free
   */
  UiServer(UiStore store, UiPages pages, int port) throws IOException {
    this.store = store;
    this.pages = pages;
    InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    this.server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
    int bound = server.getAddress().getPort();
    String suffix = bound == 80 ? "" : ":" + bound; // browsers leave out the usual port
    this.hosts = Set.of("127.0.0.1" + suffix, "localhost" + suffix, "[::1]" + suffix);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, work -> new Thread(work, "rockpool-ui-" + number.incrementAndGet()));
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private static String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The address to open. */
  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/?token=" + token;
  }

  /** Returns once no page was asked for during a time. */
  void awaitIdle(Duration idle) throws InterruptedException {
    while (requests.tryAcquire(idle.toMillis(), TimeUnit.MILLISECONDS)) {
      requests.drainPermits();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HEADERS.forEach(exchange.getResponseHeaders()::set);
      Answer answer;
      try {
        answer = answer(exchange);
      } catch (IllegalArgumentException e) { // of an address that was typed
        answer = page(400, pages.failure(RockpoolCommand.text(e)));
      } catch (RuntimeException | OutOfMemoryError | StackOverflowError | LinkageError e) {
        answer = page(500, pages.failure(RockpoolCommand.text(e)));
      }
      send(exchange, answer);
    }
  }

  private static Answer page(int status, String body) {
    return new Answer(status, HTML, body);
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), hasBody ? body.length : -1);
    if (hasBody) {
      exchange.getResponseBody().write(body);
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    String host = headers.getFirst("Host");
    if (host == null || !hosts.contains(host)) {
      return refusal("This host is not served."); // the name of another site that leads here
    }
    String path = exchange.getRequestURI().getRawPath();
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    boolean isGet = Set.of("GET", "HEAD").contains(exchange.getRequestMethod());
    if (isGet && path.equals("/") && isSame(token, query.get("token"))) {
      exchange
          .getResponseHeaders()
          .set(
              "Set-Cookie",
              COOKIE + "=" + session + "; Path=" + base + "; HttpOnly; SameSite=Strict");
      return redirect(exchange, "");
    }
    if (!path.startsWith(base) || !isSame(session, cookie(headers))) {
      return refusal("Open the address that the command has printed.");
    }
    requests.release();
    String page = path.substring(base.length());
    if (page.equals("refresh")) {
      String origin = headers.getFirst("Origin");
      if (!exchange.getRequestMethod().equals("POST")
          || (origin != null && !origin.equals("http://" + host))) {
        return page(405, pages.failure("Use the button for a new copy."));
      }
      store.refresh();
      String to = query.getOrDefault("to", "");
      return redirect(exchange, PAGE.matcher(to).matches() ? to : "");
    }
    if (!isGet) {
      return page(405, pages.failure("The pages can only be read."));
    }
    return switch (page) {
      case "" -> page(200, read(pages::names, page, exchange));
      case "name" -> found(read(pages::name, page, exchange));
      case "entry" -> found(read(pages::entry, page, exchange));
      case "style.css" -> new Answer(200, "text/css; charset=utf-8", style());
      default -> page(404, pages.failure("There is no such page."));
    };
  }

  /**
   * What a page says of the store as it is now, with the time of the copy that it was read from.
   */
  private <R extends @Nullable String> R read(
      BiFunction<Rockpool, UiPages.Request, R> reader, String page, HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    String address = query == null ? page : page + "?" + query;
    return store.read(
        (pool, opened) -> reader.apply(pool, new UiPages.Request(opened, address, query(query))));
  }

  private Answer redirect(HttpExchange exchange, String page) {
    exchange.getResponseHeaders().set("Location", base + page);
    return new Answer(303, HTML, "");
  }

  private Answer found(@Nullable String body) {
    return body == null
        ? page(404, pages.failure("The store does not have this any more."))
        : page(200, body);
  }

  private static Answer refusal(String why) {
    return new Answer(403, "text/plain; charset=utf-8", why + "\n");
  }

  /** Compares in a time that tells nothing of how many characters are right. */
  private static boolean isSame(String secret, @Nullable String given) {
    return given != null && MessageDigest.isEqual(secret.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static @Nullable String cookie(Headers headers) {
    for (String line : headers.getOrDefault("Cookie", List.of())) {
      for (String cookie : line.split(";", -1)) {
        if (cookie.strip().startsWith(COOKIE + "=")) {
          return cookie.strip().substring(COOKIE.length() + 1);
        }
      }
    }
    return null;
  }

  private static Map<String, String> query(@Nullable String text) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String part : text == null ? new String[0] : text.split("&", -1)) {
      int at = part.indexOf('=');
      if (at > 0) {
        query.put(part.substring(0, at), URLDecoder.decode(part.substring(at + 1), UTF_8));
      }
    }
    return query;
  }

  private static String style() throws IOException {
    try (InputStream style = UiServer.class.getResourceAsStream("ui.css")) {
      return new String(Objects.requireNonNull(style).readAllBytes(), UTF_8);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
