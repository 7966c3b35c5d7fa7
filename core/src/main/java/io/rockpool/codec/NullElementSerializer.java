package io.rockpool.codec;

import java.util.Collection;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.collection.CollectionLikeSerializer;

/**
 * The serializer for the elements of a collection that holds nothing but null. Fory writes {@code
 * void} as their class. Its generated code for nested collections casts each serializer of elements
 * to this superclass.
 */
final class NullElementSerializer extends CollectionLikeSerializer<Void> {
  NullElementSerializer(TypeResolver resolver) {
    super(resolver, void.class, false);
  }

  @Override
  public void write(WriteContext context, Void value) {}

  @Override
  @SuppressWarnings("NullAway") // an element that is null
  public Void read(ReadContext context) {
    return null;
  }

  // Fory calls these two only from generated code, which the constructor excludes.

  @Override
  public Collection<?> onCollectionWrite(WriteContext context, Void value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Void onCollectionRead(@SuppressWarnings("rawtypes") Collection collection) {
    throw new UnsupportedOperationException();
  }
}
