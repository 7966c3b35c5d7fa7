package io.rockpool.codec;

import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;
import org.apache.fory.serializer.Serializer;

/**
 * Reads and writes objects of classes with a {@code writeReplace} or {@code readResolve}. Writes
 * what a class puts in the place of its instances, and has each value read on trial. If that loses
 * state, the value is written again with the instances themselves.
 */
final class ReplacedSerializer extends ReplaceResolveSerializer {
  private final boolean hasReplacement;
  private boolean isConstructible;

  ReplacedSerializer(TypeResolver resolver, Class<?> type) {
    super(resolver, type);
    hasReplacement = ClassProofs.isReplaced(type);
    if (type != ReplaceStub.class) {
      useOurs(jdkMethodInfoWriteCache, type);
    }
  }

  @Override
  protected MethodInfoCache getMethodInfoCache(Class<?> type) {
    boolean isNew = !classTypeInfoHolderMap.containsKey(type);
    MethodInfoCache methods = super.getMethodInfoCache(type);
    if (isNew) {
      useOurs(methods, type);
    }
    return methods;
  }

  private void useOurs(MethodInfoCache methods, Class<?> type) {
    Serializer<?> external = ExternalSerializer.of(classResolver, type);
    if (external != null) {
      methods.setObjectSerializer(external);
    }
  }

  @Override
  public void write(WriteContext context, Object value) {
    boolean replaces = ForyInstance.noteReplaced(context);
    if (!isConstructible && !(replaces && hasReplacement)) {
      EmptyConstructors.require(getType());
      isConstructible = true;
    }
    if (replaces) {
      super.write(context, value);
    } else {
      context.writeByte(ORIGINAL);
      writeObject(context, value, jdkMethodInfoWriteCache);
    }
  }
}
