package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.store.FindingKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the records of one layout: that each belongs to a name, is well-formed, and is in the
 * expiry index if it expires, and that the count of each row is right. Passes them to the checks of
 * the layers above.
 */
final class RecordVerification {
  private static final byte[] NO_KEY = {};

  private final StoreVerification verification;
  private final Verification results;
  private final KnownSpaces spaces;
  private final Layout layout;
  private final RecordLayout records;

  private byte[] lastKey = NO_KEY;
  private long generation = SpaceState.NO_RECORDS;
  private KnownSpaces.@Nullable Known known;
  private @Nullable RecordCheck check;
  private byte[] row = NO_KEY;
  private long counted;

  RecordVerification(StoreVerification verification, KnownSpaces spaces, Layout layout) {
    this.verification = verification;
    this.results = verification.results();
    this.spaces = spaces;
    this.layout = layout;
    this.records = RecordLayout.of(layout);
  }

  /** Checks all records; if some cannot be read, continues with the next space. */
  void run() {
    for (byte[] from = NO_KEY; from != null; from = walk(from)) {
      lastKey = NO_KEY;
      beginSpace(SpaceState.NO_RECORDS);
    }
  }

  /**
   * Checks the records from a key on; returns where to continue after unreadable records, or null.
   */
  private byte @Nullable [] walk(byte[] from) {
    try {
      verification.walk(records.family(), from, this::see);
      if (!results.isStopped()) {
        endSpace();
      }
      return null;
    } catch (RockpoolException e) {
      return skipUnreadable(from, e);
    }
  }

  /** Reports that records after the last key are unreadable; returns where to continue, or null. */
  private byte @Nullable [] skipUnreadable(byte[] from, RockpoolException e) {
    byte[] last = lastKey.length < Generation.BYTES ? from : lastKey;
    long reached = last.length < Generation.BYTES ? SpaceState.NO_RECORDS : Generation.of(last);
    KnownSpaces.Known there = spaces.get(reached, layout);
    KnownSpaces.Known next = spaces.atOrAbove(reached + 1);
    // The unreadable records may be the end of one space, or the beginning of the next.
    KnownSpaces.Known space = there == null ? next : there;
    results.add(
        FindingKind.UNREADABLE_RECORDS,
        space == null ? "" : space.name(),
        lastKey.length == 0 ? "" : "behind " + shown(lastKey),
        StoreVerification.reason(e));
    return next == null ? null : Generation.prefix(next.descriptor().generation());
  }

  private boolean see(byte[] key, byte[] value, int length) {
    lastKey = key;
    long itsGeneration = key.length < Generation.BYTES ? SpaceState.NO_RECORDS : Generation.of(key);
    if (itsGeneration != generation) {
      endSpace();
      beginSpace(itsGeneration);
    }
    KnownSpaces.Known space = known;
    if (space != null) {
      seeKnown(space, key, value, length);
    } else if (!spaces.isDead(generation, layout)) {
      verification.unreachable(key, "generation " + generation + " belongs to no name");
    }
    return results.record();
  }

  private void beginSpace(long next) {
    generation = next;
    known = spaces.get(next, layout);
    check = known == null ? null : verification.check(known);
    row = NO_KEY;
    counted = 0;
  }

  private void endSpace() {
    endRow();
    if (check != null && known != null) {
      results.end(known.name(), check);
    }
    check = null;
  }

  private void seeKnown(KnownSpaces.Known space, byte[] key, byte[] value, int length) {
    try {
      byte[] hashKey = records.hashKey(key);
      byte[] sortKey = records.sortKey(key);
      EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
      EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
      long expiryMillis = records.expiryMillis(value, length);
      int from = records.valueOffset(expiryMillis);
      int valueLength = records.valueLength(value, length, expiryMillis);
      boolean isCounted = records.hasRows() && RowRecordFormat.isCounted(value, length);
      if (records.hasRows()) {
        seeInRow(key, sortKey.length, isCounted);
        if (expiryMillis != Expiry.NEVER) {
          seekInIndex(space, key, expiryMillis);
        }
      }
      if (check != null) {
        byte[] bytes = Arrays.copyOfRange(value, from, from + valueLength);
        RowRecord record = new RowRecord(hashKey, sortKey, bytes, expiryMillis);
        results.check(space.name(), check, record, isCounted);
      }
    } catch (CorruptStoreException | LimitExceededException e) {
      results.add(
          FindingKind.MALFORMED_RECORD, space.name(), shown(key), String.valueOf(e.getMessage()));
    }
  }

  private void seeInRow(byte[] key, int sortKeyLength, boolean isCounted) {
    int prefix = key.length - sortKeyLength;
    if (!Arrays.equals(key, 0, prefix, row, 0, row.length)) {
      endRow();
      row = Arrays.copyOf(key, prefix);
    }
    counted += isCounted ? 1 : 0;
  }

  /** Compares a row's records with its stored count. */
  private void endRow() {
    KnownSpaces.Known space = known;
    if (space != null && row.length > 0) {
      byte[] hashKey = records.hashKey(row);
      Long kept = verification.count(generation, hashKey);
      if (kept != null && kept != counted) {
        results.add(
            FindingKind.WRONG_COUNT,
            space.name(),
            ShownKey.of(hashKey),
            "the row has " + counted + " counted records, and the number kept is " + kept);
      }
    }
    row = NO_KEY;
    counted = 0;
  }

  private void seekInIndex(KnownSpaces.Known space, byte[] key, long expiryMillis) {
    byte[] indexKey = ExpiryIndexFormat.encode(expiryMillis, key);
    if (verification.isMissing(ColumnFamily.EXPIRIES, indexKey)) {
      results.add(
          FindingKind.MISSING_INDEX_RECORD,
          space.name(),
          shown(key),
          "the record expires at " + expiryMillis + " and the index does not have it");
    }
  }

  /** The key without its generation, as a user knows it. */
  private String shown(byte[] key) {
    try {
      return ShownKey.of(records.hashKey(key), records.sortKey(key));
    } catch (CorruptStoreException e) {
      return ShownKey.of(key);
    }
  }
}
