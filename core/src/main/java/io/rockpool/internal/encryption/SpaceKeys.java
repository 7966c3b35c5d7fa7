package io.rockpool.internal.encryption;

import io.rockpool.internal.format.SealedValueFormat;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one name, shared by all its handles. Without keys, the name is not encrypted.
 * Thread-safe.
 */
final class SpaceKeys {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String id;
  private final WritesInFlight writes = new WritesInFlight();

  /** The keys that are stored; the last one is for new values. Empty if nothing is encrypted. */
  private volatile List<DataKey> stored;

  /** Also those that the store has forgotten, but snapshots may still need. */
  private volatile List<DataKey> known;

  private volatile @Nullable WriteEpoch epoch;

  /** What encrypts the keys of records; null if they are not encrypted. */
  private volatile @Nullable HiddenKeys hidden;

  /** Whether records with any of the keys are being copied into the name. */
  private volatile boolean filling;

  SpaceKeys(String id, List<DataKey> stored, @Nullable HiddenKeys hidden) {
    this.id = id;
    this.hidden = hidden;
    this.stored = stored;
    this.known = stored;
  }

  /** A name that is not encrypted. */
  static SpaceKeys none() {
    return new SpaceKeys("", List.of(), null);
  }

  String id() {
    return id;
  }

  boolean isClear() {
    return stored.isEmpty();
  }

  List<DataKey> stored() {
    return stored;
  }

  @Nullable HiddenKeys hidden() {
    return hidden;
  }

  DataKey current() {
    List<DataKey> now = stored;
    return now.get(now.size() - 1);
  }

  boolean isFilling() {
    return filling;
  }

  void setFilling(boolean now) {
    filling = now;
  }

  WritesInFlight writes() {
    return writes;
  }

  /** The key of a number, or null if it was dropped. */
  @Nullable DataKey key(int number) {
    for (DataKey key : known) {
      if (key.number() == number) {
        return key;
      }
    }
    return null;
  }

  /** The present epoch. */
  WriteEpoch epoch() {
    WriteEpoch now = epoch;
    return now != null ? now : nextEpoch(null);
  }

  /** Another epoch than one that has no counters left. */
  synchronized WriteEpoch nextEpoch(@Nullable WriteEpoch used) {
    WriteEpoch now = epoch;
    if (now == used || now == null) {
      byte[] random = new byte[SealedValueFormat.EPOCH_BYTES];
      RANDOM.nextBytes(random);
      now = new WriteEpoch(current(), random);
      epoch = now;
    }
    return now;
  }

  /**
   * Replaces the keys; new values have the last one.
   *
   * @param hiding what encrypts the keys of records; another one only while there are no records
   */
  synchronized void replace(List<DataKey> keys, @Nullable HiddenKeys hiding) {
    List<DataKey> before = known;
    hidden = hiding;
    stored = List.copyOf(keys);
    known =
        Stream.concat(
                stored.stream(),
                before.stream().filter(key -> keys.stream().noneMatch(k -> isSame(k, key))))
            .toList();
    WriteEpoch now = epoch;
    if (now != null && (keys.isEmpty() || now.dataKey() != current())) {
      epoch = null;
    }
  }

  private static boolean isSame(DataKey one, DataKey other) {
    return one.number() == other.number();
  }
}
