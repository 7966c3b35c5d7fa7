package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.fory.exception.InsecureException;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Any type, through Apache Fory in compatible mode. The bytes carry the names of classes and
 * fields, so a class that has lost, gained or reordered fields still decodes; a field that is not
 * in the bytes is null or zero.
 */
final class ForyCodec<T> implements HeadroomCodec<T> {
  private final TypeRef<T> type;

  /** What Fory says of a class that {@link ForyRuntime} does not let it read. */
  private static final Pattern FORBIDDEN = Pattern.compile("^Class (\\S+) is forbidden");

  /** Whether all instances of a class are known to be immutable. */
  private static final ClassValue<Boolean> IMMUTABLE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Immutability.of(type, BuiltInCodecs::isImmutable);
        }
      };

  private final boolean immutable;
  private final boolean bounded;
  private final ClassProofs proofs = new ClassProofs(type -> false);
  private volatile Instances instances;

  private record Instances(ForyRuntime runtime, ForyPool pool) {}

  ForyCodec(TypeRef<T> type, boolean immutable, ForyRuntime runtime) {
    this.type = type;
    this.immutable = immutable;
    this.bounded = Nesting.isBounded(type.type());
    this.instances = instancesOf(runtime);
  }

  private Instances instancesOf(ForyRuntime runtime) {
    return new Instances(runtime, new ForyPool(() -> runtime.newInstance(proofs)));
  }

  @Override
  public String id() {
    return ValueTag.FORY_ID;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    if (!type.rawType().isInstance(value)) {
      throw new UnencodableValueException(
          "An instance of " + value.getClass().getName() + " is not a " + type + ".", null);
    }
    if (CompactStrings.REFUSAL != null) {
      throw new UnencodableValueException(CompactStrings.REFUSAL, null);
    }
    return encode(value, headroom, true);
  }

  private byte[] encode(T value, int headroom, boolean replacing) {
    Instances mine = instances;
    ForyPool pool = mine.pool();
    ForyInstance fory = pool.take();
    byte[] out;
    try {
      out = fory.write(value, headroom, replacing);
    } catch (Throwable e) { // Checked ones, too: generated code does not declare them.
      // Do not return this Fory to the pool: its state is unknown after an error.
      if (mine.runtime().hasLostCompiler()) {
        renew(mine);
        return encode(value, headroom, replacing);
      }
      throw unencodable(value, e);
    }
    boolean tooDeep = !bounded && Nesting.mayBeTooDeep(out.length);
    boolean replaced = fory.hasReplaced();
    boolean doubtful = replaced || (!bounded && ContainerCycles.mayBeIn(value, out, headroom));
    List<Class<?>> unproven = List.copyOf(fory.unproven());
    pool.giveBack(fory);
    if (tooDeep || doubtful || !unproven.isEmpty()) {
      try {
        prove(value, out, headroom, doubtful, unproven);
      } catch (UnencodableValueException e) {
        if (!replaced || !replacing) {
          throw e;
        }
        return encodeByFields(value, headroom, e);
      }
    }
    return out;
  }

  /** Writes a value again: what stood for an object of it, as for a JSON tree, lost some state. */
  private byte[] encodeByFields(T value, int headroom, UnencodableValueException first) {
    try {
      return encode(value, headroom, false);
    } catch (UnencodableValueException e) {
      throw e.getCause() instanceof RefusedClassException ? e : first; // says what to allow
    }
  }

  private void prove(T value, byte[] out, int headroom, boolean doubtful, List<Class<?>> unproven) {
    requireConstructors(value, unproven);
    T copy = requireDecodable(value, out, headroom);
    if (doubtful || !unproven.isEmpty()) {
      Sameness.require(type, value, copy, () -> requireDecodable(value, out, headroom));
      proofs.add(unproven);
    }
  }

  private void requireConstructors(T value, List<Class<?>> unproven) {
    try {
      for (Class<?> type : unproven) {
        if (!proofs.hasMet(type)) {
          EmptyConstructors.require(type);
        }
      }
    } catch (RefusedClassException e) {
      throw unencodable(value, e);
    }
  }

  private T requireDecodable(T value, byte[] out, int headroom) {
    Instances mine = instances;
    try {
      return decode(out, headroom, out.length - headroom);
    } catch (UndecodableValueException e) {
      if (mine.runtime().lastForeignClass() == null) {
        throw FaultPath.unreadable(value, e, this::isUnreadable);
      }
    }
    // A class that was unknown when its name was first read may be here now.
    renew(mine);
    try {
      return decode(out, headroom, out.length - headroom);
    } catch (UndecodableValueException e) {
      throw FaultPath.unreadable(value, e, this::isUnreadable);
    }
  }

  /** Tries a part of a value alone. */
  private boolean isUnreadable(Object part) {
    ForyPool pool = instances.pool();
    ForyInstance fory = pool.take();
    try {
      MemoryBuffer in = MemoryBuffer.fromByteArray(fory.write(part, 0));
      Object unused = fory.read(in);
      pool.giveBack(fory);
      return in.remaining() != 0;
    } catch (Throwable e) { // Its state is unknown now.
      rethrowIfFatal(e);
      return true;
    }
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    if (CompactStrings.REFUSAL != null) {
      throw new UndecodableValueException(CompactStrings.REFUSAL, null);
    }
    Instances mine = instances;
    try {
      return decode(mine, bytes, offset, length);
    } catch (UndecodableValueException e) {
      if (!mine.runtime().isOutdated()) {
        throw e;
      }
    }
    renew(mine);
    return decode(instances, bytes, offset, length);
  }

  /** Replaces instances by others, which have not seen any stored class yet. */
  private synchronized void renew(Instances outdated) {
    if (instances.equals(outdated)) {
      instances = instancesOf(outdated.runtime().anew());
    }
  }

  @SuppressWarnings("unchecked")
  private T decode(Instances mine, byte[] bytes, int offset, int length) {
    Object value;
    ForyRuntime runtime = mine.runtime();
    ForyPool pool = mine.pool();
    ForyInstance fory = pool.take();
    try {
      MemoryBuffer in = MemoryBuffer.fromByteArray(bytes, offset, length);
      value = fory.read(in);
      if (in.remaining() != 0) {
        throw Undecodable.damaged(ValueTag.FORY_ID, in.remaining() + " bytes too many", null);
      }
      if (value != null && fory.isForeign()) {
        fory.write(value, 0); // Fails if an object of a class unknown here is part of the value.
      }
    } catch (Throwable e) {
      if (find(Error.class, e) == null) { // After an Error, its state is unknown.
        pool.giveBack(fory);
      }
      throw undecodable(e, runtime);
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
    RuntimeException ofCatalog = Undecodable.ofCatalog(e);
    if (ofCatalog != null) {
      return ofCatalog;
    }
    UnencodableValueException known = find(UnencodableValueException.class, e);
    if (known != null) {
      return known;
    }
    RefusedClassException refused = find(RefusedClassException.class, e);
    return new UnencodableValueException(
        refused != null
            ? refused.refusal() + FaultPath.sentence(value, refused.className())
            : "A value of "
                + value.getClass().getName()
                + " could not be encoded: "
                + kind(e)
                + "."
                + hint(e)
                + ModuleAccess.hint(root(e))
                + FaultPath.sentence(value, null),
        null,
        refused != null ? refused.className() : value.getClass().getName(),
        root(e));
  }

  private RuntimeException undecodable(Throwable e, ForyRuntime runtime) {
    rethrowIfFatal(e);
    UndecodableValueException known = find(UndecodableValueException.class, e);
    if (known != null) {
      return known;
    }
    RuntimeException ofCatalog = Undecodable.ofCatalog(e);
    if (ofCatalog != null) {
      return ofCatalog;
    }
    LinkageError unlinked = find(LinkageError.class, e);
    if (unlinked != null) {
      return Undecodable.linkage(type.toString(), unlinked);
    }
    UndecodableValueException constant = Undecodable.missingConstant(e, type);
    if (constant != null) {
      return constant;
    }
    UndecodableValueException inner = Undecodable.innerClass(e);
    if (inner != null) {
      return inner;
    }
    UndecodableValueException changed = Undecodable.changedForm(e);
    if (changed != null) {
      return changed;
    }
    RefusedClassException refused = refused(e, runtime);
    String foreign = runtime.lastForeignClass();
    String sentence =
        refused != null
            ? refused.refusal()
            : "These bytes are not those of a "
                + type
                + " written by codec 'fory': "
                + kind(e)
                + Undecodable.DAMAGED;
    return new UndecodableValueException(
        refused == null && foreign != null ? sentence + ". " + foreign : sentence,
        null,
        refused != null ? refused.className() : null,
        root(e));
  }

  private static @Nullable RefusedClassException refused(Throwable e, ForyRuntime runtime) {
    InsecureException forbidden = find(InsecureException.class, e);
    Matcher name = FORBIDDEN.matcher(forbidden == null ? "" : forbidden.getMessage());
    return name.find()
        ? new RefusedClassException(name.group(1), runtime.refusal(name.group(1)), e)
        : find(RefusedClassException.class, e);
  }

  /** Fory wraps every exception, also errors of the virtual machine such as out of memory. */
  private static void rethrowIfFatal(Throwable e) {
    VirtualMachineError error = find(VirtualMachineError.class, e);
    if (error != null && !(error instanceof StackOverflowError) && !isAbsurdLength(error)) {
      throw error;
    }
  }

  /** Damaged bytes asked for an array above the VM's limit; the heap is not full. */
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

  /** Not the message of the exception: an application's constructor may show the value in it. */
  private static String kind(Throwable e) {
    InsecureException forbidden = find(InsecureException.class, e); // which names a class
    return forbidden != null ? forbidden.toString() : root(e).getClass().getName();
  }

  /** Fory generates code that does not compile for some package-private fields. */
  private static String hint(Throwable e) {
    return kind(e).endsWith(".CompileException")
        ? " If a public class in it has a field that is not private, of a type that is not public,"
            + " make the field private or the type public; else register a codec."
        : Refusals.INSTEAD;
  }

  /** Returns the first cause. Fory's wrappers keep, and print, all objects read until then. */
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

  @Override
  public boolean immutable(T value) {
    return immutable || IMMUTABLE.get(value.getClass());
  }
}
