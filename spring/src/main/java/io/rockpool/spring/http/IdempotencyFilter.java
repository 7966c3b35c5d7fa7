package io.rockpool.spring.http;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.spring.transaction.RockpoolTransactionManager;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Handles a request with an {@code Idempotency-Key} once, and answers each repetition with the
 * stored response, as the IETF draft <i>The Idempotency-Key HTTP Header Field</i> describes.
 *
 * <p>The request is handled in a transaction of the store. Its response is stored in the same
 * transaction, and sent after the commit. So after a crash either both the effects and the response
 * are in the store, or neither is and a repeated request is handled again. Code under it may use
 * {@code @Transactional} with a {@link RockpoolTransactionManager}, which joins. Effects outside of
 * the store are not undone. Where the store's operations join the transactions of the application's
 * database, the request is handled in one of these.
 *
 * <table>
 *   <caption>Answers</caption>
 *   <tr><th>400</th><td>the key is missing where it is required, or is not a key</td></tr>
 *   <tr><th>409</th><td>the first request with the key is being handled</td></tr>
 *   <tr><th>413</th><td>the body is larger than the filter takes</td></tr>
 *   <tr><th>422</th><td>the key was used for another request: another method, path, query, content
 *       type or body; of a form, its parameters count, and of uploaded files nothing</td></tr>
 *   <tr><th>503</th><td>the transaction has a conflict, also as a cause of what is thrown; nothing was changed, and the client may
 *       repeat the request</td></tr>
 *   <tr><th>other</th><td>the handler's, or the stored one with the header {@code
 *       Idempotent-Replayed: true}</td></tr>
 * </table>
 *
 * <p><b>Stored</b> are responses with a status below 500, without 401, 403, 408, 409, 425 and 429,
 * and not those by {@code sendError}. What is not stored is rolled back, and handled again when it
 * is repeated. {@code Set-Cookie} is not stored, nor are headers that outer filters have set: each
 * response gets those of its own request. If code under the filter has marked the transaction to be
 * rolled back, as an exception of a {@code @Transactional} method does, a response of 400 or more
 * is sent and not stored, and any other is an {@link UnexpectedRollbackException}.
 *
 * <p><b>Users.</b> A key belongs to the user that the container or Spring Security has
 * authenticated, so the filter comes after Spring Security. Requests without a user share their
 * keys.
 *
 * <p><b>Threads.</b> A request is handled on its own thread; asynchronous ones are refused. Request
 * and response are in memory.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {
  /** The request's header with the key: {@value}. */
  public static final String KEY = "Idempotency-Key";

  /** The header of a response that was stored: {@value}. */
  public static final String REPLAYED = "Idempotent-Replayed";

  private static final int MAX_KEY_LENGTH = 255;
  private static final int CONFLICT = 409;
  private static final int TOO_LARGE = 413;
  private static final int UNPROCESSABLE = 422;
  private static final int UNAVAILABLE = 503;

  private final Rockpool pool;
  private final IdempotencyRules rules;
  private final TransactionTemplate transactions;

  /** The requests that are being handled or answered, by their stored key. */
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  /** A request of which it is not known at first whether its answer is stored. */
  private static final class Running {
    private final String fingerprint;
    private final CountDownLatch decided = new CountDownLatch(1);
    private volatile boolean handled;

    Running(String fingerprint) {
      this.fingerprint = fingerprint;
    }

    /** Waits until it is known; returns whether the request is handled for the first time. */
    boolean awaitHandled() {
      try {
        decided.await();
        return handled;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }

  /** A filter that keeps its responses in a store. */
  public IdempotencyFilter(Rockpool pool, IdempotencyRules rules) {
    this(pool, rules, new RockpoolTransactionManager(pool));
  }

  /**
   * A filter that handles requests in transactions of the application, so that its tables, the
   * store and the response change in one commit.
   *
   * @param manager the manager of transactions that the store's operations join
   */
  public IdempotencyFilter(
      Rockpool pool, IdempotencyRules rules, PlatformTransactionManager manager) {
    this.pool = Objects.requireNonNull(pool, "pool");
    this.rules = Objects.requireNonNull(rules, "rules");
    this.transactions = new TransactionTemplate(manager);
  }

  /** Carries a response that is not stored out of its transaction, which is rolled back. */
  private static final class NotStored extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotStored(@Nullable Exception cause) {
      super("The response is not stored.", cause, false, false);
    }
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !rules.applyTo(
        request.getMethod(),
        ServletRequestPathUtils.parseAndCache(request).pathWithinApplication());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String header = request.getHeader(KEY);
    if (header == null && !rules.isRequired()) {
      chain.doFilter(request, response);
      return;
    }
    String key = header == null ? null : keyIn(header);
    if (key == null) {
      refuse(response, 400, "The header Idempotency-Key must have 1 to 255 visible characters.");
      return;
    }
    byte[] body = isForm(request) ? null : request.getInputStream().readNBytes(limit());
    if (body != null && body.length == limit()) {
      refuse(response, TOO_LARGE, "The body is too large for a request with Idempotency-Key.");
      return;
    }
    String fingerprint = fingerprint(request, body);
    String stored = storedKey(request.getRemoteUser(), key);
    HttpServletRequest buffered = new BufferedRequest(request, body);
    Running mine = new Running(fingerprint);
    Running other = running.putIfAbsent(stored, mine);
    while (other != null) {
      if (other.awaitHandled()) {
        refuseRepeated(response, other.fingerprint.equals(fingerprint) ? CONFLICT : UNPROCESSABLE);
        return;
      }
      other = running.putIfAbsent(stored, mine);
    }
    handle(buffered, response, chain, stored, mine);
  }

  private void handle(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      String stored,
      Running mine)
      throws ServletException, IOException {
    HeldResponse held = new HeldResponse(response);
    String fingerprint = mine.fingerprint;
    byte[] bytes;
    try {
      bytes =
          once(
              stored,
              mine,
              () -> {
                mine.handled = true;
                mine.decided.countDown();
                return run(request, held, chain, fingerprint);
              });
    } catch (NotStored e) {
      rethrow(e.getCause());
      held.release();
      return;
    } catch (UnexpectedRollbackException e) {
      if (held.getStatus() < HttpStatus.BAD_REQUEST.value()) {
        throw e;
      }
      held.release();
      return;
    } catch (ConcurrencyFailureException e) {
      held.discard();
      response.setHeader("Retry-After", "1");
      refuse(response, UNAVAILABLE, "Another request uses the same data. Nothing was changed.");
      return;
    }
    if (mine.handled) {
      held.release();
      return;
    }
    StoredResponse before = StoredResponse.decode(bytes);
    if (before.fingerprint().equals(fingerprint)) {
      response.setHeader(REPLAYED, "true");
      before.replayTo(response);
    } else {
      refuseRepeated(response, UNPROCESSABLE);
    }
  }

  /** No response is sent before the end: the client may repeat its request then. */
  private byte[] once(String stored, Running mine, Supplier<byte[]> request) {
    try {
      return Objects.requireNonNull(
          transactions.<byte[]>execute(
              status -> {
                checkJoined();
                return pool.<byte[]>once(stored, rules.ttl(), tx -> request.get());
              }));
    } finally {
      running.remove(stored, mine);
      mine.decided.countDown();
    }
  }

  /** Outside a transaction of the store, {@code once} may run a request again. */
  private void checkJoined() {
    if (!Internals.store(pool).inTransaction()) {
      throw new IllegalTransactionStateException(
          "The store does not join the transactions of the manager of the filter of idempotent"
              + " requests. Give the filter the manager that it joins, or none.");
    }
  }

  private static byte[] run(
      HttpServletRequest request, HeldResponse held, FilterChain chain, String fingerprint) {
    try {
      chain.doFilter(request, held);
    } catch (ServletException | IOException | RuntimeException e) {
      ConcurrencyFailureException conflict = conflictIn(e);
      if (conflict != null) {
        throw conflict;
      }
      if (e instanceof RuntimeException unexpected) {
        throw unexpected;
      }
      throw new NotStored(e);
    }
    if (!held.isFinal()) {
      throw new NotStored(null);
    }
    return StoredResponse.of(fingerprint, held).encode();
  }

  /** A conflict among the causes of an exception: servlets and proxies wrap what handlers throw. */
  private static @Nullable ConcurrencyFailureException conflictIn(Exception thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable e = thrown; e != null && seen.add(e); e = e.getCause()) {
      if (e instanceof ConcurrencyFailureException conflict) {
        return conflict;
      }
    }
    return null;
  }

  private static void rethrow(@Nullable Throwable cause) throws ServletException, IOException {
    if (cause instanceof ServletException e) {
      throw e;
    }
    if (cause instanceof IOException e) {
      throw e;
    }
  }

  /** The key in a header, a string of RFC 8941 or the bare characters; null if there is none. */
  private static @Nullable String keyIn(String header) {
    String key = header.strip();
    if (key.length() > 1 && key.startsWith("\"") && key.endsWith("\"")) {
      key = key.substring(1, key.length() - 1);
    }
    boolean visible = key.chars().allMatch(c -> c > ' ' && c < 0x7F);
    return key.isEmpty() || key.length() > MAX_KEY_LENGTH || !visible ? null : key;
  }

  private static String storedKey(@Nullable String user, String key) {
    MessageDigest digest = sha256();
    add(digest, user == null ? "" : user);
    add(digest, key);
    return "http/" + HexFormat.of().formatHex(digest.digest());
  }

  /** One byte more than is allowed; a body of so many is too large. */
  private int limit() {
    return rules.maxBodyBytes() + 1;
  }

  /** Whether the container reads the body, to find the parameters and parts. */
  private static boolean isForm(HttpServletRequest request) {
    String type = mediaType(request);
    return type.equals("application/x-www-form-urlencoded") || type.startsWith("multipart/");
  }

  /** The content type without its parameters, such as the boundary of parts. */
  private static String mediaType(HttpServletRequest request) {
    String type = String.valueOf(request.getContentType());
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static String fingerprint(HttpServletRequest request, byte @Nullable [] body) {
    MessageDigest digest = sha256();
    add(digest, request.getMethod());
    add(digest, request.getRequestURI());
    add(digest, String.valueOf(request.getQueryString()));
    add(digest, mediaType(request));
    if (body == null) {
      new TreeMap<>(request.getParameterMap())
          .forEach(
              (name, values) -> {
                addLong(digest, name);
                add(digest, String.valueOf(values.length));
                for (String value : values) {
                  addLong(digest, value);
                }
              });
    } else {
      digest.update(body);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String part) {
    digest.update(part.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  /** A part with its length, because it may have any characters. */
  private static void addLong(MessageDigest digest, String part) {
    add(digest, String.valueOf(part.length()));
    add(digest, part);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has it", e);
    }
  }

  private static void refuseRepeated(HttpServletResponse response, int status) {
    refuse(
        response,
        status,
        status == CONFLICT
            ? "The first request with this Idempotency-Key is being handled."
            : "This Idempotency-Key was used for another request.");
  }

  private static void refuse(HttpServletResponse response, int status, String detail) {
    response.setStatus(status);
    response.setContentType("application/problem+json");
    String json =
        "{\"type\":\"about:blank\",\"status\":%s,\"detail\":\"%s\"}".formatted(status, detail);
    try {
      response.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("The client has gone.", e);
    }
  }
}
