package io.rockpool.redis;

import static io.rockpool.engine.Expiry.NEVER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write whose connection is cut is not made a second time, after another process's write. */
@Slow
@Timeout(120)
@Needs(Tool.REDIS)
final class RepeatedWritesTest {
  private static final String OPTIONS = "?timeout=20s&feed-timeout=20s";

  /** So many threads that some have not seen their answers when the connection is lost. */
  private static final int THREADS = 64;

  private static final SpaceSpec SPEC = new SpaceSpec("s", Layout.ENTRIES, Map.of());
  private static final Pattern WRITES =
      Pattern.compile("\r\n(SET|DEL|EVALSHA)\r\n.{0,300}?:e(k|beside k)", Pattern.DOTALL);
  private static final Pattern CLEARS = Pattern.compile("\r\nSET\r\n[^\r]*\r\n[^\r]*:g\r\n");
  private static final Pattern NAMES =
      Pattern.compile(Scripts.CATALOG.digest() + '|' + Scripts.DROP.digest());
  private static final Pattern SETS = Pattern.compile("cmdstat_set:calls=([0-9]+)");
  private static final byte[] NONE = Space.NO_SORT_KEY;
  private static final byte[] OLD = bytes("old");
  private static final byte[] MINE = bytes("mine");
  private static final byte[] THEIRS = bytes("theirs");

  private RedisServer server;
  private CuttingProxy proxy;
  private Engine mine;
  private Engine theirs;
  private Space one;
  private Space other;

  /** Writes a key of a space. Calls {@code ready} before it sends what it writes. */
  private interface Call {
    void run(Space space, byte[] key, Runnable ready);

    /** A call that reads nothing. */
    static Call of(BiConsumer<Space, byte[]> write) {
      return (space, key, ready) -> {
        ready.run();
        write.accept(space, key);
      };
    }
  }

  /** Every write of a space that the engine has. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Write {
    PUT(MINE, Call.of((space, key) -> put(space, key, MINE))),
    PUT_ALL(
        MINE,
        Call.of(
            (space, key) -> space.putAll(List.of(record(beside(key), MINE), record(key, MINE))))),
    DELETE(null, Call.of((space, key) -> space.delete(key, NONE))),
    DELETE_ALL(null, Call.of((space, key) -> space.deleteAll(List.of(of(beside(key)), of(key))))),
    GET_AND_PUT(
        MINE, Call.of((space, key) -> transact(space, key, RecordWrite.put(NONE, MINE, NEVER)))),
    GET_AND_DELETE(null, Call.of((space, key) -> transact(space, key, RecordWrite.delete(NONE)))),
    REPLACE(
        MINE,
        Call.of(
            (space, key) ->
                transact(space, key, RecordWrite.put(NONE, MINE, NEVER).ifSame(record(key, OLD))))),
    TRANSACTION(
        MINE,
        (space, key, ready) ->
            transact(
                space,
                key,
                row -> {
                  row.put(NONE, MINE, NEVER);
                  ready.run();
                  return null;
                })),
    LEASED(
        MINE,
        (space, key, ready) -> {
          LeasedWrite write = new LeasedWrite(lease(space, key), MINE, NEVER);
          ready.run();
          transact(space, key, write);
        }),
    LEASED_TOGETHER(
        null,
        (space, key, ready) -> {
          List<LeasedWrite> writes =
              List.of(
                  new LeasedWrite(lease(space, beside(key)), null, NEVER),
                  new LeasedWrite(lease(space, key), null, NEVER));
          ready.run();
          List<Boolean> unused = space.writeLeased(List.of(beside(key), key), writes);
        }),
    CLEAR(null, Call.of((space, key) -> space.clear()));

    private final byte @Nullable [] effect;
    private final Call call;

    Write(byte @Nullable [] effect, Call call) {
      this.effect = effect;
      this.call = call;
    }
  }

  private static void transact(Space space, byte[] key, RowTransaction<?> transaction) {
    Object unused = space.transact(key, transaction);
  }

  private static Lease lease(Space space, byte[] key) {
    return Objects.requireNonNull(space.lease(List.of(key)).get(0).lease());
  }

  private static byte[] beside(byte[] key) {
    return bytes("beside " + new String(key, UTF_8));
  }

  private static RecordKey of(byte[] key) {
    return new RecordKey(key, NONE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static RowRecord record(byte[] key, byte[] value) {
    return new RowRecord(key, NONE, value, NEVER);
  }

  private static void put(Space space, byte[] key, byte[] value) {
    space.put(key, NONE, value, NEVER);
  }

  private static byte @Nullable [] get(Space space, byte[] key) {
    RowRecord found = space.get(key, NONE);
    return found == null ? null : found.value();
  }

  @BeforeEach
  void open() throws Exception {
    server = RedisServer.start();
    proxy = new CuttingProxy(server.port());
    mine = open(URI.create("redis://127.0.0.1:" + proxy.port() + OPTIONS));
    theirs = open(server.uri(OPTIONS));
    one = mine.create(SPEC);
    other = Objects.requireNonNull(theirs.open("s"));
  }

  private static Engine open(URI uri) {
    return RedisEngine.open(uri, options(InstantSource.system()));
  }

  private static EngineOptions options(InstantSource clock) {
    return new EngineOptions(clock, null, Map.of());
  }

  @AfterEach
  void close() {
    if (proxy != null) {
      proxy.pass();
      mine.close();
      theirs.close();
      proxy.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoseAnswerCameIsMadeOnce(Write write) throws Exception {
    assertThat(overtaken(write, true)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whoseAnswerIsLostIsMadeOnce(Write write) throws Exception {
    overtaken(write, false);
  }

  /** The threads of the calls may see the loss before they have gone on after the answers. */
  @Test
  void whoseAnswerCameJustBeforeALossIsMadeOnce() throws Exception {
    for (int i = 0; i < Rounds.of(15, 200); i++) {
      assertThat(overtaken(Write.PUT, true)).isEmpty();
    }
  }

  /** A report that is not of another generation, after a put that did not read the generation. */
  @Test
  void thatANewExpiryOvertakesIsMadeOnce() {
    AtomicReference<Runnable> next = new AtomicReference<>();
    Thread caller = Thread.currentThread();
    InstantSource clock =
        () -> {
          boolean upkeep = Thread.currentThread() != caller;
          Runnable now = upkeep ? null : next.getAndSet(null);
          if (now != null) {
            now.run();
          }
          return Instant.now();
        };
    byte[] key = bytes("k");
    try (Engine engine = RedisEngine.open(server.uri(OPTIONS), options(clock))) {
      Space space = Objects.requireNonNull(engine.open("s"));
      put(space, key, OLD);
      long least = Long.MAX_VALUE; // the upkeep may set something, too
      for (int i = 0; i < 5; i++) {
        next.set(() -> space.expireAt(System.currentTimeMillis() + 1_000_000));
        long before = sets();
        put(space, key, MINE);
        assertThat(next.get()).isNull();
        least = Math.min(least, sets() - before);
      }
      assertThat(least).isEqualTo(KeyNames.BUCKETS + 1);
      assertThat(get(other, key)).isEqualTo(MINE);
    }
  }

  private long sets() {
    Matcher found = SETS.matcher(server.command("INFO", "commandstats"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Test
  void ofWhichAPartWasSentIsMadeOnce() throws Exception {
    byte[] key = bytes("k");
    byte[] large = bytes("large");
    one.putAll(List.of(record(key, OLD), record(large, OLD)));
    proxy.keepAnswers(WRITES, 16 << 10);
    CompletableFuture<Void> call =
        CompletableFuture.runAsync(
            () -> one.putAll(List.of(record(key, MINE), record(large, new byte[64 << 20]))));
    Failover.await(() -> Arrays.equals(get(other, key), MINE));
    proxy.cut(false);
    put(other, key, THEIRS);
    proxy.pass();
    assertThat(call)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withCauseInstanceOf(OutcomeUnknownException.class);
    assertThat(get(other, key)).isEqualTo(THEIRS);
  }

  @Test
  void ofWhichAPartWasRefusedIsMadeOnce() {
    assertThat(
            server.command(
                "ACL",
                "SETUSER",
                "u",
                "on",
                ">p",
                "+@all",
                "&*",
                "~*names*",
                "~*owner*",
                "~*:g",
                "~*:ek*"))
        .isEqualTo("OK");
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      records.add(record(bytes("k" + i), MINE));
    }
    records.add(record(bytes("refused"), MINE));
    URI uri = URI.create("redis://u:p@127.0.0.1:" + server.port() + OPTIONS);
    try (Engine engine = open(uri)) {
      Space space = Objects.requireNonNull(engine.open("s"));
      long before = sets();
      assertThatThrownBy(() -> space.putAll(records)).hasMessageContaining("NOPERM");
      assertThat(sets() - before).isBetween(100L, 110L); // some are of the upkeep
      assertThat(get(other, bytes("k99"))).isEqualTo(MINE);
    }
  }

  private String name() {
    return server.command("HGET", "rockpool:{names}", "s");
  }

  /** Every change of the names that takes records with it. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum NameChange {
    DROP(engine -> assertThat(engine.drop("s")).isTrue()),
    DROP_ALL(engine -> assertThat(engine.dropAll("s")).isOne()),
    RESET(engine -> engine.reset(SPEC));

    private final Consumer<Engine> call;

    NameChange(Consumer<Engine> call) {
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofANameIsMadeOnce(NameChange change) throws Exception {
    byte[] key = bytes("k");
    put(one, key, OLD);
    proxy.keepAnswers(NAMES, Long.MAX_VALUE);
    String before = name(); // an opening would change it
    CompletableFuture<Void> call = CompletableFuture.runAsync(() -> change.call.accept(mine));
    Failover.await(() -> !name().equals(before));
    proxy.cut(false);
    Space there = theirs.open("s");
    Space after = there == null ? theirs.create(SPEC) : there;
    put(after, key, THEIRS);
    proxy.pass();
    assertThat(call).succeedsWithin(Duration.ofSeconds(30));
    assertThat(get(after, key)).isEqualTo(THEIRS);
    assertThat(get(Objects.requireNonNull(theirs.open("s")), key)).isEqualTo(THEIRS);
  }

  /**
   * Makes a write of many keys that the server runs, cuts the connection, and writes the keys
   * elsewhere before the first process has a new connection. Returns the calls that failed.
   */
  private List<Throwable> overtaken(Write write, boolean answers) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < (write == Write.CLEAR ? 1 : THREADS); i++) {
      keys.add(bytes("k" + i));
    }
    for (byte[] key : keys) { // so that the generations are known
      put(one, key, OLD);
      put(one, beside(key), OLD);
    }
    CountDownLatch ready = new CountDownLatch(keys.size());
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(keys.size());
    try {
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      for (byte[] key : keys) {
        Runnable wait =
            () -> {
              ready.countDown();
              await(go);
            };
        calls.add(
            CompletableFuture.runAsync(
                () -> {
                  put(one, key, OLD);
                  write.call.run(one, key, wait);
                },
                threads));
      }
      await(ready);
      proxy.keepAnswers(write == Write.CLEAR ? CLEARS : WRITES, Long.MAX_VALUE);
      go.countDown();
      for (byte[] key : keys) {
        Failover.await(() -> Arrays.equals(get(other, key), write.effect));
      }
      proxy.cut(answers);
      keys.forEach(key -> put(other, key, THEIRS));
      keys.forEach(key -> assertThat(get(other, key)).isEqualTo(THEIRS));
      proxy.pass();
      List<Throwable> failures = new ArrayList<>();
      for (CompletableFuture<Void> call : calls) {
        Throwable failure = call.handle((any, thrown) -> thrown).get();
        if (failure != null) {
          assertThat(failure).hasCauseInstanceOf(OutcomeUnknownException.class);
          failures.add(failure);
        }
      }
      keys.forEach(key -> assertThat(get(other, key)).as(new String(key, UTF_8)).isEqualTo(THEIRS));
      return failures;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
