package io.rockpool.cache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.KeyCodec;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.format.PendingChangeFormat;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Converts between the entries of callers and the records of the space. */
final class CacheEntryFormat<K, V> {
  /** The limit of entries that live as long as they are read. */
  private static final long NO_LIMIT = 0;

  private static final String VALUE = "value";

  private final String name;
  private final Codec<K> keys;
  private final boolean immutableKeys;
  private final @Nullable KeyDirectory<K> directory;
  private final Codec<V> values;

  /** Of changes for a writer, which takes null or zero in what a value lacks for the value. */
  private final Codec<V> pendingValues;

  private final boolean shares;
  private final CacheExpiry<? super K, ? super V> expiry;
  private final boolean usesAccess;
  private final @Nullable CacheRefresh<K, V> refresh;

  /** Whether records outlive their entries. */
  private volatile boolean keepsDeadlines;

  /** The minimum time by which a record outlives its entry. */
  private volatile long leastSlackMillis;

  /** Whether a record may contain more than its value. */
  private volatile boolean writesTimes;

  private final InstantSource clock;
  private final TagMarks marks;
  private final EngineLimits limits;

  /** Reads an entry with the value as its payload. */
  final RecordReader<HotEntry> decoder = this::decode;

  /** Reads an entry without its value. */
  final RecordReader<HotEntry> header = this::header;

  /** Reads an entry as the hot tier stores it. */
  final RecordReader<HotEntry> hotReader;

  /**
   * The format of a cache with these options and codecs.
   *
   * @param name the name of the cache, for messages
   * @param directory finds the bytes of keys whose equal ones may have others; null for exact keys
   * @param marks decides whether entries with tags have ended
   */
  CacheEntryFormat(
      String name,
      Codec<K> keys,
      @Nullable KeyDirectory<K> directory,
      Codec<V> values,
      Codec<V> pendingValues,
      CacheOptions<K, V> options,
      Engine engine,
      TagMarks marks) {
    this.name = name;
    this.limits = engine.limits();
    this.marks = marks;
    this.keys = keys;
    this.immutableKeys = keys.immutable();
    this.directory = directory;
    this.values = values;
    this.pendingValues = pendingValues;
    this.shares = values.immutable() || options.sharesValues();
    this.expiry = options.expiry();
    this.usesAccess = expiry.usesAccess();
    this.refresh = options.refreshes() ? options.refresh() : null;
    this.clock = engine.clock();
    keepDeadlines(false);
    this.hotReader = shares ? decoder : this::copy;
  }

  /** Sets whether records outlive their entries although no read moves their expiry. */
  void keepDeadlines(boolean keep) {
    leastSlackMillis = keep ? IdleDeadlines.WATCHED_SLACK_MILLIS : IdleDeadlines.SLACK_MILLIS;
    keepsDeadlines = keep || usesAccess;
    writesTimes = keepsDeadlines || refresh != null;
  }

  EntryKey key(K key) {
    return key(key, true);
  }

  /** Like {@link #key}, for a key that is only read. */
  EntryKey keyToRead(K key) {
    return key(key, false);
  }

  private EntryKey key(K key, boolean choose) {
    try {
      byte[] bytes = directory == null ? keys.encode(key) : directory.representative(key, choose);
      checkLength("key", bytes, limits.maxHashKeyBytes());
      return EntryKey.of(key, bytes, immutableKeys);
    } catch (UnencodableValueException e) {
      throw new UnencodableValueException(
          "Cache \"" + name + "\" cannot use a key. " + e.getMessage(),
          name,
          key.getClass().getName(),
          e);
    }
  }

  private void checkLength(String what, byte[] bytes, int limit) {
    if (bytes.length > limit) {
      throw new LimitExceededException(
          "A "
              + what
              + " of the cache \""
              + name
              + "\" has "
              + bytes.length
              + " bytes; the limit is "
              + limit
              + ". Make it shorter.",
          what,
          limit,
          bytes.length,
          name);
    }
  }

  /** Returns the directory whose records are written with entries; null if there is none. */
  @Nullable RowDirectory<K> directory() {
    return directory instanceof RowDirectory<K> rows ? rows : null;
  }

  /** Returns the directory that has a record of this key where it has an entry; null for none. */
  @Nullable RowDirectory<K> directoryOf(EntryKey key) {
    return directory != null && KeyCodec.isByEquality(key.bytes()) ? directory() : null;
  }

  /** Whether a key has foreign objects. */
  boolean isForeign(EntryKey key) {
    return directory != null && KeyCodec.isByEquality(key.bytes());
  }

  /** Forgets what the directory knows, because the cache is empty now. */
  void cleared() {
    if (directory != null) {
      directory.forgetHashes();
    }
  }

  /** The key of a record, as {@link #key} would make it. */
  EntryKey keyOf(byte[] bytes) {
    return EntryKey.of(immutableKeys ? decodeKey(bytes) : bytes, bytes, immutableKeys);
  }

  /**
   * Like {@link #keyOf}; null for a key that another cache of the space has put and whose class
   * this cache's codec does not know. No entry of such a key is in memory.
   *
   * @throws RuntimeException if the codec fails in another way; the key may be known
   */
  @Nullable EntryKey knownKey(byte[] bytes) {
    try {
      return keyOf(bytes);
    } catch (UndecodableValueException e) {
      if (e.getCause() instanceof Error) {
        throw e; // a deep stack, for example: the key may have been decoded before
      }
      return null;
    }
  }

  /** The encoded bytes of a key of the hot tier. */
  @SuppressWarnings("unchecked") // see EntryKey: bytes, or the key itself
  byte[] bytesOf(Object hotKey) {
    return hotKey instanceof EntryKey bytes ? bytes.bytes() : keys.encode((K) hotKey);
  }

  K decodeKey(byte[] bytes) {
    return keys.decode(bytes, 0, bytes.length);
  }

  /** Whether a caller can distinguish two values that were decoded from the same bytes. */
  boolean sharesChangeableValues() {
    return shares && !values.immutable();
  }

  /** Whether the keys of the hot tier are the application's objects, so a hit needs no encoding. */
  boolean knowsKeysByThemselves() {
    return immutableKeys;
  }

  /**
   * The value of an entry that was written or read for the hot tier. It is shared if that is known
   * to be safe, or was requested.
   *
   * @see #isShared
   */
  V value(HotEntry entry) {
    return value(entry.payload());
  }

  /** Like {@link #value(HotEntry)}, from the entry's payload. */
  @SuppressWarnings(
      "unchecked") // payloads are made in this class: bytes exactly where a value is not shared
  V value(Object payload) {
    if (shares || !(payload instanceof byte[] bytes)) {
      return (V) payload;
    }
    return values.decode(bytes, 0, bytes.length);
  }

  /**
   * Whether the hot tier has a value itself instead of its bytes. If not all values are shared,
   * those that are known to be immutable are, but no byte arrays.
   */
  private boolean isShared(V value) {
    return shares || (values.immutable(value) && !(value instanceof byte[]));
  }

  /** The entry for the hot tier of a record that was decoded. */
  HotEntry kept(HotEntry decoded, RowRecord record) {
    byte[] bytes = record.value();
    return isShared(decodedValue(decoded))
        ? decoded
        : copy(bytes, 0, bytes.length, record.expiryMillis());
  }

  /** An entry for the hot tier that was read with this value. */
  HotEntry shared(HotEntry entry, V value) {
    return !shares && isShared(value) ? entry.with(value) : entry;
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

  /** The value of a pending change; null for a removal. */
  @Nullable V pendingValue(PendingChangeFormat.Pending pending) {
    byte[] bytes = pending.value();
    if (bytes == null) {
      return null;
    }
    int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
    return pendingValues.decode(bytes, header, bytes.length - header);
  }

  private HotEntry copy(byte[] bytes, int offset, int length, long expiryMillis) {
    int header = CacheValueFormat.headerBytes(bytes, offset, length);
    byte[] payload = Arrays.copyOfRange(bytes, offset + header, offset + length);
    return entry(payload, bytes, offset, length, header, expiryMillis);
  }

  private HotEntry entry(
      Object payload, byte[] bytes, int offset, int length, int header, long expiryMillis) {
    int weight = HotEntry.OVERHEAD_BYTES + length;
    if (header == CacheValueFormat.PLAIN_BYTES) {
      int print = print(Expiry.NEVER, bytes, offset + header, length - header);
      return new HotEntry(
          payload,
          expiryMillis,
          CacheValueFormat.NO_REFRESH_TIME,
          expiryMillis,
          print,
          weight,
          null);
    }
    long idle = CacheValueFormat.deadlineMillis(bytes, offset);
    byte[] tags = CacheValueFormat.tags(bytes, offset, length);
    return new HotEntry(
        payload,
        Math.min(expiryMillis, idle),
        CacheValueFormat.refreshMillis(bytes, offset),
        expiryMillis,
        print(idle, bytes, offset + header, length - header),
        weight,
        tags == null ? null : new EntryTags(marks, tags));
  }

  /**
   * The print of a value, if reads of this cache or of another one of the space may move its
   * deadline.
   */
  private int print(long idleMillis, byte[] bytes, int offset, int length) {
    return idleMillis == Expiry.NEVER && !usesAccess
        ? HotEntry.NO_PRINT
        : IdleDeadlines.print(bytes, offset, length);
  }

  /**
   * An entry from its record, without its value: enough for {@link PersistentCache#containsKey}.
   */
  HotEntry header(byte[] bytes, int offset, int length, long expiryMillis) {
    int header = CacheValueFormat.headerBytes(bytes, offset, length);
    return entry(Space.NO_SORT_KEY, bytes, offset, length, header, expiryMillis);
  }

  /**
   * A value as it is written: its record for the space and its entry for the hot tier.
   *
   * @param plannedMillis see {@link Deadlines}
   * @param tags its tags; null for none
   */
  EncodedEntry write(EntryKey key, V value, long plannedMillis, @Nullable EntryTags tags) {
    boolean isShared = isShared(value);
    if (isShared && tags == null && !writesTimes(plannedMillis)) {
      byte[] room = values.encode(value, CacheValueFormat.PLAIN_BYTES);
      checkLength(VALUE, room, limits.maxValueBytes());
      long deadlineMillis = deadline(plannedMillis);
      int header = CacheValueFormat.PLAIN_BYTES;
      int print = print(Expiry.NEVER, room, header, room.length - header);
      HotEntry hot =
          new HotEntry(
              value,
              deadlineMillis,
              CacheValueFormat.NO_REFRESH_TIME,
              deadlineMillis,
              print,
              weight(key, room),
              null);
      return new EncodedEntry(CacheValueFormat.encodeInPlace(room), hot);
    }
    byte[] payload = values.encode(value);
    long deadlineMillis = deadline(plannedMillis);
    long refreshMillis =
        refresh == null
            ? CacheValueFormat.NO_REFRESH_TIME
            : refresh.refreshMillis(clock, deadlineMillis);
    Duration limit = limit(value);
    long expiryMillis =
        recordExpiry(deadlineMillis, limit == null ? NO_LIMIT : Expiry.after(clock, limit));
    Object hot = isShared ? value : payload;
    return write(key, payload, hot, deadlineMillis, expiryMillis, refreshMillis, tags);
  }

  /** A record that contains {@code value}, with another deadline. */
  EncodedEntry rewrite(EntryKey key, RowRecord record, V value, long deadlineMillis) {
    byte[] bytes = record.value();
    int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
    byte[] payload = Arrays.copyOfRange(bytes, header, bytes.length);
    long refreshMillis = CacheValueFormat.refreshMillis(bytes, 0);
    long expiryMillis =
        recordExpiry(deadlineMillis, limit(value) == null ? NO_LIMIT : record.expiryMillis());
    byte[] tags = CacheValueFormat.tags(bytes, 0, bytes.length);
    return write(
        key,
        payload,
        isShared(value) ? value : payload,
        deadlineMillis,
        expiryMillis,
        refreshMillis,
        tags == null ? null : new EntryTags(marks, tags));
  }

  /** The record of a hot entry. It may differ from the stored one, as far as the entry differs. */
  RowRecord recordOf(EntryKey key, HotEntry entry) {
    byte[] payload =
        !shares && entry.payload() instanceof byte[] bytes
            ? bytes
            : values.encode(value(entry.payload()));
    long deadlineMillis = entry.deadlineMillis();
    EntryTags tags = entry.tags();
    byte[] bytes =
        CacheValueFormat.encode(
            payload,
            deadlineMillis < entry.expiryMillis() ? deadlineMillis : Expiry.NEVER,
            entry.refreshMillis(),
            tags == null ? null : tags.bytes());
    return new RowRecord(key.bytes(), Space.NO_SORT_KEY, bytes, entry.expiryMillis());
  }

  /**
   * The record of an entry with this value and no tags, in a cache whose entries never expire; null
   * in another cache, or if the value cannot be encoded.
   */
  @Nullable RowRecord lastingRecord(EntryKey key, V value) {
    if (refresh != null
        || !(expiry instanceof FixedExpiry<?, ?> fixed)
        || !fixed.creation().equals(CacheExpiry.FOREVER)) {
      return null;
    }
    try {
      byte[] bytes = write(key, value, Expiry.NEVER, null).value();
      return new RowRecord(key.bytes(), Space.NO_SORT_KEY, bytes, Expiry.NEVER);
    } catch (RuntimeException e) { // also of the application's codec
      return null;
    }
  }

  /** The maximum life of an entry that is written now, however often it is read; null for none. */
  private @Nullable Duration limit(V value) {
    return keepsDeadlines && usesAccess ? expiry.limit(value) : null;
  }

  /**
   * The expiry of the record of an entry with this deadline: the deadline, or later if reads move
   * it. If there is a limit, the expiry is the limit.
   */
  private long recordExpiry(long deadlineMillis, long limitMillis) {
    if (!outlives(deadlineMillis)) {
      return deadlineMillis;
    }
    return limitMillis == NO_LIMIT
        ? IdleDeadlines.recordExpiry(deadlineMillis, clock.millis(), leastSlackMillis)
        : Math.max(deadlineMillis, limitMillis);
  }

  /** The deadline of an entry that is written now. */
  private long deadline(long plannedMillis) {
    return plannedMillis < 0 ? Expiry.after(clock.millis(), -plannedMillis) : plannedMillis;
  }

  private boolean outlives(long deadlineMillis) {
    return keepsDeadlines && deadlineMillis != Expiry.NEVER;
  }

  private boolean writesTimes(long deadlineMillis) {
    return writesTimes && (refresh != null || deadlineMillis != Expiry.NEVER);
  }

  private EncodedEntry write(
      EntryKey key,
      byte[] payload,
      Object hot,
      long deadlineMillis,
      long expiryMillis,
      long refreshMillis,
      @Nullable EntryTags tags) {
    long idle = outlives(deadlineMillis) ? deadlineMillis : Expiry.NEVER;
    byte[] bytes =
        CacheValueFormat.encode(payload, idle, refreshMillis, tags == null ? null : tags.bytes());
    checkLength(VALUE, bytes, limits.maxValueBytes());
    int print = print(idle, payload, 0, payload.length);
    HotEntry entry =
        new HotEntry(
            hot, deadlineMillis, refreshMillis, expiryMillis, print, weight(key, bytes), tags);
    return new EncodedEntry(bytes, entry);
  }

  private static int weight(EntryKey key, byte[] value) {
    return HotEntry.OVERHEAD_BYTES + key.bytes().length + value.length;
  }
}
