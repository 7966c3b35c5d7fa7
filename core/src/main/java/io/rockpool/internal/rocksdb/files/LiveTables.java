package io.rockpool.internal.rocksdb.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables that a MANIFEST names, read without RocksDB, so that a damaged one is read up to its
 * damage.
 *
 * @param tables by number
 * @param lastSequence the sequence number of the last change in them
 * @param isWhole whether all of the MANIFEST was read
 */
public record LiveTables(Map<Long, Table> tables, long lastSequence, boolean isWhole) {
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int HEADER_BYTES = 7;
  private static final int LENGTH_OFFSET = 4;
  private static final int TYPE_OFFSET = 6;
  private static final int TRAILER_BYTES = 8;

  /** The tags of RocksDB's edits, and the first of those that a reader may skip. */
  private static final int LOG_NUMBER = 2;

  private static final int NEXT_FILE = 3;
  private static final int LAST_SEQUENCE = 4;
  private static final int COMPACT_CURSOR = 5;
  private static final int DELETED_FILE = 6;
  private static final int PREVIOUS_LOG = 9;
  private static final int MIN_LOG = 10;
  private static final int COMPARATOR = 1;
  private static final int NEW_FILE = 103;
  private static final int FAMILY = 200;
  private static final int FAMILY_ADDED = 201;
  private static final int FAMILY_DROPPED = 202;
  private static final int MAX_FAMILY = 203;
  private static final int IN_GROUP = 300;
  private static final int SKIPPABLE = 1 << 13;
  private static final int BLOB_FILE = 400;
  private static final int BLOB_GARBAGE = 401;

  /**
   * A table.
   *
   * @param family the id of its column family
   * @param first its first key
   * @param last its last key
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Table(int family, byte[] first, byte[] last) {}

  /** Reads the MANIFEST at {@code file}. */
  public static LiveTables read(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    Edits edits = new Edits();
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    int at = 0;
    while (all.length - at >= HEADER_BYTES) {
      int left = BLOCK_BYTES - at % BLOCK_BYTES;
      if (left < HEADER_BYTES) {
        at += left;
        continue;
      }
      int length = (all[at + LENGTH_OFFSET] & 0xFF) | ((all[at + LENGTH_OFFSET + 1] & 0xFF) << 8);
      int end = at + HEADER_BYTES + length;
      if (end > all.length || !MaskedChecksum.isAt(at, all, at + TYPE_OFFSET, end)) {
        return edits.result(false);
      }
      record.write(all, at + HEADER_BYTES, length);
      int type = all[at + TYPE_OFFSET];
      if (type == 1 || type == 4) {
        if (!edits.apply(record.toByteArray())) {
          return edits.result(false);
        }
        record.reset();
      }
      at = end;
    }
    return edits.result(record.size() == 0 && at > 0);
  }

  /** The edits so far. */
  private static final class Edits {
    private final Map<Long, Table> tables = new TreeMap<>();
    private long lastSequence;

    LiveTables result(boolean isWhole) {
      return new LiveTables(tables, lastSequence, isWhole);
    }

    /** Applies an edit; returns whether it is of a known form. */
    boolean apply(byte[] edit) {
      ByteBuffer in = ByteBuffer.wrap(edit).order(ByteOrder.LITTLE_ENDIAN);
      Map<Long, Table> added = new TreeMap<>();
      int family = 0; // stands behind the tables of the edit
      try {
        while (in.hasRemaining()) {
          int tag = (int) number(in);
          switch (tag) {
            case FAMILY -> family = (int) number(in);
            case LAST_SEQUENCE -> lastSequence = number(in);
            case LOG_NUMBER, NEXT_FILE, PREVIOUS_LOG, MIN_LOG, MAX_FAMILY, IN_GROUP -> number(in);
            case COMPARATOR, FAMILY_ADDED -> bytes(in);
            case FAMILY_DROPPED -> {}
            case COMPACT_CURSOR -> {
              number(in);
              bytes(in);
            }
            case DELETED_FILE -> {
              number(in);
              tables.remove(number(in));
            }
            case NEW_FILE -> addTable(in, added);
            case BLOB_FILE -> skipBlobFile(in);
            case BLOB_GARBAGE -> {
              number(in);
              number(in);
              number(in);
              skipFields(in, 0);
            }
            default -> {
              if ((tag & SKIPPABLE) == 0) {
                return false;
              }
              bytes(in);
            }
          }
        }
        int of = family;
        added.forEach(
            (number, table) -> tables.put(number, new Table(of, table.first(), table.last())));
        return true;
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        return false;
      }
    }

    private static void addTable(ByteBuffer in, Map<Long, Table> added) {
      number(in); // level
      long number = number(in);
      number(in); // bytes
      byte[] first = userKey(bytes(in));
      byte[] last = userKey(bytes(in));
      number(in);
      number(in);
      skipFields(in, 1);
      added.put(number, new Table(0, first, last));
    }

    private static void skipBlobFile(ByteBuffer in) {
      number(in);
      number(in);
      number(in);
      bytes(in);
      bytes(in);
      skipFields(in, 0);
    }

    private static void skipFields(ByteBuffer in, long end) {
      while (number(in) != end) {
        bytes(in);
      }
    }

    private static byte[] userKey(byte[] internal) {
      byte[] key = new byte[Math.max(0, internal.length - TRAILER_BYTES)];
      System.arraycopy(internal, 0, key, 0, key.length);
      return key;
    }

    private static byte[] bytes(ByteBuffer in) {
      long length = number(in);
      if (length < 0 || length > in.remaining()) {
        throw new BufferUnderflowException();
      }
      byte[] bytes = new byte[(int) length];
      in.get(bytes);
      return bytes;
    }

    private static long number(ByteBuffer in) {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = in.get();
        number |= (next & 0x7FL) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw new IllegalArgumentException("A number is too long.");
    }
  }

  /**
   * Writes a database's MANIFEST that names tables and files of large values. All tables are at the
   * first level, with all keys: so every scan reads all of them, and the newest change of a key is
   * found by its sequence number alone.
   *
   * @param database a directory without one
   * @param families the names of the column families, by id; the first is RocksDB's default
   * @param tables the column families of the tables, by number
   * @param sizes the sizes of the tables, by number
   * @param blobs the sizes of the files of large values, by number
   * @param blobFamily the column family of these
   * @param next a number above those of all files
   */
  public static void write(
      Path database,
      java.util.List<String> families,
      Map<Long, Integer> tables,
      Map<Long, Long> sizes,
      Map<Long, Long> blobs,
      int blobFamily,
      long next)
      throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (int family = 0; family < families.size(); family++) {
      EditWriter edit = new EditWriter();
      if (family == 0) {
        edit.number(COMPARATOR).text("leveldb.BytewiseComparator");
        edit.number(NEXT_FILE).number(next + 1).number(LAST_SEQUENCE).number(MAX_SEQUENCE);
        edit.number(MAX_FAMILY).number(families.size() - 1);
        edit.number(LOG_NUMBER).number(0);
      } else {
        edit.number(FAMILY).number(family).number(FAMILY_ADDED).text(families.get(family));
        edit.number(COMPARATOR).text("leveldb.BytewiseComparator");
      }
      edit.appendTo(log);
      EditWriter files = new EditWriter().number(FAMILY).number(family);
      files.number(LOG_NUMBER).number(0);
      if (family == blobFamily) {
        blobs.forEach(
            (number, bytes) ->
                files
                    .number(BLOB_FILE)
                    .number(number)
                    .number(1)
                    .number(bytes)
                    .text("")
                    .text("")
                    .number(0));
      }
      int at = family;
      tables.forEach(
          (number, of) -> {
            if (of == at) {
              files
                  .number(NEW_FILE)
                  .number(0)
                  .number(number)
                  .number(sizes.getOrDefault(number, 0L));
              files
                  .bytes(new byte[0], MAX_TRAILER)
                  .bytes(LAST_KEY, 0)
                  .number(0)
                  .number(MAX_SEQUENCE);
              files.number(EPOCH).numberField(number);
              if (of == blobFamily && !blobs.isEmpty()) {
                files.number(OLDEST_BLOB).numberField(java.util.Collections.min(blobs.keySet()));
              }
              files.number(1);
            }
          });
      files.appendTo(log);
    }
    Files.write(database.resolve("MANIFEST-" + name(next)), log.toByteArray());
    Files.writeString(database.resolve("CURRENT"), "MANIFEST-" + name(next) + "\n");
  }

  private static final int EPOCH = 13;
  private static final int OLDEST_BLOB = 4;

  /** Above that of any change, so that a scan sees all. */
  private static final long MAX_SEQUENCE = 1L << 54;

  private static final long MAX_TRAILER = (MAX_SEQUENCE << 8) | 1;
  private static final byte[] LAST_KEY = lastKey();

  private static byte[] lastKey() {
    byte[] key = new byte[32];
    java.util.Arrays.fill(key, (byte) 0xFF);
    return key;
  }

  private static String name(long number) {
    return String.format(Locale.ROOT, "%06d", number);
  }

  /** Builds an edit. */
  private static final class EditWriter {
    private final ByteArrayOutputStream edit = new ByteArrayOutputStream();

    EditWriter number(long number) {
      long left = number;
      while ((left & ~0x7FL) != 0) {
        edit.write((int) ((left & 0x7F) | 0x80));
        left >>>= 7;
      }
      edit.write((int) left);
      return this;
    }

    EditWriter text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      number(bytes.length);
      edit.writeBytes(bytes);
      return this;
    }

    EditWriter bytes(byte[] key, long trailer) {
      number(key.length + TRAILER_BYTES);
      edit.writeBytes(key);
      edit.writeBytes(
          ByteBuffer.allocate(TRAILER_BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(trailer)
              .array());
      return this;
    }

    EditWriter numberField(long number) {
      EditWriter field = new EditWriter().number(number);
      number(field.edit.size());
      edit.writeBytes(field.edit.toByteArray());
      return this;
    }

    /** Appends the edit as a record of the log, in as many parts as it needs. */
    void appendTo(ByteArrayOutputStream log) {
      byte[] all = edit.toByteArray();
      int at = 0;
      do {
        int left = BLOCK_BYTES - log.size() % BLOCK_BYTES;
        if (left < HEADER_BYTES) {
          log.writeBytes(new byte[left]);
          left = BLOCK_BYTES;
        }
        int length = Math.min(all.length - at, left - HEADER_BYTES);
        boolean isFirst = at == 0;
        boolean isLast = at + length == all.length;
        byte[] part = new byte[HEADER_BYTES + length];
        System.arraycopy(all, at, part, HEADER_BYTES, length);
        part[TYPE_OFFSET] = (byte) (isFirst ? (isLast ? 1 : 2) : (isLast ? 4 : 3));
        part[LENGTH_OFFSET] = (byte) length;
        part[LENGTH_OFFSET + 1] = (byte) (length >> 8);
        ByteBuffer.wrap(part)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0, MaskedChecksum.of(part, TYPE_OFFSET, part.length));
        log.writeBytes(part);
        at += length;
      } while (at < all.length);
    }
  }
}
