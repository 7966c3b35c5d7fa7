package io.rockpool.internal.format;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a name stands for; the value of its catalog record.
 *
 * <pre>
 * version      1 byte     1
 * layout       1 byte     see {@link LayoutFormat}
 * generation   8 bytes    see {@link Generation}
 * created      8 bytes    milliseconds since the epoch
 * opened       8 bytes    milliseconds since the epoch
 * resets       8 bytes
 * expiry       8 bytes    of the space as a whole, milliseconds since the epoch; 0x7FFFFFFFFFFFFFFF: never
 * attributes   1-5 bytes  their number, unsigned LEB128; sorted by key, and for each of them
 *   key                   length, unsigned LEB128, and UTF-8
 *   value                 length, unsigned LEB128, and UTF-8
 * </pre>
 *
 * @param layout the layout of the space's records
 * @param generation the number that its records' keys start with
 * @param createdMillis when the name was first taken
 * @param openedMillis when it was last opened
 * @param resets how often it was reset to hold something else
 * @param expiryMillis when the space as a whole expires
 * @param attributes the attributes of the layers above
 */
public record Descriptor(
    Layout layout,
    long generation,
    long createdMillis,
    long openedMillis,
    long resets,
    long expiryMillis,
    Map<String, String> attributes) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 2 + 5 * Long.BYTES;

  /** Copies the attributes. */
  public Descriptor {
    attributes = Map.copyOf(attributes);
  }

  /** This descriptor with another time of opening. */
  public Descriptor withOpened(long millis) {
    return new Descriptor(
        layout, generation, createdMillis, millis, resets, expiryMillis, attributes);
  }

  /** This descriptor with another generation. */
  public Descriptor withGeneration(long next) {
    return new Descriptor(
        layout, next, createdMillis, openedMillis, resets, expiryMillis, attributes);
  }

  /** This descriptor with other attributes. */
  public Descriptor withAttributes(Map<String, String> others) {
    return new Descriptor(
        layout, generation, createdMillis, openedMillis, resets, expiryMillis, others);
  }

  /** This descriptor with another expiry of the whole space. */
  public Descriptor withExpiry(long millis) {
    return new Descriptor(
        layout, generation, createdMillis, openedMillis, resets, millis, attributes);
  }

  /** The public view of this descriptor. */
  public SpaceInfo info(String name) {
    return new SpaceInfo(
        name, layout, attributes, createdMillis, openedMillis, resets, expiryMillis);
  }

  /** Encodes the record. */
  public byte[] encode() {
    Map<String, String> sorted = new TreeMap<>(attributes);
    int length = FIXED_BYTES + Leb128.length(sorted.size());
    for (Map.Entry<String, String> attribute : sorted.entrySet()) {
      length += Utf8Text.length(attribute.getKey()) + Utf8Text.length(attribute.getValue());
    }
    ByteBuffer record = ByteBuffer.allocate(length);
    record.put(VERSION).put(LayoutFormat.encode(layout));
    record.putLong(generation).putLong(createdMillis).putLong(openedMillis);
    record.putLong(resets).putLong(expiryMillis);
    record.position(Leb128.put(record.array(), record.position(), sorted.size()));
    sorted.forEach(
        (key, value) -> {
          Utf8Text.put(record, key);
          Utf8Text.put(record, value);
        });
    return record.array();
  }

  /**
   * Decodes the record.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static Descriptor decode(byte[] bytes) {
    ByteBuffer record = ByteBuffer.wrap(bytes);
    try {
      byte version = record.get();
      if (version != VERSION) {
        throw new CorruptStoreException(
            "a descriptor has version " + version + "; expected " + VERSION, null);
      }
      Layout layout = LayoutFormat.decode(record.get());
      long generation = record.getLong();
      long created = record.getLong();
      long opened = record.getLong();
      long resets = record.getLong();
      long expiry = record.getLong();
      int count = Utf8Text.getLength(record);
      Map<String, String> attributes = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        attributes.put(Utf8Text.get(record), Utf8Text.get(record));
      }
      if (record.hasRemaining() || attributes.size() != count) {
        throw new CorruptStoreException(
            "a descriptor has "
                + record.remaining()
                + " bytes and "
                + attributes.size()
                + " attributes left over; "
                + "expected none and "
                + count,
            null);
      }
      return new Descriptor(layout, generation, created, opened, resets, expiry, attributes);
    } catch (BufferUnderflowException e) {
      throw new CorruptStoreException(
          "a descriptor ends early, after " + bytes.length + " bytes", e);
    }
  }
}
