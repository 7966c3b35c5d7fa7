package io.rockpool.codec;

import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;

/** Writes what a class puts in the place of its instances, and has each read on trial. */
final class ReplacedSerializer extends ReplaceResolveSerializer {
  ReplacedSerializer(TypeResolver resolver, Class<?> type) {
    super(resolver, type);
  }

  @Override
  public void write(WriteContext context, Object value) {
    ForyInstance.doubt(context);
    super.write(context, value);
  }
}
