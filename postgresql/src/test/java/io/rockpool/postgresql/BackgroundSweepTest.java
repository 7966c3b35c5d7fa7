package io.rockpool.postgresql;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.Serializable;
import java.sql.Connection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What expires leaves the tables without any call, also what the layers above an engine sweep. */
@Slow
@Needs(Tool.POSTGRESQL)
final class BackgroundSweepTest {
  private static final int ELEMENTS = 50;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource source = server.pool();
  private final FakeClock clock = new FakeClock();
  private final Rockpool pool =
      Rockpool.at(
              o ->
                  PostgresEngine.open(
                      source, PostgresOptions.defaults().schema(schema).clock(clock)))
          .open();

  /** A key that is equal by its method only: its bytes say nothing. */
  private record Name(String text) implements Serializable {
    @Override
    public boolean equals(Object other) {
      return other instanceof Name name && text.equalsIgnoreCase(name.text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  @AfterEach
  void close() throws Exception {
    pool.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  /** Of all spaces whose names contain this, hidden ones included. */
  private long records(String name) {
    return server.number(
        "SELECT count(*) FROM $.records r JOIN $.spaces s USING (generation)"
                .replace("$.", schema + ".")
            + " JOIN "
            + schema
            + ".space_info i ON i.id = s.id WHERE i.name LIKE '%"
            + name
            + "%' AND r.hash_key <> ''");
  }

  private void awaitFewer(String name, long records) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (records(name) >= records && System.nanoTime() < end) {
      Thread.sleep(100);
    }
    assertThat(records(name)).as(name).isLessThan(records);
  }

  @Test
  void directoriesOfKeysAndScoredSetsAndFeedsAreSwept() throws Exception {
    PersistentCache<Object, String> cache =
        Internals.store(pool)
            .caches()
            .openOwn(
                "names",
                TypeRef.of(Object.class),
                TypeRef.of(String.class),
                CacheOptions.<Object, String>defaults()
                    .expiry(CacheExpiry.afterWrite(ofMinutes(1))));
    PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
    PersistentMap<String, Long> fed =
        pool.map("fed", String.class, Long.class, o -> o.changes(ChangeOptions.keep(ofMinutes(1))));
    for (int i = 0; i < ELEMENTS; i++) {
      cache.put(new Name("name " + i), "value");
      scores.add("element " + i, i, ofMinutes(1));
      fed.put("key", (long) i);
    }
    long names = records("names");
    long elements = records("scores");
    long changes = records("rockpool:changes");
    assertThat(names).isGreaterThanOrEqualTo(ELEMENTS);
    assertThat(elements).isGreaterThanOrEqualTo(ELEMENTS);
    assertThat(changes).isGreaterThanOrEqualTo(ELEMENTS);
    assertThat(cache.get(new Name("NAME 7"))).isEqualTo("value");
    clock.advanceMillis(ofMinutes(2).toMillis());
    awaitFewer("names", ELEMENTS / 10);
    awaitFewer("scores", ELEMENTS / 10);
    awaitFewer("rockpool:changes", ELEMENTS / 2);
    cache.put(new Name("name 1"), "new");
    assertThat(cache.get(new Name("Name 1"))).isEqualTo("new");
  }

  private long entries() {
    return server.number("SELECT count(*) FROM " + schema + ".entries");
  }

  /** Sessions that wait for the lock of a table. */
  private long waiting() {
    return server.number(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '"
            + schema
            + ".records'::regclass");
  }

  /** As an operator locks it, or an ALTER TABLE. */
  @Test
  void aLockedTableDelaysOnlyWhatNeedsIt() throws Exception {
    PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
    PersistentCache<String, String> cache =
        pool.cache(
            "cache",
            String.class,
            String.class,
            options -> options.expiry(CacheExpiry.afterWrite(ofMinutes(1))));
    for (int i = 0; i < ELEMENTS; i++) {
      scores.add("element " + i, i, ofMinutes(1));
      cache.put("key " + i, "value");
    }
    assertThat(entries()).isGreaterThanOrEqualTo(ELEMENTS);
    try (Connection locking = source.getConnection()) {
      locking.setAutoCommit(false);
      Parameters.update(locking, "LOCK TABLE " + schema + ".records IN ACCESS EXCLUSIVE MODE");
      clock.advanceMillis(ofMinutes(2).toMillis());
      long end = System.nanoTime() + PATIENCE_NANOS;
      long most = 0;
      while (entries() >= ELEMENTS && System.nanoTime() < end) {
        most = Math.max(most, waiting());
        Thread.sleep(100);
      }
      assertThat(entries()).isLessThan(ELEMENTS);
      assertThat(most).isLessThanOrEqualTo(1);
      locking.rollback();
    }
    awaitFewer("scores", ELEMENTS / 10);
    assertThat(pool.state().reclaim().overdueMillis()).isNotNegative();
  }
}
