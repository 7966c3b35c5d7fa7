package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names, in one hash of Redis. A change compares the entry that it was made from. A change
 * whose outcome is unknown is repeated on what is there then. Thread-safe.
 *
 * <p>The field without a name is the era of the hash, a number that never repeats. So a process
 * notices that the server has lost the whole hash. For an hour, a field that begins with a zero
 * byte has the id of a space that was dropped or reset. So a process can tell a name that was
 * dropped from one that the server has lost.
 */
final class RedisCatalog {
  private static final int SLOT = KeyNames.slotOfCatalog();
  private static final int REPEATS = 10;

  /** A process that is cut off for longer may put a dropped name back. */
  private static final long DROPS_KEPT_MILLIS = Duration.ofHours(1).toMillis();

  private static final byte[] ERA = {};
  private static final byte DROPPED = 0;

  private final RoundTrips trips;

  /** The era of a catalog that is not there. */
  static final long NO_ERA = 0;

  private final byte[] key;
  private final InstantSource clock;
  private final DueSweep due;
  private volatile LongConsumer onEra = era -> {};
  private volatile long known = NO_ERA;

  /** What a name has, and the era of the catalog. */
  record Found(long era, @Nullable CatalogEntry entry) {}

  RedisCatalog(RoundTrips trips, KeyNames keys, InstantSource clock, DueSweep due) {
    this.trips = trips;
    this.key = keys.catalog();
    this.clock = clock;
    this.due = due;
  }

  /**
   * Calls {@code listener} with each era that was not the last one, before names are read in it.
   */
  void onEra(LongConsumer listener) {
    onEra = listener;
  }

  @Nullable CatalogEntry find(String name) {
    return current(name, false).entry();
  }

  /** Finds a name after entries have ended; the same round trip notes that a sweep is due. */
  @Nullable CatalogEntry findCleared(String name) {
    return current(name, true).entry();
  }

  /** Notes that a sweep is due, because entries have ended without a clear or drop. */
  void noteSweep() {
    due.note();
  }

  /** Reads a name, after the names of an earlier catalog were put back. */
  private Found current(String name, boolean cleared) {
    while (true) {
      Found found = read(name, cleared);
      if (found.era() == known) {
        return found;
      }
      onEra.accept(found.era());
      known = found.era();
    }
  }

  /** Reads a name as it is. */
  Found read(String name) {
    return read(name, false);
  }

  private Found read(String name, boolean cleared) {
    return trips.read(
        SLOT,
        link -> {
          RedisBatch batch = trips.batch();
          if (cleared) {
            due.note(batch);
          }
          CompletableFuture<List<byte[]>> fields = batch.fields(key, ERA, name.getBytes(UTF_8));
          link.send(batch);
          long era = era(fields.join().get(0));
          return new Found(era, entry(name, fields.join().get(1), era));
        });
  }

  /** Whether a space was dropped or reset within the last hour. */
  boolean wasDropped(long id) {
    byte[] field = ByteBuffer.allocate(1 + Long.BYTES).put(DROPPED).putLong(id).array();
    return trips.<byte @Nullable []>read(
            SLOT,
            link -> {
              RedisBatch batch = trips.batch();
              CompletableFuture<byte[]> dropped = batch.field(key, field);
              link.send(batch);
              return dropped.join();
            })
        != null;
  }

  private byte[] now() {
    return ByteBuffer.allocate(Long.BYTES).putLong(clock.millis()).array();
  }

  private static @Nullable CatalogEntry entry(String name, byte @Nullable [] stored, long era) {
    return stored == null ? null : CatalogEntry.of(name, stored, era);
  }

  private static long era(byte @Nullable [] stored) {
    return stored == null || stored.length != Long.BYTES
        ? NO_ERA
        : ByteBuffer.wrap(stored).getLong();
  }

  /** Reads a name again after changes whose outcome is unknown. */
  private @Nullable CatalogEntry find(String name, int unsettled) {
    try {
      return find(name);
    } catch (ServerUnavailableException e) {
      throw unsettled == 0 ? e : unknown(e);
    }
  }

  /**
   * Reads the era, so that a server which evicts what is used least does not evict the catalog.
   * Does not wait.
   *
   * @param whenLost is run if the catalog is another one
   */
  void touch(Runnable whenLost) {
    RedisBatch batch = new RedisBatch();
    CompletableFuture<byte[]> read = batch.field(key, ERA);
    if (trips.servers().at(SLOT).sendLater(batch)) {
      CompletableFuture<Void> unused =
          read.thenAccept(
              stored -> {
                if (era(stored) != known) {
                  whenLost.run();
                }
              });
    }
  }

  CatalogEntry create(SpaceSpec spec, long nowMillis) {
    CatalogEntry created = entry(spec, nowMillis, nowMillis, 0);
    for (int i = 0; ; i++) {
      try {
        Found there = addOnce(created);
        CatalogEntry entry = there.entry();
        if (entry != null && entry.id() == created.id()) {
          return entry;
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

  /** Adds an entry unless its name is taken; returns what is there then. */
  Found add(CatalogEntry entry) {
    for (int i = 0; ; i++) {
      try {
        return addOnce(entry);
      } catch (UnsettledException e) {
        rethrowLast(e, i);
      }
    }
  }

  private Found addOnce(CatalogEntry entry) {
    String name = entry.info().name();
    byte[] fresh =
        ByteBuffer.allocate(Long.BYTES).putLong(ThreadLocalRandom.current().nextLong()).array();
    List<Object> answer =
        trips.write(
            SLOT,
            link -> {
              RedisBatch batch = trips.batch();
              CompletableFuture<List<Object>> added =
                  batch.run(
                      Scripts.ADD,
                      List.of(key),
                      List.of(name.getBytes(UTF_8), entry.bytes(), fresh));
              link.send(batch);
              return added.join();
            });
    long era = era((byte[]) answer.get(2));
    return new Found(era, entry(name, (byte[]) answer.get(1), era));
  }

  private static CatalogEntry entry(SpaceSpec spec, long created, long opened, long resets) {
    return new CatalogEntry(
        ThreadLocalRandom.current().nextLong(),
        new SpaceInfo(
            spec.name(), spec.layout(), spec.attributes(), created, opened, resets, Expiry.NEVER),
        NO_ERA);
  }

  /**
   * Reads a name, and notes when it was opened. Does not wait for the note, which a server without
   * enough replicas refuses.
   */
  @Nullable CatalogEntry opened(String name, long nowMillis) {
    CatalogEntry found = find(name);
    if (found == null) {
      return null;
    }
    CatalogEntry noted = found.opened(nowMillis).in(found.era());
    RedisBatch batch = new RedisBatch();
    CompletableFuture<List<Object>> unused = replace(batch, name, found.bytes(), noted.bytes());
    return trips.servers().at(SLOT).sendLater(batch) ? noted : found;
  }

  private CompletableFuture<List<Object>> replace(
      RedisBatch batch, String name, byte[] stored, byte[] bytes) {
    return batch.run(
        Scripts.CATALOG, List.of(key), List.of(name.getBytes(UTF_8), stored, bytes, now()));
  }

  /** Changes the entry of a name; null if there is none. Returns what is there then. */
  @Nullable CatalogEntry change(String name, UnaryOperator<CatalogEntry> change) {
    Unsettled unsettled = null;
    for (int i = 0; ; i++) {
      CatalogEntry before = find(name, i);
      if (before == null) {
        return null;
      }
      if (unsettled != null && before.id() != unsettled.before.id()) {
        if (before.id() == unsettled.after.id()) {
          return before;
        }
        throw unknown(unsettled.lost); // another reset has come, instead of this one or after it
      }
      CatalogEntry changed = change.apply(before).in(before.era());
      byte[] stored = before.bytes();
      byte[] bytes = changed.bytes();
      boolean isReset = changed.id() != before.id();
      try {
        if (Arrays.equals(bytes, stored) || replace(name, stored, bytes, isReset)) {
          return changed;
        }
      } catch (UnsettledException e) {
        rethrowLast(e, i);
        unsettled = isReset ? new Unsettled(before, changed, e) : null;
      }
    }
  }

  /** A reset whose answer was lost. Made again, it would empty the space once more. */
  private record Unsettled(CatalogEntry before, CatalogEntry after, UnsettledException lost) {}

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

  static IllegalArgumentException noSuch(String name, String what) {
    return new IllegalArgumentException(
        "The space \""
            + name
            + "\" cannot be "
            + what
            + ": there is none of that name; create it first.");
  }

  /** Removes a name; returns what it was, or null. */
  @Nullable CatalogEntry drop(String name) {
    CatalogEntry unsettled = null;
    for (int i = 0; ; i++) {
      CatalogEntry before = find(name, i);
      if (unsettled != null && (before == null || before.id() != unsettled.id())) {
        return unsettled; // what has the name now is another space
      }
      if (before == null) {
        return null;
      }
      try {
        if (replace(name, before.bytes(), new byte[0], true)) {
          return before;
        }
      } catch (UnsettledException e) {
        rethrowLast(e, i);
        unsettled = before;
      }
    }
  }

  /** Removes all names at or below a level with one command; returns what they were. */
  List<CatalogEntry> dropAll(String level) {
    List<CatalogEntry> dropped = list(level);
    List<CatalogEntry> left = dropped;
    for (int i = 0; !left.isEmpty(); i++) {
      List<byte[]> arguments = new ArrayList<>(List.of(now()));
      left.forEach(it -> arguments.add(it.info().name().getBytes(UTF_8)));
      try {
        List<Object> unused =
            trips.write(
                SLOT,
                link -> {
                  RedisBatch batch = trips.batch();
                  CompletableFuture<List<Object>> made =
                      batch.run(Scripts.DROP, List.of(key), arguments);
                  due.note(batch);
                  link.send(batch);
                  return made.join();
                });
        return dropped;
      } catch (UnsettledException e) {
        rethrowLast(e, i);
        Set<Long> ids = dropped.stream().map(CatalogEntry::id).collect(Collectors.toSet());
        left = list(level).stream().filter(it -> ids.contains(it.id())).toList();
      }
    }
    return dropped;
  }

  List<CatalogEntry> list(String level) {
    while (true) {
      Map<String, byte[]> all = all();
      long era = era(all.remove(""));
      if (era == known) {
        List<CatalogEntry> found = new ArrayList<>();
        all.forEach(
            (name, stored) -> {
              if (SpaceName.isWithin(name, level)) {
                found.add(CatalogEntry.of(name, stored, era));
              }
            });
        return found;
      }
      onEra.accept(era);
      known = era;
    }
  }

  /** All names and the era, sorted. Removes the notes of drops that are old. */
  private Map<String, byte[]> all() {
    List<Object> fields =
        trips.read(
            SLOT,
            link -> {
              RedisBatch batch = trips.batch();
              CompletableFuture<List<Object>> all = batch.fields(key);
              link.send(batch);
              return all.join();
            });
    long oldMillis = clock.millis() - DROPS_KEPT_MILLIS;
    Map<String, byte[]> found = new TreeMap<>();
    List<byte[]> old = new ArrayList<>();
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      byte[] field = (byte[]) fields.get(i);
      byte[] stored = (byte[]) fields.get(i + 1);
      if (field.length == 0 || field[0] != DROPPED) {
        found.put(new String(field, UTF_8), stored);
      } else if (ByteBuffer.wrap(stored).getLong() < oldMillis) {
        old.add(field);
      }
    }
    if (!old.isEmpty()) {
      RedisBatch batch = new RedisBatch();
      CompletableFuture<Long> unused = batch.deleteFields(key, old);
      boolean unusedSent = trips.servers().at(SLOT).sendLater(batch);
    }
    return found;
  }

  private boolean replace(String name, byte[] stored, byte[] bytes, boolean isEnd) {
    return trips.write(
        SLOT,
        link -> {
          RedisBatch batch = trips.batch();
          CompletableFuture<List<Object>> made = replace(batch, name, stored, bytes);
          if (isEnd) {
            due.note(batch);
          }
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
        "A change of the catalog may have been made or not: "
            + cause.getMessage()
            + " Look whether the name is there before you repeat it.",
        cause);
  }
}
