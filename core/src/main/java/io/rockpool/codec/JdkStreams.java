package io.rockpool.codec;

import java.util.Collection;
import java.util.Map;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.CollectionLikeSerializer;
import org.apache.fory.serializer.collection.MapLikeSerializer;

/**
 * JDK objects that only the JDK can take apart, such as calendars and throwables, as the bytes of
 * its object serialization, behind the same allow-list.
 */
final class JdkStreams {
  private JdkStreams() {}

  /**
   * @param allowed which classes may be in the bytes
   */
  static <T> Serializer<T> serializer(
      TypeResolver resolver, Class<T> type, AllowedClasses allowed) {
    Codec<T> codec = new JavaSerializationCodec<>(TypeRef.of(type), allowed, null);
    CodecSerializer<T> bytes = new CodecSerializer<>(resolver.getConfig(), type, codec);
    if (Map.class.isAssignableFrom(type)) {
      return new OfMap<>(resolver, type, bytes);
    }
    return Collection.class.isAssignableFrom(type)
        ? new OfCollection<>(resolver, type, bytes)
        : bytes;
  }

  /**
   * Fory requires this kind for each map; only generated code, excluded here, calls {@code on…}.
   */
  @SuppressWarnings("rawtypes")
  private static final class OfMap<T> extends MapLikeSerializer<T> {
    private final CodecSerializer<T> bytes;

    OfMap(TypeResolver resolver, Class<T> type, CodecSerializer<T> bytes) {
      super(resolver, type, false);
      this.bytes = bytes;
    }

    @Override
    public void write(WriteContext context, T value) {
      bytes.write(context, value);
    }

    @Override
    public T read(ReadContext context) {
      return bytes.read(context);
    }

    @Override
    public Map onMapWrite(WriteContext context, T value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public T onMapCopy(Map map) {
      throw new UnsupportedOperationException();
    }

    @Override
    public T onMapRead(Map map) {
      throw new UnsupportedOperationException();
    }
  }

  /** Fory requires this kind for each collection; see {@link OfMap}. */
  @SuppressWarnings("rawtypes")
  private static final class OfCollection<T> extends CollectionLikeSerializer<T> {
    private final CodecSerializer<T> bytes;

    OfCollection(TypeResolver resolver, Class<T> type, CodecSerializer<T> bytes) {
      super(resolver, type, false);
      this.bytes = bytes;
    }

    @Override
    public void write(WriteContext context, T value) {
      bytes.write(context, value);
    }

    @Override
    public T read(ReadContext context) {
      return bytes.read(context);
    }

    @Override
    public Collection onCollectionWrite(WriteContext context, T value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public T onCollectionRead(Collection collection) {
      throw new UnsupportedOperationException();
    }
  }
}
