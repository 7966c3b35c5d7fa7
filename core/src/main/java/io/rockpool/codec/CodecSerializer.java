package io.rockpool.codec;

import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.serializer.Serializer;

/** Writes a JDK value within a Fory value: the length and the bytes of the library's own codec. */
final class CodecSerializer<T> extends Serializer<T> {
  private final Codec<T> codec;

  @SuppressWarnings("unchecked")
  CodecSerializer(Config config, Class<?> type, Codec<T> codec) {
    super(config, (Class<T>) type, true);
    this.codec = codec;
  }

  @Override
  public void write(WriteContext context, T value) {
    byte[] bytes = codec.encode(value);
    MemoryBuffer out = context.getBuffer();
    out.writeVarUInt32(bytes.length);
    out.writeBytes(bytes);
  }

  @Override
  public T read(ReadContext context) {
    MemoryBuffer in = context.getBuffer();
    byte[] bytes = in.readBytes(requireThatMany(in, in.readVarUInt32()));
    T value = codec.decode(bytes, 0, bytes.length);
    if (!getType().isInstance(value)) {
      throw Undecodable.damaged(codec.id(), "it is not a " + getType().getName(), null);
    }
    return value;
  }

  /** Returns a length unless fewer bytes are left; it comes before memory is taken for it. */
  static int requireThatMany(MemoryBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw Undecodable.damaged(ValueTag.FORY_ID, "a length of " + length + " is too long", null);
    }
    return length;
  }
}
