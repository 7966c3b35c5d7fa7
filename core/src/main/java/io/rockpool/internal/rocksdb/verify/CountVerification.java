package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.Layout;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.store.FindingKind;

/**
 * Checks the stored counts of rows: that each is a number, of a row with records. {@link
 * RecordVerification} compares them with the records.
 */
final class CountVerification {
  private final StoreVerification verification;
  private final Verification results;
  private final KnownSpaces spaces;

  CountVerification(StoreVerification verification, KnownSpaces spaces) {
    this.verification = verification;
    this.results = verification.results();
    this.spaces = spaces;
  }

  /** Checks a count; returns whether to continue. */
  boolean see(byte[] key, byte[] value, int length) {
    long generation = key.length < Generation.BYTES ? SpaceState.NO_RECORDS : Generation.of(key);
    KnownSpaces.Known space = spaces.get(generation, Layout.ROWS);
    if (space != null) {
      see(space.name(), generation, EntryKeyFormat.hashKey(key), value, length);
    } else if (!spaces.isDead(generation, Layout.ROWS)) {
      verification.unreachable(key, "generation " + generation + " belongs to no name");
    }
    return results.record();
  }

  private void see(String space, long generation, byte[] hashKey, byte[] value, int length) {
    try {
      long count = CountFormat.decode(value, length);
      if (count != 0 && verification.isEmptyRow(generation, hashKey)) {
        wrong(space, hashKey, "the row has no records, and the number kept is " + count);
      }
    } catch (CorruptStoreException e) {
      wrong(space, hashKey, String.valueOf(e.getMessage()));
    }
  }

  private void wrong(String space, byte[] hashKey, String detail) {
    results.add(FindingKind.WRONG_COUNT, space, ShownKey.of(hashKey), detail);
  }
}
