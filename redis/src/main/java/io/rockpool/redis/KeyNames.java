package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The names of Redis keys. An entry is {@code PREFIX:{TAG}:SPACE:eHASHKEY}, the generation of its
 * bucket {@code PREFIX:{TAG}:SPACE:g}, so both are in one slot. There is a tag for each bucket, and
 * the buckets divide the slots of a cluster evenly.
 */
final class KeyNames {
  /** A power of two: more spread entries better, fewer make a clear cheaper. */
  static final int BUCKETS = 256;

  static final int SLOTS = 16_384;
  private static final int SLOTS_IN_BUCKET = SLOTS / BUCKETS;

  /** The characters of a space's id. */
  private static final int TEXT_CHARS = 11;

  private static final byte[] NOTHING = {};
  private static final byte ENTRY = 'e';
  private static final byte GENERATION = 'g';
  private static final byte[][] TAGS = new byte[BUCKETS][];

  static {
    int found = 0;
    for (int i = 0; found < BUCKETS; i++) {
      byte[] tag = Integer.toString(i).getBytes(ISO_8859_1);
      int bucket = crc16(tag) % SLOTS / SLOTS_IN_BUCKET;
      if (TAGS[bucket] == null) {
        TAGS[bucket] = tag;
        found++;
      }
    }
  }

  private final byte[] prefix;

  /** The text of the id that was used last. */
  private volatile IdText last = new IdText(0, new byte[0]);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record IdText(long space, byte[] text) {}

  /** What a changed key is: of an entry, or with a null hash key, the generation of a bucket. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Changed(long space, byte @Nullable [] hashKey) {}

  KeyNames(String prefix) {
    this.prefix = (prefix + ':').getBytes(UTF_8);
  }

  /** What all keys begin with. */
  byte[] prefix() {
    return prefix;
  }

  /** The key of the catalog. */
  byte[] catalog() {
    return join("{names}".getBytes(ISO_8859_1));
  }

  /** The key of the process that does the upkeep. */
  byte[] owner() {
    return join("{owner}".getBytes(ISO_8859_1));
  }

  /** The key of the note that a sweep is due, in the slot of the catalog. */
  byte[] dueSweep() {
    return join("{names}:sweep".getBytes(ISO_8859_1));
  }

  static int bucket(byte[] hashKey) {
    CRC32 crc = new CRC32();
    crc.update(hashKey);
    return (int) (crc.getValue() & (BUCKETS - 1));
  }

  /** The slot of a bucket's keys in a cluster. */
  static int slotOfBucket(int bucket) {
    return crc16(TAGS[bucket]) % SLOTS;
  }

  /** The slot of the catalog in a cluster. */
  static int slotOfCatalog() {
    return crc16("names".getBytes(ISO_8859_1)) % SLOTS;
  }

  /** The slot of the owner in a cluster. */
  static int slotOfOwner() {
    return crc16("owner".getBytes(ISO_8859_1)) % SLOTS;
  }

  /** A key in the slot of a bucket, which is never read. */
  static byte[] probed(byte[] prefix, int bucket) {
    return ByteBuffer.allocate(prefix.length + TAGS[bucket].length + 2)
        .put(prefix)
        .put((byte) '{')
        .put(TAGS[bucket])
        .put((byte) '}')
        .array();
  }

  byte[] entry(long space, byte[] hashKey) {
    return entry(space, bucket(hashKey), hashKey);
  }

  byte[] entry(long space, int bucket, byte[] hashKey) {
    return key(space, bucket, ENTRY, hashKey);
  }

  byte[] generation(long space, int bucket) {
    return key(space, bucket, GENERATION, NOTHING);
  }

  /** A pattern for the entries of a space. */
  byte[] entriesOf(long space) {
    return join(("{*}:" + text(space) + ":e*").getBytes(ISO_8859_1));
  }

  /** A pattern for all keys. */
  byte[] all() {
    return join(new byte[] {'*'});
  }

  /** The key of the generation that an entry's key belongs to. */
  byte[] generationOf(byte[] entryKey) {
    int kind = kindAt(entryKey);
    byte[] key = Arrays.copyOf(entryKey, kind + 1);
    key[kind] = GENERATION;
    return key;
  }

  /** The bucket whose generation a key is. */
  int bucketOfGeneration(byte[] key) {
    int tagEnd = kindAt(key) - 3 - TEXT_CHARS;
    byte[] tag = Arrays.copyOfRange(key, Math.min(prefix.length + 1, tagEnd), tagEnd);
    return crc16(tag) % SLOTS / SLOTS_IN_BUCKET;
  }

  /** What a key of Redis is, or null for none of a space. */
  @Nullable Changed parse(ByteBuffer changed) {
    byte[] key = new byte[changed.remaining()];
    changed.duplicate().get(key);
    return parse(key);
  }

  @Nullable Changed parse(byte[] key) {
    if (!Arrays.equals(key, 0, Math.min(key.length, prefix.length), prefix, 0, prefix.length)) {
      return null;
    }
    int kind = kindAt(key);
    if (kind >= key.length) {
      return null;
    }
    long space;
    try {
      space = space(new String(key, kind - 1 - TEXT_CHARS, TEXT_CHARS, ISO_8859_1));
    } catch (IllegalArgumentException e) {
      return null;
    }
    return new Changed(
        space, key[kind] == ENTRY ? Arrays.copyOfRange(key, kind + 1, key.length) : null);
  }

  /** The hash key of an entry's key, which is of this space. */
  byte[] hashKey(byte[] entryKey) {
    return Arrays.copyOfRange(entryKey, kindAt(entryKey) + 1, entryKey.length);
  }

  /** Where a key says whether it is of an entry: after the tag, the space and two colons. */
  private int kindAt(byte[] key) {
    int tagEnd = prefix.length;
    while (tagEnd < key.length && key[tagEnd] != '}') {
      tagEnd++;
    }
    return tagEnd + 3 + TEXT_CHARS;
  }

  /** The id of a space as 11 characters. */
  static String text(long space) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(space).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static long space(String text) {
    return ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)).getLong();
  }

  private byte[] key(long space, int bucket, byte kind, byte[] rest) {
    byte[] tag = TAGS[bucket];
    byte[] id = idText(space);
    return ByteBuffer.allocate(prefix.length + tag.length + id.length + 5 + rest.length)
        .put(prefix)
        .put((byte) '{')
        .put(tag)
        .put((byte) '}')
        .put((byte) ':')
        .put(id)
        .put((byte) ':')
        .put(kind)
        .put(rest)
        .array();
  }

  private byte[] idText(long space) {
    IdText known = last;
    if (known.space != space || known.text.length == 0) {
      known = new IdText(space, text(space).getBytes(ISO_8859_1));
      last = known;
    }
    return known.text;
  }

  private byte[] join(byte[] rest) {
    byte[] joined = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, joined, prefix.length, rest.length);
    return joined;
  }

  /** CRC-16/XMODEM, by which a cluster assigns keys to slots. */
  private static int crc16(byte[] bytes) {
    int crc = 0;
    for (byte each : bytes) {
      crc ^= (each & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
      crc &= 0xffff;
    }
    return crc;
  }
}
