package io.rockpool.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.spring.ResourcelessTransactions;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Requests with an idempotency key, over HTTP, to a real server. */
final class IdempotencyFilterTest {
  private static final Duration TTL = Duration.ofHours(24);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final Rockpool pool = SuiteStores.open(clock);
  private final PersistentCounter payments = pool.counter("payments");
  private final TransactionTemplate transactions =
      new TransactionTemplate(new RockpoolTransactionManager(pool));
  private final Map<String, CountDownLatch> doors = new ConcurrentHashMap<>();
  private final Tomcat tomcat = new Tomcat();
  private final HttpClient client = HttpClient.newHttpClient();

  /** Counts each request in the store, and does what the path says. */
  private final class Payments extends jakarta.servlet.http.HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      long number = transactions.<Long>execute(status -> payments.incrementAndGet());
      String path = request.getRequestURI();
      switch (path) {
        case "/pay/slow" -> {
          doors.get("inside").countDown();
          await("open");
        }
        case "/pay/broken" -> throw new IllegalStateException("broken");
        case "/pay/error" -> response.sendError(404);
        case "/pay/failed" -> response.setStatus(500);
        case "/pay/declined" -> response.setStatus(402);
        case "/pay/async" -> request.startAsync();
        case "/pay/refused", "/pay/swallowed" -> {
          transactions.executeWithoutResult(TransactionStatus::setRollbackOnly);
          response.setStatus(path.equals("/pay/refused") ? 422 : 200);
        }
        default -> response.setStatus(201);
      }
      if (path.equals("/pay/error")) {
        return;
      }
      response.setContentType("text/plain;charset=UTF-8");
      response.addHeader("Location", "/pay/" + number);
      response.addHeader("Set-Cookie", "session=" + number);
      String body = request.getParameter("form");
      String text =
          body == null
              ? new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              : "form " + body;
      response.getOutputStream().write((number + " " + text).getBytes(StandardCharsets.UTF_8));
      response.flushBuffer();
    }

    private void await(String door) throws IOException {
      try {
        Threads.await(doors.get(door));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private void start(IdempotencyRules rules) throws Exception {
    start(new IdempotencyFilter(pool, rules));
  }

  private void start(Filter requests) throws Exception {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "payments", new Payments());
    context.addServletMappingDecoded("/*", "payments");
    FilterDef filter = new FilterDef();
    filter.setFilterName("idempotency");
    filter.setFilter(requests);
    context.addFilterDef(filter);
    FilterMap all = new FilterMap();
    all.setFilterName("idempotency");
    all.addURLPattern("/*");
    context.addFilterMap(all);
    tomcat.start();
  }

  @BeforeEach
  void doors() {
    doors.put("inside", new CountDownLatch(1));
    doors.put("open", new CountDownLatch(1));
  }

  @AfterEach
  void close() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    pool.close();
  }

  private static IdempotencyRules rules() {
    return IdempotencyRules.forPaths(List.of("/pay/**"));
  }

  private HttpRequest.Builder request(
      String method, String path, @Nullable String key, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path))
            .method(method, BodyPublishers.ofString(body));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return request;
  }

  private HttpResponse<String> send(
      String method, String path, @Nullable String key, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(method, path, key, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, @Nullable String key, String body)
      throws IOException, InterruptedException {
    return send("POST", path, key, body);
  }

  @Test
  void aRepeatedRequestGetsTheStoredResponse() throws Exception {
    start(rules());
    HttpResponse<String> first = post("/pay/a", "\"key-1\"", "grüezi");
    HttpResponse<String> second = post("/pay/a", "key-1", "grüezi");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body()).isEqualTo("1 grüezi");
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo("1 grüezi");
    assertThat(second.headers().firstValue("Location")).contains("/pay/1");
    assertThat(second.headers().firstValue("Content-Type")).contains("text/plain;charset=UTF-8");
    assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(payments.get()).isEqualTo(1);
    clock.advanceMillis(TTL.toMillis());
    assertThat(post("/pay/a", "key-1", "grüezi").body()).isEqualTo("2 grüezi");
  }

  @Test
  void onlyConfiguredRequestsAreHandledOnce() throws Exception {
    start(rules());
    for (int i = 0; i < 2; i++) {
      post("/pay/a", null, "x");
      post("/other", "key-1", "x");
      send("PUT", "/pay/a", "key-1", "x");
    }
    assertThat(payments.get()).isEqualTo(6);
  }

  @Test
  void aKeyMayBeRequired() throws Exception {
    start(rules().withRequired(true).withMaxBodyBytes(3));
    assertThat(post("/pay/a", null, "x").statusCode()).isEqualTo(400);
    assertThat(post("/pay/a", "\"\"", "x").statusCode()).isEqualTo(400);
    assertThat(post("/pay/a", "k".repeat(256), "x").statusCode()).isEqualTo(400);
    assertThat(post("/pay/a", "a b", "x").statusCode()).isEqualTo(400);
    assertThat(post("/pay/a", "key", "1234").statusCode()).isEqualTo(413);
    assertThat(payments.get()).isZero();
    assertThat(post("/pay/a", "key", "123").statusCode()).isEqualTo(201);
  }

  @Test
  void anotherRequestWithTheKeyIsRefused() throws Exception {
    start(rules());
    post("/pay/a", "key", "x");
    HttpResponse<String> refused = post("/pay/a", "key", "y");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(post("/pay/b", "key", "x").statusCode()).isEqualTo(422);
    assertThat(post("/pay/a?q", "key", "x").statusCode()).isEqualTo(422);
    assertThat(send("PATCH", "/pay/a", "key", "x").statusCode()).isEqualTo(422);
    assertThat(payments.get()).isEqualTo(1);
  }

  @Test
  void aRequestBesideTheFirstIsAConflict() throws Exception {
    start(rules());
    Running<HttpResponse<String>> first = Threads.start(() -> post("/pay/slow", "key", "x"));
    Threads.await(doors.get("inside"));
    assertThat(post("/pay/slow", "key", "x").statusCode()).isEqualTo(409);
    assertThat(post("/pay/slow", "key", "y").statusCode()).isEqualTo(422);
    doors.get("open").countDown();
    assertThat(first.result().statusCode()).isEqualTo(200);
    assertThat(post("/pay/slow", "key", "x").body()).isEqualTo(first.result().body());
    assertThat(payments.get()).isEqualTo(1);
  }

  /** Sends the first request once more when its response is sent, by another connection. */
  private final class Repeating implements Filter {
    private final Filter inner = new IdempotencyFilter(pool, rules());
    private final AtomicBoolean isRepeated = new AtomicBoolean();
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String path = ((HttpServletRequest) request).getRequestURI();
      HttpServletResponseWrapper observed =
          new HttpServletResponseWrapper((HttpServletResponse) response) {
            @Override
            public void flushBuffer() throws IOException {
              if (isRepeated.compareAndSet(false, true)) {
                answer.complete(repeated(path));
              }
              super.flushBuffer();
            }
          };
      inner.doFilter(request, observed, chain);
    }

    private String repeated(String path) throws IOException {
      try {
        HttpRequest request = request("POST", path, "key", "x").build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  /** The client has its response before the server has left the filter. */
  @ParameterizedTest
  @ValueSource(strings = {"/pay/a", "/pay/failed"})
  void aRequestAfterTheResponseIsNoConflict(String path) throws Exception {
    Repeating filter = new Repeating();
    start(filter);
    assertThat(post(path, "key", "x").body()).isEqualTo("1 x");
    assertThat(filter.answer.get(1, TimeUnit.MINUTES)).isEqualTo("1 x");
    assertThat(payments.get()).isEqualTo(path.equals("/pay/a") ? 1 : 0);
  }

  @Test
  void aFailureIsRolledBackAndHandledAgain() throws Exception {
    start(rules());
    for (int i = 0; i < 2; i++) {
      assertThat(post("/pay/broken", "broken", "x").statusCode()).isEqualTo(500);
      assertThat(post("/pay/failed", "failed", "x").body()).isEqualTo("1 x");
      assertThat(post("/pay/error", "error", "x").statusCode()).isEqualTo(404);
      assertThat(post("/pay/async", "async", "x").statusCode()).isEqualTo(500);
    }
    assertThat(payments.get()).isZero();
    assertThat(post("/pay/declined", "declined", "x").body()).isEqualTo("1 x");
    assertThat(post("/pay/declined", "declined", "x").statusCode()).isEqualTo(402);
    assertThat(payments.get()).isEqualTo(1);
  }

  /** A method under the filter wants a rollback: only a refusal may be its answer. */
  @Test
  void whatATransactionUnderItRollsBackIsNotStored() throws Exception {
    start(rules());
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> refused = post("/pay/refused", "refused", "x");
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).isEqualTo("1 x");
      assertThat(refused.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(post("/pay/swallowed", "swallowed", "x").statusCode()).isEqualTo(500);
    }
    assertThat(payments.get()).isZero();
  }

  @Test
  void aManagerThatTheStoreDoesNotJoinIsRefused() throws Exception {
    start(new IdempotencyFilter(pool, rules(), new ResourcelessTransactions()));
    assertThat(post("/pay/a", "key", "x").statusCode()).isEqualTo(500);
    assertThat(payments.get()).isZero();
  }

  @Test
  void aFormIsReadByTheContainer() throws Exception {
    start(rules());
    String[] form = {"Content-Type", "application/x-www-form-urlencoded"};
    assertThat(send("POST", "/pay/a", "key", "form=x", form).body()).isEqualTo("1 form x");
    assertThat(send("POST", "/pay/a", "key", "form=x", form).body()).isEqualTo("1 form x");
    assertThat(send("POST", "/pay/a", "key", "form=y", form).statusCode()).isEqualTo(422);
  }

  @Test
  void aConflictIsUnavailable() throws Exception {
    start(rules());
    Running<HttpResponse<String>> first = Threads.start(() -> post("/pay/slow", "key", "x"));
    Threads.await(doors.get("inside"));
    payments.addAndGet(10); // in memory, the request sees at its commit that it lost
    doors.get("open").countDown();
    assertThat(first.result().statusCode()).isEqualTo(503);
    assertThat(first.result().headers().firstValue("Retry-After")).contains("1");
    assertThat(payments.get()).isEqualTo(10);
    assertThat(post("/pay/slow", "key", "x").body()).isEqualTo("11 x");
  }
}
