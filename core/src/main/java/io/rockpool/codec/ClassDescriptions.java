package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.fory.collection.LongMap;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.meta.FieldInfo;
import org.apache.fory.meta.FieldTypes.FieldType;
import org.apache.fory.meta.FieldTypes.RegisteredFieldType;
import org.apache.fory.meta.NativeTypeDefEncoder;
import org.apache.fory.meta.TypeDef;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.TypeInfo;
import org.apache.fory.type.Types;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of the declared types of a class's fields, which stand in front of a value. Fory's own
 * description of a class names the type of a field only where Fory knows that type by number.
 * Without the others, Fory reads an object of any class into a field whose declared type has
 * changed. Serves one thread at a time.
 */
final class ClassDescriptions {
  private static final byte[] NONE = {};

  /** An array of which no value has an instance stands for a layer of a class that has them. */
  private static final String LAYER_MARKER = "[[[";

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final ClassResolver resolver;
  private final AllowedClasses allowed;
  private final Learning learning;
  private final FieldTypes fieldTypes;
  private final IdentityHashMap<Class<?>, byte[]> written = new IdentityHashMap<>();
  private final LongMap<Boolean> fitting = new LongMap<>();

  ClassDescriptions(
      ClassResolver resolver, AllowedClasses allowed, Learning learning, FieldTypes fieldTypes) {
    this.fieldTypes = fieldTypes;
    this.learning = learning;
    this.resolver = resolver;
    this.allowed = allowed;
  }

  /**
   * Returns the bytes that describe a class of a value; none if the class has no fields, or if Fory
   * wrote its own description in another form, which a reader could not find.
   *
   * @param value what Fory wrote of a value with an instance of the class
   */
  byte[] of(Class<?> type, MemoryBuffer value) {
    byte[] known = written.get(type);
    if (known == null) {
      known = describe(type, value);
      written.put(type, known);
    }
    return known;
  }

  private byte[] describe(Class<?> type, MemoryBuffer value) {
    Class<?> described = described(type);
    TypeDef description = described.getName().startsWith("java.") ? null : description(type);
    if (description == null || described.isEnum() || !isIn(value, number(description))) {
      return NONE;
    }
    if (description.getFieldsInfo().isEmpty() && !typesHere(described).isEmpty()) {
      return NONE; // A class that writes itself: its layers have the fields.
    }
    List<Integer> checksums = new ArrayList<>();
    for (FieldInfo stored : decoded(description).getFieldsInfo()) {
      if (!isKnownByNumber(stored.getFieldType())) {
        Field field = field(described, stored);
        checksums.add(field == null ? 0 : DeclaredType.checksum(field));
      }
    }
    checksums.addAll(ClassTraits.of(described));
    if (type != described) {
      checksums.add(ClassTraits.LAYER);
    }
    KeyBytes out = new KeyBytes();
    out.putNumber(checksums.size() + 1);
    out.putInt(number(description));
    checksums.forEach(out::putInt);
    return out.toBytes();
  }

  private static boolean isIn(MemoryBuffer value, int number) {
    int last = value.writerIndex() - Long.BYTES;
    for (int at = 0; at <= last; at++) {
      if (value.getInt32(at + Integer.BYTES) == number) {
        return true;
      }
    }
    return false;
  }

  private @Nullable TypeDef description(Class<?> type) {
    TypeInfo info = resolver.getTypeInfo(type, false);
    if (info == null && type.getName().startsWith(LAYER_MARKER)) {
      return resolver.getTypeDef(described(type), false);
    }
    return info == null ? null : info.getTypeDef();
  }

  private static Class<?> described(Class<?> type) {
    Class<?> described = type;
    while (described.isArray()) {
      described = described.getComponentType();
    }
    return described;
  }

  /** The half of Fory's number of a description that is a hash of all of it. */
  private static int number(TypeDef description) {
    return (int) (description.getId() >>> Integer.SIZE);
  }

  private boolean isKnownByNumber(FieldType type) {
    if (!(type instanceof RegisteredFieldType)) {
      return false;
    }
    Class<?> known = resolver.getRegisteredClassByTypeId(type.getTypeId());
    return known == null || known.getTypeParameters().length == 0;
  }

  private static @Nullable Field field(Class<?> type, FieldInfo described) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(described.getDefinedClass())) {
        try {
          return c.getDeclaredField(described.getFieldName());
        } catch (NoSuchFieldException e) {
          return null;
        }
      }
    }
    return null;
  }

  /**
   * Reads the descriptions in front of a value, and leaves the buffer at the value.
   *
   * @throws UndecodableValueException if a class here does not fit one of them
   */
  void requireFitting(MemoryBuffer in) {
    int start = in.readerIndex();
    boolean known = true;
    for (int checksums = checksums(in); checksums >= 0; checksums = checksums(in)) {
      known &= fitting.containsKey(key(in, checksums));
    }
    if (!known) {
      int end = in.readerIndex();
      // Twice: a class that comes first may be found as the superclass of a later one.
      for (boolean again : new boolean[] {false, true}) {
        in.readerIndex(start);
        for (int checksums = checksums(in); checksums >= 0; checksums = checksums(in)) {
          requireFitting(in, checksums, end, again);
        }
      }
    }
  }

  /** Returns how many checksums follow in a description; -1 after the last one. */
  private static int checksums(MemoryBuffer in) {
    return CodecSerializer.requireThatMany(in, in.readVarUInt32()) - 1;
  }

  /** Returns what tells a description from others. */
  private static long key(MemoryBuffer in, int checksums) {
    long key = in.readInt32();
    for (int i = 0; i < checksums; i++) {
      key = (key ^ in.readInt32()) * MULTIPLIER;
    }
    return key * MULTIPLIER + checksums;
  }

  private void requireFitting(MemoryBuffer in, int count, int end, boolean again) {
    int from = in.readerIndex();
    long key = key(in, count);
    int next = in.readerIndex();
    if (!fitting.containsKey(key)) {
      in.readerIndex(from);
      int number = bigEndian(in);
      int[] checksums = new int[count];
      for (int i = 0; i < count; i++) {
        checksums[i] = bigEndian(in);
      }
      TypeDef stored = find(in, number, end);
      Class<?> here = classHere(stored.getClassName());
      if (here != null) {
        requireFitting(stored, checksums, here);
        learning.findByThread(here);
        fieldTypes.note(here);
      }
      if (here != null || again) {
        fitting.put(key, true);
      }
    }
    in.readerIndex(next);
  }

  private static int bigEndian(MemoryBuffer in) {
    return Integer.reverseBytes(in.readInt32());
  }

  /** Fory's own description is where the value has its class first. */
  private TypeDef find(MemoryBuffer in, int number, int from) {
    int last = in.size() - Long.BYTES;
    for (int at = from; at <= last; at++) {
      if (in.getInt32(at + Integer.BYTES) == number) {
        try {
          in.readerIndex(at + Long.BYTES);
          byte[] stored = TypeDef.readTypeDefBytes(resolver, in, in.getInt64(at));
          return TypeDef.readTypeDefWithoutRootClass(resolver, stored);
        } catch (RuntimeException e) {
          Undecodable.rethrowIfOfCatalog(e);
          // Else these bytes are other ones, which happen to have the number in them.
        }
      }
    }
    throw Undecodable.damaged(ValueTag.FORY_ID, "the description of a class is missing", null);
  }

  private @Nullable Class<?> classHere(String name) {
    try {
      return allowed.load(name);
    } catch (ClassNotFoundException e) {
      return null; // Its objects are skipped, or refused where they are wanted.
    }
  }

  private void requireFitting(TypeDef stored, int[] checksums, Class<?> here) {
    if (here.isEnum() || here.isInterface()) {
      throw Undecodable.otherKind(here);
    }
    MovedFields.refuse(stored, here);
    boolean isLayer = checksums.length > 0 && checksums[checksums.length - 1] == ClassTraits.LAYER;
    Map<String, FieldType> typesHere = typesHere(here);
    int next = 0;
    for (FieldInfo was : stored.getFieldsInfo()) {
      boolean known = isKnownByNumber(was.getFieldType());
      if (!known && next == checksums.length) {
        throw Undecodable.damaged(ValueTag.FORY_ID, "a class is not described in full", null);
      }
      int checksum = known ? 0 : checksums[next++];
      FieldType is = typesHere.get(GrownClasses.name(was));
      Field field = field(here, was);
      if (is != null
          && field != null
          && !(known
              ? fits(was.getFieldType(), is, here, isLayer)
              : was.getFieldType().equals(is) && checksum == DeclaredType.checksum(field))) {
        throw changed(field);
      }
    }
    Set<Integer> traits = ClassTraits.of(here);
    traits.add(ClassTraits.LAYER);
    for (; next < checksums.length; next++) {
      if (!traits.contains(checksums[next])) {
        throw new UndecodableValueException(
            "The value has an instance of class "
                + here.getName()
                + ", which extended or implemented a type that it does not now, had other type"
                + " arguments of its superclass, another serialVersionUID or other fields that it"
                + " puts by name. Restore them, or write the value again.",
            null,
            here.getName(),
            null);
      }
    }
    allowed.grown.check(here, stored, isLayer, typesHere.keySet());
  }

  private static UndecodableValueException changed(Field field) {
    return new UndecodableValueException(
        "The value was written when field '"
            + field.getName()
            + "' of class "
            + field.getDeclaringClass().getName()
            + " had another type than "
            + field.getGenericType().getTypeName()
            + ". Give it its type back, give the field another name, or write the value anew.",
        null,
        field.getDeclaringClass().getName(),
        null);
  }

  /** Encoded and decoded once, since decoding drops some of what is found out here. */
  private Map<String, FieldType> typesHere(Class<?> here) {
    Map<String, FieldType> types = new HashMap<>();
    List<FieldInfo> fields = NativeTypeDefEncoder.buildFieldsInfo(resolver, here);
    TypeDef description = NativeTypeDefEncoder.buildTypeDefWithFieldInfos(resolver, here, fields);
    for (FieldInfo field : decoded(description).getFieldsInfo()) {
      types.put(GrownClasses.name(field), field.getFieldType());
    }
    return types;
  }

  private TypeDef decoded(TypeDef description) {
    return TypeDef.readTypeDef(resolver, description.getEncoded());
  }

  /**
   * Whether each value of one type that Fory knows by number is read as the same of another. Of a
   * record with several primitive components, and of a layer, Fory reads none as another type.
   */
  private boolean fits(FieldType was, FieldType is, Class<?> here, boolean isLayer) {
    return was.equals(is)
        || (!isLayer
            && isKnownByNumber(is)
            && (was.nullable() ? is.nullable() : !here.isRecord())
            && widens(was.getTypeId(), is.getTypeId()));
  }

  private static boolean widens(int was, int is) {
    return switch (was) {
      case Types.INT8 -> isInteger(is);
      case Types.INT16 -> isInteger(is) && is != Types.INT8;
      case Types.INT32, Types.VARINT32 -> isInteger(is) && is != Types.INT8 && is != Types.INT16;
      case Types.INT64, Types.VARINT64, Types.TAGGED_INT64 -> is == was;
      case Types.FLOAT32 -> is == was || is == Types.FLOAT64;
      case Types.FLOAT64, Types.BOOL -> is == was;
      default -> false;
    };
  }

  private static boolean isInteger(int type) {
    return switch (type) {
      case Types.INT8,
          Types.INT16,
          Types.INT32,
          Types.VARINT32,
          Types.INT64,
          Types.VARINT64,
          Types.TAGGED_INT64 ->
          true;
      default -> false;
    };
  }
}
