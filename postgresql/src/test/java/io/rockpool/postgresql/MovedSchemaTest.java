package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Schemas that get another name, or are replaced: no store writes into another one. */
@Needs(Tool.POSTGRESQL)
final class MovedSchemaTest {
  private final PostgresServer server = PostgresServer.running();
  private final String live = PostgresServer.newSchema();
  private final String old = PostgresServer.newSchema();

  @AfterEach
  void drop() throws Exception {
    server.execute("DROP SCHEMA IF EXISTS " + live + ", " + old + " CASCADE");
  }

  private Rockpool open(String schema) {
    return Rockpool.at(
            URI.create(
                "postgresql://rockpool@127.0.0.1:" + server.port() + "/postgres?schema=" + schema))
        .property("rockpool.postgresql.pool-size", "4")
        .open();
  }

  private void rename(String from, String to) throws Exception {
    server.execute("ALTER SCHEMA " + from + " RENAME TO " + to);
  }

  private static PersistentMap<String, Long> map(Rockpool store) {
    return store.map("map", String.class, Long.class);
  }

  private static PersistentCache<String, Long> cache(Rockpool store) {
    return store.cache("cache", String.class, Long.class);
  }

  private static void fill(Rockpool store, long value) {
    map(store).put("key", value);
    cache(store).put("key", value);
    cache(store).putIfAbsent("other", value);
  }

  private static void check(Rockpool store, long value) {
    assertThat(map(store)).containsExactlyEntriesOf(Map.of("key", value));
    assertThat(cache(store).getAll(List.of("key", "other")))
        .isEqualTo(Map.of("key", value, "other", value));
    assertThat(store.verify().isClean()).isTrue();
  }

  @Test
  void aRenamedSchemaIsAStoreApartFromTheNewOneOfItsName() throws Exception {
    try (Rockpool store = open(live)) {
      fill(store, 1);
    }
    rename(live, old);
    try (Rockpool store = open(live)) {
      fill(store, 2);
      try (Rockpool renamed = open(old)) {
        check(renamed, 1);
        fill(renamed, 1);
        check(renamed, 1);
        check(store, 2);
        map(renamed).clear();
        cache(renamed).clear();
        assertThat(map(renamed)).isEmpty();
        assertThat(cache(renamed).get("key")).isNull();
        check(store, 2);
        fill(renamed, 3);
        check(renamed, 3);
      }
      check(store, 2);
    }
  }

  @Test
  void aStoreStaysOpenWhileItsSchemaHasAnotherNameThatIsOpened() throws Exception {
    try (Rockpool store = open(live)) {
      fill(store, 1);
      rename(live, old);
      try (Rockpool renamed = open(old)) {
        fill(renamed, 2);
        assertThatThrownBy(() -> map(store).put("key", 3L))
            .isInstanceOf(RockpoolException.class)
            .hasMessageContaining("dropped or renamed");
      }
      rename(old, live);
      try (Rockpool other = open(old)) {
        fill(other, 4);
        fill(store, 5);
        map(store).put("key", 5L);
        cache(store).clear();
        fill(store, 5);
        check(store, 5);
        check(other, 4);
      }
    }
  }

  @Test
  void aStoreWritesNothingIntoTheSchemaThatReplacesItsOwn() throws Exception {
    try (Rockpool store = open(live)) {
      PersistentMap<String, Long> before = map(store);
      PersistentCache<String, Long> cache = cache(store);
      before.put("key", 1L);
      server.execute("DROP SCHEMA " + live + " CASCADE");
      try (Rockpool replaced = open(live)) {
        PersistentMap<String, Long> after = replaced.map("another", String.class, Long.class);
        PersistentCache<String, Long> afterCache =
            replaced.cache("another cache", String.class, Long.class);
        assertThatThrownBy(() -> before.put("key", 1L)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(before::clear).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> cache.put("key", 1L)).isInstanceOf(StoreClosedException.class);
        assertThat(after).isEmpty();
        assertThat(afterCache.get("key")).isNull();
      }
    }
  }
}
