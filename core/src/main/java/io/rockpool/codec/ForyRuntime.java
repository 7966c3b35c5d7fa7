package io.rockpool.codec;

import java.lang.reflect.Array;
import org.apache.fory.Fory;
import org.apache.fory.config.CompatibleMode;
import org.apache.fory.config.Config;
import org.apache.fory.config.UnknownEnumValueStrategy;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.meta.DeflaterMetaCompressor;
import org.apache.fory.meta.MetaCompressor;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.SharedRegistry;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.UnknownClass;
import org.apache.fory.serializer.UnknownClassSerializers;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Fory instances of one declared type: all alike, sharing what they learn about classes.
 * Three gates keep out what {@link AllowedClasses} does not allow: the class loader (for names in
 * stored bytes), the serializer factory (for the classes of objects to be written), and the
 * replaced serializers (for classes that Fory itself knows by number).
 *
 * <p>Fory compiles serializers for a class once for all codecs, and keeps them behind soft
 * references: the class loader of an application that is gone goes when memory is wanted, not
 * before.
 */
final class ForyRuntime {
  /** Names of all fields of a class; Fory's own limit of 4 KiB would refuse what it has written. */
  private static final int MAX_TYPE_META_BYTES = 1 << 20;

  private static final int MAX_TYPE_FIELDS = 65_535;

  /** A class may change this often over the life of a store before old values become unreadable. */
  private static final int MAX_SCHEMA_VERSIONS = 10_000;

  /** Elements that take no bytes, such as records without components, in one value. */
  private static final int MAX_EMPTY_ELEMENTS = 1 << 20;

  /**
   * What a value of the largest size can come to on the heap. Against a damaged length, Fory's
   * checks that the bytes are there are what counts.
   */
  private static final long MAX_GRAPH_BYTES = 32L << 30;

  /** One name for all, so that Fory's static table of configurations does not grow. */
  private static final String NAME = "rockpool";

  static {
    LoggerFactory.useSlf4jLogging(true); // Otherwise Fory prints to the standard output.
  }

  private final AllowedClasses allowed;
  private final AllowedClassLoader loader;
  private final SharedRegistry forWriting = new SharedRegistry();
  private final SharedRegistry forReading = new SharedRegistry();
  private final MetaCompressor classData = new DeflaterMetaCompressor();

  private ForyRuntime(AllowedClasses allowed) {
    this.allowed = allowed;
    this.loader = new AllowedClassLoader(allowed);
  }

  /** For values, whose objects may refer to each other in any way. */
  static ForyRuntime forValues(AllowedClasses allowed) {
    return new ForyRuntime(allowed);
  }

  /** Returns the same with nothing learned of the classes in stored bytes. */
  ForyRuntime anew() {
    return new ForyRuntime(allowed);
  }

  ForyInstance newInstance(ClassProofs proofs) {
    Learning learning = new Learning(allowed);
    return new ForyInstance(
        () -> newFory(learning, forWriting),
        () -> newFory(learning, forReading),
        proofs,
        learning,
        allowed);
  }

  private Fory newFory(Learning learning, SharedRegistry registry) {
    Fory fory =
        Fory.builder()
            .withName(NAME)
            .withXlang(false)
            .withCompatibleMode(CompatibleMode.COMPATIBLE)
            .withRefTracking(true)
            .withMetaCompressor(classData)
            .requireClassRegistration(false)
            .withTypeChecker((resolver, className) -> true)
            .withClassLoader(loader)
            .withSharedRegistry(registry)
            .withSerializerFactory((resolver, type) -> serializer(resolver, type, learning))
            .serializeEnumByName(true)
            .withUnknownEnumValueStrategy(UnknownEnumValueStrategy.NOT_ALLOWED)
            .withDeserializeUnknownClass(true)
            .withMaxDepth(Nesting.MAX_DEPTH)
            .withMaxTypeMetaBytes(MAX_TYPE_META_BYTES)
            .withMaxTypeFields(MAX_TYPE_FIELDS)
            .withMaxSchemaVersionsPerType(MAX_SCHEMA_VERSIONS)
            .withMaxAverageSchemaVersionsPerType(MAX_SCHEMA_VERSIONS)
            .withMaxUnbackedContainerItems(MAX_EMPTY_ELEMENTS)
            .withMaxGraphMemoryBytes(MAX_GRAPH_BYTES)
            .build();
    replaceThoseKnownByNumber((ClassResolver) fory.getTypeResolver());
    meetThoseNotPlain(fory.getTypeResolver());
    fory.getTypeResolver().finishRegistration();
    return fory;
  }

  /** Else Fory cannot read such a class before it has written one. */
  private static void meetThoseNotPlain(TypeResolver resolver) {
    JdkTypes.notPlain().forEach(resolver::getSerializer);
  }

  /**
   * Returns the sentence for the last class that stored bytes named and that is not here or not
   * allowed; null if they never named one.
   */
  @Nullable String lastForeignClass() {
    return loader.lastRefusal();
  }

  private @Nullable Serializer<?> serializer(
      TypeResolver resolver, Class<?> type, Learning learning) {
    boolean isStandIn = UnknownClass.isUnknowClass(type);
    if (isStandIn && (type.isEnum() || type.isArray())) {
      return readOnly(resolver, type);
    }
    if (!learning.meet(type) && !allowed.allows(type)) {
      throw new RefusedClassException(type, refusal(type));
    }
    learning.findByThread(type);
    allowed.findFieldTypes(type);
    return JdkSerializers.of(resolver, type, allowed);
  }

  private String refusal(Class<?> type) {
    String foreign = loader.lastRefusal();
    boolean isStandIn = UnknownClass.isUnknowClass(type);
    if (!isStandIn) {
      return allowed.refusal(type.getName());
    }
    return foreign != null
        ? foreign
        : "An object of the value is also in a field that its class does not have now. Give the"
            + " class its field back, or write the value anew.";
  }

  /** Fory knows some JDK classes by number, proxies and lambdas among them, and asks no one. */
  private void replaceThoseKnownByNumber(ClassResolver resolver) {
    for (Class<?> type : resolver.getRegisteredClasses()) {
      replace(resolver, type);
    }
  }

  @SuppressWarnings("unchecked")
  private <T> void replace(ClassResolver resolver, Class<T> type) {
    Serializer<?> ours =
        allowed.allows(type) || type == ReplaceResolveSerializer.ReplaceStub.class
            ? JdkSerializers.of(resolver, type, allowed)
            : new Refusal<>(resolver.getConfig(), type);
    if (ours != null) {
      resolver.setSerializer(type, (Serializer<T>) ours);
    }
  }

  /** An array that is skipped may have elements of a class that is here: it takes any object. */
  @SuppressWarnings("unchecked")
  private <T> Serializer<T> readOnly(TypeResolver resolver, Class<T> type) {
    Class<?> readAs = type.isArray() ? Object[].class : type;
    Serializer<T> reader =
        (Serializer<T>) UnknownClassSerializers.getSerializer(resolver, type.getName(), readAs);
    return new ReadOnly<>(resolver.getConfig(), type, reader);
  }

  /** Lets what Fory makes of an object of a foreign class be read, to skip it, but not written. */
  private final class ReadOnly<T> extends Serializer<T> {
    private final Serializer<T> reader;

    ReadOnly(Config config, Class<T> type, Serializer<T> reader) {
      super(config, type);
      this.reader = reader;
    }

    @Override
    public void write(WriteContext context, T value) {
      throw new RefusedClassException(getType(), refusal(getType()));
    }

    @Override
    @SuppressWarnings("unchecked")
    public T read(ReadContext context) {
      int id = context.hasPreservedRefId() ? context.lastPreservedRefId() : -1;
      T read = reader.read(context);
      ForyInstance.noteForeign(context);
      if (!getType().isArray()) {
        return read;
      }
      // Not what was read: a field that is here may refer to the same array.
      T standIn = (T) Array.newInstance(getType().getComponentType(), 0);
      context.setReadRef(id, standIn);
      return standIn;
    }
  }

  /** Stands where the serializer of a class that is not allowed would be. */
  private final class Refusal<T> extends Serializer<T> {
    Refusal(Config config, Class<T> type) {
      super(config, type);
    }

    @Override
    public void write(WriteContext context, T value) {
      throw new RefusedClassException(getType(), refusal(getType()));
    }

    @Override
    public T read(ReadContext context) {
      throw new RefusedClassException(getType(), refusal(getType()));
    }
  }
}
