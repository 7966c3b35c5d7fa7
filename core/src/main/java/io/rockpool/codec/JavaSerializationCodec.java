package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Serializable classes through the JDK's object serialization, behind the allow-list. */
final class JavaSerializationCodec<T> implements HeadroomCodec<T> {
  /**
   * An array in the stream has at least a byte for each element; a hash map of the smallest load
   * factor asks for up to 8 slots for each entry of two bytes.
   */
  private static final long MAX_SLOTS_PER_BYTE = 4;

  private static final long MIN_SLOTS = 64;

  private final TypeRef<T> type;
  private final AllowedClasses allowed;
  private final AllowedClassLoader loader;
  private final boolean bounded;
  private final @Nullable ClassProofs proofs;

  /** Values are read back before they count as written, where that is not known to work. */
  JavaSerializationCodec(TypeRef<T> type, AllowedClasses allowed) {
    this(type, allowed, new ClassProofs(ClassProofs::losesState));
  }

  /**
   * @param proofs null if what uses this codec sees to it that values can be read
   */
  JavaSerializationCodec(TypeRef<T> type, AllowedClasses allowed, @Nullable ClassProofs proofs) {
    this.proofs = proofs;
    this.type = type;
    this.allowed = allowed;
    this.loader = new AllowedClassLoader(allowed);
    this.bounded = Nesting.isBounded(type.type());
  }

  @Override
  public String id() {
    return ValueTag.JAVA_ID;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(new byte[headroom], 0, headroom);
    Set<Class<?>> classes;
    try (AllowedOutput objects = new AllowedOutput(out)) {
      objects.writeObject(value);
      objects.requireNoneRefused();
      classes = objects.classes;
    } catch (RefusedClassException e) {
      throw new UnencodableValueException(
          e.refusal() + FaultPath.sentence(value, e.className()), e);
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      Undecodable.rethrowIfOfCatalog(e);
      throw new UnencodableValueException(
          "A value of "
              + value.getClass().getName()
              + " could not be serialized: "
              + shown(e)
              + "."
              + Refusals.INSTEAD
              + FaultPath.sentence(
                  value, e instanceof NotSerializableException ? e.getMessage() : null),
          e);
    }
    byte[] bytes = out.toByteArray();
    if (proofs != null) {
      classes.removeIf(proofs::isProven);
      if (!bounded || !classes.isEmpty()) {
        T copy = requireDecodable(value, bytes, headroom);
        Sameness.require(type, value, copy, () -> requireDecodable(value, bytes, headroom));
        proofs.add(classes);
      }
    }
    return bytes;
  }

  private T requireDecodable(T value, byte[] bytes, int headroom) {
    try {
      return decode(bytes, headroom, bytes.length - headroom);
    } catch (UndecodableValueException e) {
      throw FaultPath.unreadable(value, e, this::isUnreadable);
    }
  }

  /** Tries a part of a value alone. */
  private boolean isUnreadable(Object part) {
    Codec<Object> codec = new JavaSerializationCodec<>(TypeRef.of(Object.class), allowed, null);
    try {
      byte[] bytes = codec.encode(part);
      Object unused = codec.decode(bytes, 0, bytes.length);
      return false;
    } catch (UnencodableValueException | UndecodableValueException e) {
      return true;
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public T decode(byte[] bytes, int offset, int length) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes, offset, length);
    Object value;
    StoredClasses classes = new StoredClasses(allowed.grown);
    try (AllowedInput objects = new AllowedInput(in, length, classes)) {
      value = objects.readObject();
      classes.requireSameParents();
      if (objects.read() >= 0 || in.available() != 0) {
        throw Undecodable.damaged(ValueTag.JAVA_ID, "there are bytes too many", null);
      }
    } catch (UndecodableValueException e) {
      throw e;
    } catch (ClassNotFoundException e) {
      boolean refused = e.getCause() instanceof RefusedClassException; // else a user's readObject
      throw refused
          ? new UndecodableValueException(String.valueOf(e.getMessage()), e)
          : Undecodable.damaged(ValueTag.JAVA_ID, shown(e), e);
    } catch (LinkageError e) {
      throw Undecodable.linkage(type.toString(), e);
    } catch (IOException | RuntimeException | Error e) {
      Undecodable.rethrowIfFatal(e);
      Undecodable.rethrowIfOfCatalog(e);
      UndecodableValueException constant = Undecodable.missingConstant(e, type);
      if (constant != null) {
        throw constant;
      }
      if (e instanceof ClassCastException) {
        classes.refuseRetypedField(e);
      }
      UndecodableValueException changed = Undecodable.changedForm(e);
      if (changed != null) {
        throw changed;
      }
      throw Undecodable.damaged(ValueTag.JAVA_ID, shown(e), e);
    }
    if (!type.rawType().isInstance(value)) {
      String found = value == null ? "null" : "an instance of " + value.getClass().getName();
      throw new UndecodableValueException("The value is " + found + ", not a " + type + ".", null);
    }
    return (T) value;
  }

  /** Of what the JDK says, only the class that cannot be written: other texts may show a value. */
  private static String shown(Throwable e) {
    return e instanceof NotSerializableException ? e.toString() : e.getClass().getName();
  }

  @Override
  public boolean immutable() {
    return false;
  }

  private final class AllowedOutput extends ObjectOutputStream {
    private @Nullable Class<?> refused;
    private @Nullable RefusedClassException refusal;
    private final Set<Class<?>> classes = new HashSet<>();
    private final Set<Class<?>> learned = new HashSet<>();

    AllowedOutput(ByteArrayOutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected @Nullable Object replaceObject(@Nullable Object written) {
      if (refusal == null && written != null) {
        refusal = DistinctElements.refusal(written);
      }
      return written;
    }

    /** Not thrown from here: the stream also writes the exception that it is about to throw. */
    @Override
    protected void annotateClass(Class<?> written) {
      if (!written.isPrimitive() && !written.isInterface()) { // else only a Class object is of it
        classes.add(written);
      }
      if (refused == null && allowed.namelessness(written) != null) {
        refused = written;
      } else if (allowed.mayLearn(written)) {
        learned.add(written);
      } else if (refused == null && !allowed.allows(written)) {
        refused = written;
      }
    }

    @Override
    protected void annotateProxyClass(Class<?> written) {
      annotateClass(written);
    }

    void requireNoneRefused() {
      if (refused != null) {
        String namelessness = allowed.namelessness(refused);
        throw new RefusedClassException(
            refused, namelessness == null ? allowed.refusal(refused) : namelessness);
      }
      if (refusal != null) {
        throw refusal;
      }
      learned.forEach(allowed::learn);
    }
  }

  private final class AllowedInput extends ObjectInputStream {
    private final long maxSlots;
    private final StoredClasses classes;
    private final Set<Class<?>> named = new HashSet<>();

    AllowedInput(ByteArrayInputStream in, int length, StoredClasses classes) throws IOException {
      super(in);
      this.classes = classes;
      this.maxSlots = Math.max(MIN_SLOTS, MAX_SLOTS_PER_BYTE * length);
      setObjectInputFilter(this::filter);
      enableResolveObject(true);
    }

    @Override
    protected @Nullable Object resolveObject(@Nullable Object read) {
      Object singleton = read == null ? null : Singletons.of(read.getClass());
      return singleton == null ? read : singleton;
    }

    /** The stream does not name what a {@code readResolve} returns, which is of any class. */
    private ObjectInputFilter.Status filter(ObjectInputFilter.FilterInfo info) {
      Class<?> found = info.serialClass();
      boolean refused =
          info.depth() > Nesting.MAX_DEPTH
              || info.arrayLength() > maxSlots
              || (named.contains(found) && !allowed.allows(found));
      return refused ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.ALLOWED;
    }

    /**
     * A class that is not allowed counts as missing, so that a field which was removed is skipped.
     */
    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws ClassNotFoundException {
      Class<?> primitive = TypeNames.primitive(described.getName());
      if (primitive != null) {
        return primitive; // of a Class object
      }
      try {
        Class<?> found = Class.forName(described.getName(), false, loader);
        classes.add(described, found);
        named.add(found);
        return found;
      } catch (RefusedClassException e) {
        throw new ClassNotFoundException(e.getMessage(), e);
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
      throw new InvalidClassException("Proxies are not allowed.");
    }
  }
}
