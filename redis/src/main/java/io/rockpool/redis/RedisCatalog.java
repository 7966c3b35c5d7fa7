package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The names, in one hash of Redis. A change compares the entry that it was made from. A change
 * whose outcome is unknown is repeated on what is there then. Thread-safe.
 */
final class RedisCatalog {
  private static final int SLOT = KeyNames.slotOfCatalog();
  private static final int REPEATS = 10;

  private final RoundTrips trips;
  private final byte[] key;

  RedisCatalog(RoundTrips trips, KeyNames keys) {
    this.trips = trips;
    this.key = keys.catalog();
  }

  @Nullable CatalogEntry find(String name) {
    byte[] stored = stored(name);
    return stored == null ? null : CatalogEntry.of(name, stored);
  }

  private byte @Nullable [] stored(String name) {
    return trips.<byte @Nullable []>read(
        SLOT,
        link -> {
          Batch batch = new Batch();
          CompletableFuture<byte[]> found = batch.field(key, name.getBytes(UTF_8));
          link.send(batch);
          return found.join();
        });
  }

  /** Reads a name again after changes whose outcome is unknown. */
  private byte @Nullable [] stored(String name, int unsettled) {
    try {
      return stored(name);
    } catch (ServerUnavailableException e) {
      throw unsettled == 0 ? e : unknown(e);
    }
  }

  /**
   * Reads the catalog, so that a server which evicts what is used least does not evict it. Does not
   * wait.
   */
  void touch() {
    Batch batch = new Batch();
    CompletableFuture<byte[]> unused = batch.field(key, new byte[0]);
    boolean unusedAnswer = trips.servers().at(SLOT).sendLater(batch);
  }

  CatalogEntry create(SpaceSpec spec, long nowMillis) {
    CatalogEntry created = entry(spec, nowMillis, nowMillis, 0);
    byte[] bytes = created.bytes();
    byte[] name = spec.name().getBytes(UTF_8);
    for (int i = 0; ; i++) {
      try {
        boolean made =
            trips.write(
                SLOT,
                link -> {
                  Batch batch = new Batch();
                  CompletableFuture<Long> set = batch.setFieldIfAbsent(key, name, bytes);
                  link.send(batch);
                  return set.join() == 1;
                });
        if (made || (i > 0 && Arrays.equals(stored(spec.name(), i), bytes))) {
          return created;
        }
        throw new NameConflictException(
            "The space \""
                + spec.name()
                + "\" cannot be created: the name is taken. Open it, or choose another name.",
            spec.name());
      } catch (UnsettledException e) {
        rethrowLast(e, i);
      }
    }
  }

  private static CatalogEntry entry(SpaceSpec spec, long created, long opened, long resets) {
    return new CatalogEntry(
        ThreadLocalRandom.current().nextLong(),
        new SpaceInfo(
            spec.name(), spec.layout(), spec.attributes(), created, opened, resets, Expiry.NEVER));
  }

  /** Changes the entry of a name; null if there is none. Returns what is there then. */
  @Nullable CatalogEntry change(String name, UnaryOperator<CatalogEntry> change) {
    for (int i = 0; ; i++) {
      byte[] stored = stored(name, i);
      if (stored == null) {
        return null;
      }
      CatalogEntry changed = change.apply(CatalogEntry.of(name, stored));
      byte[] bytes = changed.bytes();
      try {
        if (Arrays.equals(bytes, stored) || replace(name, stored, bytes)) {
          return changed;
        }
      } catch (UnsettledException e) {
        rethrowLast(e, i);
      }
    }
  }

  /** What a name was and is now. */
  record Replaced(CatalogEntry before, CatalogEntry after) {}

  Replaced reset(SpaceSpec spec, long nowMillis) {
    Replaced replaced = reset(spec, null, nowMillis);
    if (replaced == null) {
      throw noSuch(spec.name(), "reset");
    }
    return replaced;
  }

  /** Resets a name that has these attributes, or any if null; returns null if there is none. */
  @Nullable Replaced reset(
      SpaceSpec spec, @Nullable Map<String, String> attributes, long nowMillis) {
    boolean[] done = new boolean[1];
    CatalogEntry[] before = new CatalogEntry[1];
    CatalogEntry after =
        change(
            spec.name(),
            old -> {
              before[0] = old;
              done[0] = attributes == null || old.info().attributes().equals(attributes);
              return done[0]
                  ? entry(spec, old.info().createdMillis(), nowMillis, old.info().resets() + 1)
                  : old;
            });
    return after == null || !done[0] ? null : new Replaced(before[0], after);
  }

  void setAttributes(String name, Map<String, String> attributes) {
    if (change(name, entry -> entry.with(attributes)) == null) {
      throw noSuch(name, "given attributes");
    }
  }

  private static IllegalArgumentException noSuch(String name, String what) {
    return new IllegalArgumentException(
        "The space \""
            + name
            + "\" cannot be "
            + what
            + ": there is none of that name; create it first.");
  }

  /** Removes a name; returns what it was, or null. */
  @Nullable CatalogEntry drop(String name) {
    for (int i = 0; ; i++) {
      byte[] stored = stored(name, i);
      if (stored == null) {
        return null;
      }
      try {
        if (replace(name, stored, new byte[0])) {
          return CatalogEntry.of(name, stored);
        }
      } catch (UnsettledException e) {
        rethrowLast(e, i);
      }
    }
  }

  /** Removes all names at or below a level with one command; returns what they were. */
  List<CatalogEntry> dropAll(String level) {
    List<CatalogEntry> dropped = list(level);
    if (!dropped.isEmpty()) {
      byte[][] names =
          dropped.stream().map(it -> it.info().name().getBytes(UTF_8)).toArray(byte[][]::new);
      for (int i = 0; ; i++) {
        try {
          Long unused = trips.write(SLOT, link -> link.call(commands -> commands.hdel(key, names)));
          return dropped;
        } catch (UnsettledException e) {
          rethrowLast(e, i);
        }
      }
    }
    return dropped;
  }

  List<CatalogEntry> list(String level) {
    List<Object> all =
        trips.read(
            SLOT,
            link -> {
              Batch batch = new Batch();
              CompletableFuture<List<Object>> fields = batch.fields(key);
              link.send(batch);
              return fields.join();
            });
    Map<String, CatalogEntry> found = new TreeMap<>();
    for (int i = 0; i + 1 < all.size(); i += 2) {
      String name = new String((byte[]) all.get(i), UTF_8);
      if (SpaceName.isWithin(name, level)) {
        found.put(name, CatalogEntry.of(name, (byte[]) all.get(i + 1)));
      }
    }
    return new ArrayList<>(found.values());
  }

  private boolean replace(String name, byte[] stored, byte[] bytes) {
    return trips.write(
        SLOT,
        link -> {
          Batch batch = new Batch();
          CompletableFuture<List<Object>> made =
              batch.run(
                  Scripts.CATALOG, List.of(key), List.of(name.getBytes(UTF_8), stored, bytes));
          link.send(batch);
          return made.join().get(0).equals(1L);
        });
  }

  private static void rethrowLast(UnsettledException e, int repeat) {
    if (repeat == REPEATS) {
      throw unknown(e);
    }
  }

  private static OutcomeUnknownException unknown(RuntimeException cause) {
    return new OutcomeUnknownException(
        "A change of the catalog may have been made or not: " + cause.getMessage(), cause);
  }
}
