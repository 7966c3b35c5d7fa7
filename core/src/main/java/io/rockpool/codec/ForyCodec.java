package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Any type, through Apache Fory in compatible mode. The bytes carry the names of classes and
 * fields, so a class that has lost, gained or reordered fields still decodes; a field that is not
 * in the bytes is null or zero.
 */
final class ForyCodec<T> implements HeadroomCodec<T> {
  static final String ID = "fory";

  private final TypeRef<T> type;
  private final boolean immutable;
  private final boolean bounded;
  private final ForyRuntime runtime;
  private final ForyPool pool;

  ForyCodec(TypeRef<T> type, boolean immutable, ForyRuntime runtime) {
    this.type = type;
    this.immutable = immutable;
    this.bounded = Nesting.isBounded(type.type());
    this.runtime = runtime;
    this.pool = new ForyPool(runtime::newFory);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    if (!type.rawType().isInstance(value)) {
      throw new UnencodableValueException(
          "An instance of " + value.getClass().getName() + " is not a " + type + ".", null);
    }
    Fory fory = pool.take();
    byte[] out;
    try {
      MemoryBuffer buffer = fory.getBuffer();
      buffer.writerIndex(headroom);
      fory.serialize(buffer, value);
      out = buffer.getBytes(0, buffer.writerIndex());
      fory.resetBuffer();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // This Fory is not given back: its state is in doubt, and errors are rare.
      throw unencodable(value, e);
    }
    pool.giveBack(fory);
    if (!bounded && Nesting.mayBeTooDeep(out.length)) {
      requireDecodable(out, headroom);
    }
    return out;
  }

  private void requireDecodable(byte[] out, int headroom) {
    try {
      decode(out, headroom, out.length - headroom);
    } catch (UndecodableValueException e) {
      throw Undecodable.unreadable(type, e);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public T decode(byte[] bytes, int offset, int length) {
    Object value;
    Fory fory = pool.take();
    try {
      MemoryBuffer in = MemoryBuffer.fromByteArray(bytes, offset, length);
      value = fory.deserialize(in);
      if (in.remaining() != 0) {
        throw Undecodable.damaged(ID, in.remaining() + " bytes too many", null);
      }
      if (runtime.lastForeignClass() != null && value != null) {
        fory.serialize(value); // Fails if an object of a class unknown here is part of the value.
      }
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      if (find(Error.class, e) == null) { // After an error, its state would be in doubt.
        pool.giveBack(fory);
      }
      throw undecodable(e);
    }
    pool.giveBack(fory);
    if (!type.rawType().isInstance(value)) {
      String found = value == null ? "null" : "an instance of " + value.getClass().getName();
      throw new UndecodableValueException("The value is " + found + ", not a " + type + ".", null);
    }
    return (T) value;
  }

  private RuntimeException unencodable(T value, Throwable e) {
    rethrowIfFatal(e);
    RefusedClassException refused = find(RefusedClassException.class, e);
    return new UnencodableValueException(
        refused != null
            ? refused.refusal()
            : "A value of " + value.getClass().getName() + " could not be encoded: " + kind(e),
        root(e));
  }

  private RuntimeException undecodable(Throwable e) {
    rethrowIfFatal(e);
    if (e instanceof UndecodableValueException known) {
      return known;
    }
    RefusedClassException refused = find(RefusedClassException.class, e);
    String foreign = runtime.lastForeignClass();
    String sentence =
        refused != null
            ? refused.refusal()
            : "These bytes are not those of a " + type + " written by codec 'fory': " + kind(e);
    return new UndecodableValueException(
        refused == null && foreign != null ? sentence + ". " + foreign : sentence, root(e));
  }

  /** Fory wraps everything, also what says that the virtual machine is in trouble. */
  private static void rethrowIfFatal(Throwable e) {
    VirtualMachineError error = find(VirtualMachineError.class, e);
    if (error != null && !(error instanceof StackOverflowError) && !isAbsurdLength(error)) {
      throw error;
    }
  }

  /** An array longer than any can be is the fault of the bytes, not of the heap. */
  private static boolean isAbsurdLength(VirtualMachineError error) {
    return error instanceof OutOfMemoryError
        && String.valueOf(error.getMessage()).contains("exceeds VM limit");
  }

  private static <E extends Throwable> @Nullable E find(Class<E> kind, Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (kind.isInstance(t)) {
        return kind.cast(t);
      }
    }
    return null;
  }

  /** Not what it says: that may show the value, as what a constructor of a user's throws may. */
  private static String kind(Throwable e) {
    return root(e).getClass().getName();
  }

  /** Where it began: what Fory wraps around it keeps, and prints, all that was read until then. */
  private static Throwable root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public boolean immutable() {
    return immutable;
  }
}
