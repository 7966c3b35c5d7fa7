package io.rockpool.codec;

import java.util.EnumMap;
import org.apache.fory.context.ReadContext;
import org.apache.fory.reflect.TypeRef;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.UnknownClass;
import org.apache.fory.serializer.collection.MapSerializers.EnumMapSerializer;
import org.apache.fory.type.GenericType;
import org.apache.fory.type.Generics;

/**
 * Reads an enum map of a field that its class has lost. Fory does not know the declared type of
 * such keys, but the map itself says its enum.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as in Fory
final class EnumMapReader extends EnumMapSerializer {
  EnumMapReader(TypeResolver resolver) {
    super(resolver);
  }

  @Override
  public EnumMap read(ReadContext context) {
    Generics generics = context.getGenerics();
    GenericType declared = generics.nextGenericType(context.getDepth());
    if (declared == null
        || declared.getTypeParametersCount() != 2
        || !UnknownClass.isUnknowClass(declared.getTypeParameter0().getCls())) {
      return super.read(context);
    }
    int size = readMapSize(context, context.getBuffer(), false);
    Class keys = typeResolver.readTypeInfo(context).getType();
    EnumMap map = new EnumMap(keys);
    context.reference(map);
    GenericType key = new GenericType(TypeRef.of(keys), true);
    generics.pushGenericType(
        new GenericType(declared.getTypeRef(), false, key, declared.getTypeParameter1()),
        context.getDepth() - 1);
    readElements(context, size, map);
    generics.popGenericType(context.getDepth() - 1);
    return map;
  }
}
