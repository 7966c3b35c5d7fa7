package io.rockpool.internal.format;

import io.rockpool.internal.bytes.Leb128;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A text inside a record: its length in bytes as unsigned LEB128, then the text in UTF-8. */
@SuppressWarnings("ByteBufferBackingArray") // every record is one array, wrapped whole
final class Utf8Text {
  private Utf8Text() {}

  static int length(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return Leb128.length(bytes) + bytes;
  }

  static void put(ByteBuffer record, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    record.position(Leb128.put(record.array(), record.position(), bytes.length));
    record.put(bytes);
  }

  static String get(ByteBuffer record) {
    int length = getLength(record);
    if (length > record.remaining()) {
      throw new BufferUnderflowException();
    }
    String text = new String(record.array(), record.position(), length, StandardCharsets.UTF_8);
    record.position(record.position() + length);
    return text;
  }

  static int getLength(ByteBuffer record) {
    int length = Leb128.get(record.array(), record.position(), record.limit());
    record.position(record.position() + Leb128.length(length));
    return length;
  }
}
