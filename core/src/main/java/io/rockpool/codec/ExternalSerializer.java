package io.rockpool.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.reflect.ObjectInstantiator;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what an {@link Externalizable} writes, in blocks of bytes with objects between them. In
 * Fory's own serializer numbers have other bytes than the JDK's, {@code read()} returns a negative
 * byte, and nothing ends.
 */
final class ExternalSerializer<T extends Externalizable> extends Serializer<T> {
  private final ObjectInstantiator<T> instances;

  private ExternalSerializer(TypeResolver resolver, Class<T> type) {
    super(resolver.getConfig(), type);
    instances = resolver.getObjectInstantiator(type);
  }

  /** Returns the serializer of a class of the application's, or null. */
  @SuppressWarnings("unchecked") // as it is Externalizable
  static @Nullable Serializer<?> of(TypeResolver resolver, Class<?> type) {
    return Externalizable.class.isAssignableFrom(type)
            && !Refusals.isJdk(type)
            && !Collection.class.isAssignableFrom(type)
            && !Map.class.isAssignableFrom(type)
        ? new ExternalSerializer<>(resolver, (Class<Externalizable>) type)
        : null;
  }

  @Override
  public void write(WriteContext context, T value) {
    Out out = new Out(context, new ByteArrayOutputStream());
    try {
      value.writeExternal(out);
      out.endBlock(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public T read(ReadContext context) {
    int id = context.hasPreservedRefId() ? context.lastPreservedRefId() : -1;
    T value = instances.newInstance();
    context.setReadRef(id, value); // Before the objects, which may refer to it.
    In in = new In(context);
    try {
      value.readExternal(in);
      in.skipObjects();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return value;
  }

  private static final class Out extends DataOutputStream implements ObjectOutput {
    private final WriteContext context;
    private final ByteArrayOutputStream block;

    Out(WriteContext context, ByteArrayOutputStream block) {
      super(block);
      this.context = context;
      this.block = block;
    }

    /** Writes twice the length of the block, plus 1 if an object follows, and the block. */
    void endBlock(boolean objectFollows) {
      MemoryBuffer out = context.getBuffer();
      out.writeVarUInt32(block.size() << 1 | (objectFollows ? 1 : 0));
      out.writeBytes(block.toByteArray());
      block.reset();
    }

    @Override
    public void writeObject(@Nullable Object object) {
      endBlock(true);
      context.writeRef(object);
    }
  }

  private static final class In extends DataInputStream implements ObjectInput {
    private final ReadContext context;
    private boolean objectFollows;

    In(ReadContext context) {
      super(InputStream.nullInputStream());
      this.context = context;
      beginBlock();
    }

    private void beginBlock() {
      MemoryBuffer from = context.getBuffer();
      int header = from.readVarUInt32();
      objectFollows = (header & 1) == 1;
      in =
          new ByteArrayInputStream(
              from.readBytes(CodecSerializer.requireThatMany(from, header >>> 1)));
    }

    @Override
    public @Nullable Object readObject() throws IOException {
      if (available() > 0) {
        throw new StreamCorruptedException("bytes are to be read, and no object");
      }
      return nextObject();
    }

    private @Nullable Object nextObject() throws IOException {
      if (!objectFollows) {
        throw new EOFException("no more objects");
      }
      Object object = context.readRef();
      beginBlock();
      return object;
    }

    /** What a class does not read is skipped, as by the JDK. */
    void skipObjects() throws IOException {
      while (objectFollows) {
        Object unused = nextObject();
      }
    }
  }
}
