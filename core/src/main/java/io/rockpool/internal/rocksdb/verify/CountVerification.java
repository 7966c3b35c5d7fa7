package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.FindingKind;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Verification;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ShownKey;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.rows.SpaceState;

/**
 * Looks at the numbers that are kept of rows: that each is one, of a row that has records. Whether
 * it is right was compared when the records were read.
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

  /** Looks at a number; says whether to go on. */
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
