package io.rockpool.postgresql;

import io.rockpool.engine.RowRecord;

/**
 * A record of a row, as it is stored. The arrays are not changed.
 *
 * @param sortKey its sort key
 * @param value its value
 * @param expiryMillis its normalized expiry
 * @param isCounted whether it is counted; unknown, and false, if it was read
 */
record KeptRecord(byte[] sortKey, byte[] value, long expiryMillis, boolean isCounted) {
  /** The record for a caller, which may change the arrays. */
  RowRecord at(byte[] hashKey) {
    return new RowRecord(hashKey.clone(), sortKey.clone(), value.clone(), expiryMillis);
  }
}
