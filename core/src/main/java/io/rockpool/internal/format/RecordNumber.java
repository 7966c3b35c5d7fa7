package io.rockpool.internal.format;

import io.rockpool.internal.bytes.Leb128;
import java.nio.ByteBuffer;

/** A number inside a record, in unsigned LEB128. */
@SuppressWarnings("ByteBufferBackingArray") // every record is one array, wrapped whole
final class RecordNumber {
  private RecordNumber() {}

  static void put(ByteBuffer record, long number) {
    record.position(Leb128.put(record.array(), record.position(), number));
  }

  static long get(ByteBuffer record) {
    long number = Leb128.getLong(record.array(), record.position(), record.limit());
    record.position(record.position() + Leb128.length(number));
    return number;
  }
}
