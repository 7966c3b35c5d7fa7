package io.rockpool.internal.rocksdb.verify;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.store.FindingKind;

/**
 * Checks the expiry index: that each key is well-formed, of a generation that was ever used. A key
 * may refer to a record that is deleted or has another expiry: the index is a hint, and its readers
 * check the record.
 */
final class IndexVerification {
  private final Verification results;
  private final KnownSpaces spaces;

  IndexVerification(Verification results, KnownSpaces spaces) {
    this.results = results;
    this.spaces = spaces;
  }

  /** Checks a key; returns whether to continue. */
  boolean see(byte[] key, byte[] value, int length) {
    try {
      byte[] recordKey = ExpiryIndexFormat.recordKey(key);
      RowKeyFormat.sortKey(recordKey);
      long generation = Generation.of(recordKey);
      if (!spaces.wasGiven(generation)) {
        malformed(key, "it speaks of generation " + generation + ", which was never given");
      } else if (length > 0) {
        malformed(key, "it has a value of " + length + " bytes");
      }
    } catch (CorruptStoreException e) {
      malformed(key, String.valueOf(e.getMessage()));
    }
    return results.record();
  }

  private void malformed(byte[] key, String detail) {
    results.add(FindingKind.MALFORMED_INDEX_RECORD, "", ShownKey.of(key), detail);
  }
}
