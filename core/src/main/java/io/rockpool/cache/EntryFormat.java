package io.rockpool.cache;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.CacheValueFormat;
import java.time.InstantSource;
import java.util.Arrays;

/** Between entries as callers know them and records as the space keeps them. */
final class EntryFormat<K, V> {
  private final Codec<K> keys;
  private final Codec<V> values;
  private final boolean shares;
  private final boolean idle;
  private volatile boolean keepsDeadlines;
  private final InstantSource clock;

  /** Reads an entry whose payload is the value itself. */
  final RecordReader<HotEntry> decoder = this::decode;

  /** Reads an entry as the hot tier keeps it. */
  final RecordReader<HotEntry> hotReader;

  /** The format of a cache of these options, by the codecs that were chosen for them. */
  EntryFormat(Codec<K> keys, Codec<V> values, CacheOptions<K, V> options, InstantSource clock) {
    this.keys = keys;
    this.values = values;
    this.shares = values.immutable() || options.sharesValues();
    this.idle = options.expiry().usesAccess();
    this.keepsDeadlines = idle;
    this.clock = clock;
    this.hotReader = shares ? decoder : this::copy;
  }

  /**
   * From now on writes records that outlive their entries for a while, although no read moves their
   * expiry; or no longer.
   */
  void keepDeadlines(boolean keep) {
    keepsDeadlines = keep || idle;
  }

  EntryKey key(K key) {
    return EntryKey.of(key, keys.encode(key), keys.immutable());
  }

  /** The key of a record, as {@link #key} would have made it. */
  EntryKey keyOf(byte[] bytes) {
    return EntryKey.of(keys.immutable() ? decodeKey(bytes) : bytes, bytes, keys.immutable());
  }

  K decodeKey(byte[] bytes) {
    return keys.decode(bytes, 0, bytes.length);
  }

  /** Whether one value can be told from another that was decoded from the same bytes. */
  boolean sharesChangeableValues() {
    return shares && !values.immutable();
  }

  /** Whether the hot tier knows keys by themselves, so that a hit needs no encoding. */
  boolean knowsKeysByThemselves() {
    return keys.immutable();
  }

  /**
   * The value of an entry that was written or read for the hot tier: shared if that is known to be
   * safe, or asked for.
   */
  V value(HotEntry entry) {
    return value(entry.payload());
  }

  /** As {@link #value(HotEntry)}, by the entry's payload. */
  @SuppressWarnings(
      "unchecked") // payloads are made in this class: bytes exactly where values are not shared
  V value(Object payload) {
    if (shares) {
      return (V) payload;
    }
    byte[] bytes = (byte[]) payload;
    return values.decode(bytes, 0, bytes.length);
  }

  /** The value of an entry from {@link #decoder}. */
  @SuppressWarnings("unchecked") // the decoder's payload is the value
  V decodedValue(HotEntry entry) {
    return (V) entry.payload();
  }

  private HotEntry decode(byte[] bytes, int offset, int length, long expiryMillis) {
    int header = CacheValueFormat.headerBytes(bytes, offset, length);
    V value = values.decode(bytes, offset + header, length - header);
    return entry(value, bytes, offset, length, header, expiryMillis);
  }

  /** The value of a record. */
  V recordValue(RowRecord record) {
    byte[] bytes = record.value();
    return decodedValue(decode(bytes, 0, bytes.length, record.expiryMillis()));
  }

  private HotEntry copy(byte[] bytes, int offset, int length, long expiryMillis) {
    int header = CacheValueFormat.headerBytes(bytes, offset, length);
    byte[] payload = Arrays.copyOfRange(bytes, offset + header, offset + length);
    return entry(payload, bytes, offset, length, header, expiryMillis);
  }

  private static HotEntry entry(
      Object payload, byte[] bytes, int offset, int length, int header, long expiryMillis) {
    long deadline = Math.min(expiryMillis, CacheValueFormat.deadlineMillis(bytes, offset, header));
    return new HotEntry(payload, deadline, expiryMillis, HotEntry.OVERHEAD_BYTES + length);
  }

  /** An entry's record without its value: what {@link PersistentCache#containsKey} needs. */
  static HotEntry header(byte[] bytes, int offset, int length, long expiryMillis) {
    int header = CacheValueFormat.headerBytes(bytes, offset, length);
    return entry(Space.NO_SORT_KEY, bytes, offset, length, header, expiryMillis);
  }

  /** A value as it is written: its record for the space and its entry for the hot tier. */
  Written write(EntryKey key, V value, long deadlineMillis) {
    if (shares && !keepsDeadline(deadlineMillis)) {
      byte[] room = values.encode(value, CacheValueFormat.PLAIN_BYTES);
      return written(
          key, CacheValueFormat.encodeInPlace(room), value, deadlineMillis, deadlineMillis);
    }
    byte[] payload = values.encode(value);
    return write(key, payload, shares ? value : payload, deadlineMillis);
  }

  /** A record, which holds {@code value}, with another deadline. */
  Written rewrite(EntryKey key, RowRecord record, V value, long deadlineMillis) {
    byte[] bytes = record.value();
    int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
    byte[] payload = Arrays.copyOfRange(bytes, header, bytes.length);
    return write(key, payload, shares ? value : payload, deadlineMillis);
  }

  private Written write(EntryKey key, byte[] payload, Object hot, long deadlineMillis) {
    if (keepsDeadline(deadlineMillis)) {
      byte[] bytes = CacheValueFormat.encode(payload, deadlineMillis);
      long expiry = IdleDeadlines.recordExpiry(deadlineMillis, clock.millis());
      return written(key, bytes, hot, deadlineMillis, expiry);
    }
    return written(key, CacheValueFormat.encode(payload), hot, deadlineMillis, deadlineMillis);
  }

  private boolean keepsDeadline(long deadlineMillis) {
    return keepsDeadlines && deadlineMillis != Expiry.NEVER;
  }

  private static Written written(
      EntryKey key, byte[] bytes, Object hot, long deadlineMillis, long expiryMillis) {
    int weight = HotEntry.OVERHEAD_BYTES + key.bytes().length + bytes.length;
    return new Written(
        new RowRecord(key.bytes(), Space.NO_SORT_KEY, bytes, expiryMillis),
        new HotEntry(hot, deadlineMillis, expiryMillis, weight));
  }

  /** A record and the hot entry that says the same. */
  record Written(RowRecord record, HotEntry entry) {}
}
