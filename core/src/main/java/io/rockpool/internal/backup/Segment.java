package io.rockpool.internal.backup;

import io.rockpool.internal.rocksdb.files.LogRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a segment. Numbers are big-endian:
 *
 * <pre>
 * magic      4 bytes    RLOG
 * version    1 byte     1
 * state      1 byte     1 if the store may hold collections at the end of the segment, else 0
 * marks      4 bytes    their number, then for each: sequence and milliseconds, 8 bytes each
 * classes    4 bytes    length of the store's file {@code classes} at the end, then the file; -1 if
 *                       it is as in the segment before
 * records    4 bytes    their number, then for each: length (4 bytes), batch in RocksDB's format
 * </pre>
 *
 * @param marks by time; the first is the last one of the segment or backup before
 * @param classes null if it is as before
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Segment(
    boolean mayHoldCollections,
    List<LogMark> marks,
    byte @Nullable [] classes,
    List<LogRecord> records) {
  private static final byte[] MAGIC = {'R', 'L', 'O', 'G'};
  private static final byte VERSION = 1;

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(MAGIC);
      out.writeByte(VERSION);
      out.writeBoolean(mayHoldCollections);
      out.writeInt(marks.size());
      for (LogMark mark : marks) {
        out.writeLong(mark.sequence());
        out.writeLong(mark.millis());
      }
      out.writeInt(classes == null ? -1 : classes.length);
      out.write(classes == null ? new byte[0] : classes);
      out.writeInt(records.size());
      for (LogRecord record : records) {
        out.writeInt(record.batch().length);
        out.write(record.batch());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("An array was not written.", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a segment.
   *
   * @throws IllegalArgumentException if it is none, or of another version
   */
  static Segment decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC) || in.readByte() != VERSION) {
        throw new IllegalArgumentException("it is no segment of version " + VERSION);
      }
      boolean mayHoldCollections = in.readBoolean();
      List<LogMark> marks = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        marks.add(new LogMark(in.readLong(), in.readLong()));
      }
      int classesLength = in.readInt();
      byte[] classes = classesLength < 0 ? null : bytes(in, classesLength);
      List<LogRecord> records = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        records.add(new LogRecord(bytes(in, in.readInt())));
      }
      return new Segment(mayHoldCollections, marks, classes, records);
    } catch (EOFException e) {
      throw new IllegalArgumentException("it is cut short", e);
    } catch (IOException e) {
      throw new UncheckedIOException("An array was not read.", e);
    }
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(Math.max(0, length));
    if (bytes.length != length) {
      throw new EOFException();
    }
    return bytes;
  }
}
