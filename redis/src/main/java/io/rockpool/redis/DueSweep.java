package io.rockpool.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A note on the server that a clear or drop left entries behind, so that another process removes
 * them if this one ends before. It is a zero byte, a random id, and from when on others may sweep.
 */
final class DueSweep {
  private static final int SLOT = KeyNames.slotOfCatalog();
  private static final int ID = 1;
  private static final int TIME = ID + Long.BYTES;

  /** Who clears sweeps first. */
  private static final long FIRST_MILLIS = Duration.ofSeconds(10).toMillis();

  /** One process at a time sweeps what others left. */
  private static final long CLAIMED_MILLIS = Duration.ofMinutes(10).toMillis();

  private final RoundTrips trips;
  private final byte[] key;
  private final InstantSource clock;

  DueSweep(RoundTrips trips, KeyNames keys, InstantSource clock) {
    this.trips = trips;
    this.key = keys.dueSweep();
    this.clock = clock;
  }

  /** Notes, with commands for the slot of the catalog, that a sweep is due; also if full. */
  void note(RedisBatch batch) {
    byte[] note = note(ThreadLocalRandom.current().nextLong(), FIRST_MILLIS);
    CompletableFuture<List<Object>> unused = batch.run(Scripts.SET, List.of(key), List.of(note));
  }

  /** As {@link #note(RedisBatch)}, with a round trip of its own. */
  void note() {
    byte[] note = note(ThreadLocalRandom.current().nextLong(), FIRST_MILLIS);
    boolean unused = isMade(Scripts.SET, note);
  }

  private byte[] note(long id, long millis) {
    return ByteBuffer.allocate(TIME + Long.BYTES)
        .put((byte) 0)
        .putLong(id)
        .putLong(clock.millis() + millis)
        .array();
  }

  /** The note, or null if no sweep is due. */
  byte @Nullable [] read() {
    byte @Nullable [] found =
        trips.<byte @Nullable []>read(
            SLOT,
            link -> {
              RedisBatch batch = trips.batch();
              CompletableFuture<byte[]> note = batch.get(key);
              link.send(batch);
              return note.join();
            });
    return found != null && found.length == TIME + Long.BYTES ? found : null;
  }

  /** Whether this process, which need not have cleared, is the one to sweep. */
  boolean claim() {
    byte[] note = read();
    return note != null && ByteBuffer.wrap(note).getLong(TIME) <= clock.millis() && claim(note);
  }

  /** Keeps other processes from sweeping; returns false if the note is another one by now. */
  boolean claim(byte[] note) {
    byte[] claimed = note(ByteBuffer.wrap(note).getLong(ID), CLAIMED_MILLIS);
    return isMade(Scripts.REPLACE, note, claimed);
  }

  /** Removes the note after a whole sweep, unless something was cleared or dropped since. */
  void done(byte[] note) {
    byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(ByteBuffer.wrap(note).getLong(ID)).array();
    boolean unused = isMade(Scripts.SWEEP, id);
  }

  private boolean isMade(Scripts script, byte[]... arguments) {
    try {
      return trips.write(
          SLOT,
          link -> {
            RedisBatch batch = trips.batch();
            CompletableFuture<List<Object>> made =
                batch.run(script, List.of(key), List.of(arguments));
            link.send(batch);
            return made.join().get(0).equals(1L);
          });
    } catch (UnsettledException e) {
      return false; // the next look at the note tells
    }
  }
}
