package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.FakeClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever fails, and whatever a user's code says that fails: no message that the library makes,
 * and no line that it logs, shows a value, or more of a key than its first bytes.
 */
@Timeout(60)
final class SecretsTest {
  private static final String SECRET = "4556-7375-8689-9855-" + "secret-".repeat(10);

  /** One byte more than is shown of a key. */
  private static final String MARK = SECRET.substring(0, 25);

  private static boolean refusing;

  @TempDir Path directory;

  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  /** What a user's code throws, which shows what it should not: that is between it and the user. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(Object shown) {
      super("refused: " + shown);
    }
  }

  private static void refuse(Object shown) {
    if (refusing) {
      throw new Refused(shown);
    }
  }

  /** Keys that the ordered codec of records writes. */
  record Ticket(String number, int part) {
    Ticket {
      refuse(number);
    }
  }

  /** Values that the fallback writes. */
  record Card(String number, List<String> marks) implements Serializable {
    Card {
      refuse(number);
    }
  }

  /** Values that cannot be written, either. */
  static final class Letter implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String text;

    Letter(String text) {
      this.text = text;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      refuse(text);
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      refuse(text);
    }
  }

  /** A class that has no business here. */
  record Stranger(String text) implements Serializable {}

  record Anything(Object held) implements Serializable {}

  /** A user's codec that shows what it cannot read. */
  private static final class Telling implements Codec<Anything> {
    @Override
    public String id() {
      return "telling";
    }

    @Override
    public byte[] encode(Anything value) {
      refuse(value);
      return value.held().toString().getBytes(UTF_8);
    }

    @Override
    public Anything decode(byte[] bytes, int offset, int length) {
      Anything value = new Anything(new String(bytes, offset, length, UTF_8));
      refuse(value);
      return value;
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  @BeforeEach
  void catchLog() {
    refusing = false;
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void letLogGo() {
    refusing = false;
    System.setErr(standardError);
  }

  private static void assertKept(String what, Throwable thrown) {
    assertThat(thrown).as(what).isNotNull();
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e instanceof RockpoolException || !isOfUser(e)) {
        assertThat(e.toString()).as(what).doesNotContain(MARK);
        Arrays.stream(e.getSuppressed()).forEach(other -> assertKept(what, other));
      }
    }
  }

  /** Whether a user's code threw it, or the JDK in its place. */
  private static boolean isOfUser(Throwable e) {
    return e instanceof Refused || (e.getCause() != null && isOfUser(e.getCause()));
  }

  /** All that was logged but the lines of stack traces in which the user's exceptions speak. */
  private void assertKeptInLog(String... warnings) {
    String text = log.toString(UTF_8);
    for (String warning : warnings) {
      assertThat(text).contains(warning);
    }
    assertThat(text.lines())
        .filteredOn(line -> !line.matches("(\\s*Suppressed: |Caused by: )?[\\w.$]+: refused: .*"))
        .allSatisfy(line -> assertThat(line).doesNotContain(MARK));
  }

  /** Structures that hold what is read only while nothing is refused. */
  private static Map<String, ThrowingCallable> reads(Rockpool pool) {
    TypeRef<String> words = TypeRef.of(String.class);
    CacheOptions<String, Card> cold = CacheOptions.<String, Card>defaults().hotEntries(0);
    PersistentCache<String, Card> cache =
        pool.cache("cache", words, TypeRef.of(Card.class), o -> cold);
    PersistentMap<Ticket, String> tickets = pool.map("tickets", Ticket.class, String.class);
    PersistentMap<String, Card> cards = pool.map("cards", String.class, Card.class);
    PersistentMap<String, Letter> letters = pool.map("letters", String.class, Letter.class);
    PersistentMap<String, Anything> own = pool.map("own", String.class, Anything.class);
    PersistentDeque<Card> deque = pool.deque("deque", Card.class);
    PersistentScoredSet<Ticket> scored = pool.scoredSet("scored", Ticket.class);
    PersistentTable<String, String, Card> table =
        pool.table("table", String.class, String.class, Card.class);
    Card card = new Card(SECRET, new ArrayList<>(List.of(SECRET)));
    Letter letter = new Letter(SECRET);
    Anything any = new Anything(SECRET);
    cache.put(SECRET, card);
    tickets.put(new Ticket(SECRET, 1), SECRET);
    cards.put(SECRET, card);
    letters.put(SECRET, letter);
    own.put(SECRET, any);
    deque.add(card);
    scored.add(new Ticket(SECRET, 1), 1);
    table.put(SECRET, SECRET, card);
    pool.value("value", Card.class).set(card);
    Map<String, ThrowingCallable> reads = new LinkedHashMap<>();
    reads.put("map's keys", () -> tickets.forEach((key, value) -> {}));
    reads.put("map", () -> cards.get(SECRET));
    reads.put("map's entries", () -> List.copyOf(cards.values()));
    reads.put("map's compute", () -> cards.compute(SECRET, (key, value) -> value));
    reads.put("serialized", () -> letters.get(SECRET));
    reads.put("not serialized", () -> letters.put("other", letter));
    reads.put("own", () -> own.get(SECRET));
    reads.put("not own", () -> own.put("other", any));
    reads.put("deque", deque::peekFirst);
    reads.put("scored set", scored::pollFirst);
    reads.put("table", () -> table.get(SECRET, SECRET));
    reads.put("row", () -> List.copyOf(table.row(SECRET).values()));
    reads.put("value", () -> pool.value("value", Card.class).get());
    reads.put(
        "transaction",
        () ->
            pool.atomically(
                tx -> {
                  cards.put("other", card);
                  return cards.get(SECRET);
                }));
    return reads;
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeReadOrWrittenIsNotShown(Fallback fallback) {
    Codecs codecs =
        Codecs.builder().fallback(fallback).register(Anything.class, new Telling()).build();
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      Map<String, ThrowingCallable> reads = reads(pool);
      refusing = true;
      reads.forEach((what, read) -> assertKept(what, catchThrowable(read)));
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
      assertThat(report.findings()).hasSizeGreaterThan(6);
      assertThat(report.toString()).doesNotContain(MARK);
      PersistentCache<String, Card> cache = pool.cache("cache", String.class, Card.class);
      assertThat(cache.get(SECRET)).isNull(); // as if it had not been there
    }
    assertKeptInLog();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRefusedIsNotShown(Fallback fallback) {
    Codecs codecs = Codecs.builder().fallback(fallback).strict().build();
    Codec<ZonedDateTime> times = codecs.keyCodec(TypeRef.of(ZonedDateTime.class));
    byte[] time = times.encode(ZonedDateTime.parse("2024-10-27T02:30+01:00[Europe/Paris]"));
    byte[] elsewhere = Arrays.copyOf(time, 16 + SECRET.length());
    System.arraycopy(SECRET.getBytes(UTF_8), 0, elsewhere, 16, SECRET.length());
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      PersistentMap<String, Anything> map = pool.map("map", String.class, Anything.class);
      PersistentMap<String, String> words = pool.map("words", String.class, String.class);
      PersistentDeque<String> closed = pool.deque("closed", String.class);
      Map<String, ThrowingCallable> all = new LinkedHashMap<>();
      all.put("class", () -> map.put(SECRET, new Anything(new Stranger(SECRET))));
      all.put("lambda", () -> map.put(SECRET, new Anything((Supplier<String>) () -> SECRET)));
      all.put("long key", () -> words.put(SECRET.repeat(2_000), SECRET));
      all.put("zone", () -> times.decode(elsewhere, 0, elsewhere.length));
      all.put("closed", () -> closed.add(SECRET));
      pool.names().drop("closed");
      all.forEach((what, call) -> assertKept(what, catchThrowable(call)));
    }
    assertKeptInLog();
  }

  /** Whom a user's code fails on the library's own threads, or where nobody is to be told. */
  @Test
  void whatIsLoggedShowsNothing() {
    FakeClock clock = new FakeClock();
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      CacheOptions<String, String> refreshed =
          CacheOptions.<String, String>defaults()
              .expiry(CacheExpiry.afterWrite(Duration.ofHours(1)))
              .softTtl(Duration.ofMinutes(1))
              .refreshLoader(key -> failWith(key))
              .refreshExecutor(Runnable::run);
      PersistentCache<String, String> cache =
          pool.cache("cache", String.class, String.class, o -> refreshed);
      PersistentMap<String, String> map =
          pool.map("map", TypeRef.of(String.class), TypeRef.of(String.class));
      map.addListener((key, before, after) -> failWith(after));
      Internals.cache(cache).onExpired((key, value, removal) -> {}); // so that it stays to be met
      cache.put(SECRET, SECRET);
      map.put(SECRET, SECRET);
      clock.advanceMillis(Duration.ofMinutes(2).toMillis());
      assertThat(cache.get(SECRET)).isEqualTo(SECRET); // refreshed, in vain
      assertThat(cache.statistics().refreshFailures()).isOne();
      pool.atomically(
          tx -> {
            tx.afterCommit(() -> failWith(SECRET));
            return map.put(SECRET, "2");
          });
      clock.advanceMillis(Duration.ofMinutes(90).toMillis());
      Internals.cache(cache).onExpired((key, value, removal) -> failWith(value));
      assertThat(catchThrowable(() -> cache.get(SECRET))).isInstanceOf(Refused.class);
      assertKept("loader", catchThrowable(() -> cache.get(SECRET, key -> failWith("loader"))));
    }
    assertKeptInLog("A refresh of the cache", "A listener of", "after a transaction failed");
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // it stands where any value is expected
  private static <T> T failWith(String shown) {
    throw new Refused(shown);
  }
}
