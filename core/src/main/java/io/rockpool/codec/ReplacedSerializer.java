package io.rockpool.codec;

import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;

/**
 * Writes what a class puts in the place of its instances, and has each value read on trial. If that
 * loses state, the value is written again with the instances themselves.
 */
final class ReplacedSerializer extends ReplaceResolveSerializer {
  ReplacedSerializer(TypeResolver resolver, Class<?> type) {
    super(resolver, type);
  }

  @Override
  public void write(WriteContext context, Object value) {
    if (ForyInstance.noteReplaced(context)) {
      super.write(context, value);
    } else {
      context.writeByte(ORIGINAL);
      writeObject(context, value, jdkMethodInfoWriteCache);
    }
  }
}
