package io.rockpool.codec;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The id of {@link KeyCodec} for a declared type. That of a record has its components, because the
 * bytes of equal keys depend on their names, types and codecs: with others, a key is not found.
 */
final class KeyStructure {
  private final RegisteredCodecs codecs;
  private final Set<Class<?>> open = new HashSet<>();

  private KeyStructure(RegisteredCodecs codecs) {
    this.codecs = codecs;
  }

  /** Returns the id for a type, such as {@code key(name string,tags java.util.List<…>)}. */
  static String idOf(TypeRef<?> type, RegisteredCodecs codecs) {
    return type.rawType().isRecord() ? new KeyStructure(codecs).ofRecord(type) : ValueTag.KEY_ID;
  }

  private String ofRecord(TypeRef<?> type) {
    Class<?> raw = type.rawType();
    if (!open.add(raw)) {
      return type.toString(); // a record within itself
    }
    Map<TypeVariable<?>, Type> arguments = GenericTypes.arguments(type.type());
    String id =
        Arrays.stream(raw.getRecordComponents())
            .map(it -> it.getName() + ' ' + ofComponent(it, arguments))
            .collect(Collectors.joining(",", ValueTag.KEY_ID + "(", ")"));
    open.remove(raw);
    return id;
  }

  private String ofComponent(RecordComponent component, Map<TypeVariable<?>, Type> arguments) {
    TypeRef<?> type = TypeRef.ofType(GenericTypes.resolve(component.getGenericType(), arguments));
    Codec<?> codec = codecs.of(type);
    if (codec == null) {
      codec = BuiltInCodecs.exact(type.rawType());
    }
    if (codec != null) {
      return codec.id();
    }
    return type.rawType().isRecord() ? ofRecord(type) : type.toString();
  }
}
