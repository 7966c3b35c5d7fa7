package io.rockpool.cache;

/** The value of a record, and the equivalent hot entry. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedEntry(byte[] value, HotEntry entry) {
  /** When the record expires, in milliseconds since the epoch. */
  long expiryMillis() {
    return entry.expiryMillis();
  }
}
