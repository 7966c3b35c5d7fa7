package io.rockpool.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.fory.Fory;
import org.apache.fory.collection.IdentityObjectIntMap;
import org.apache.fory.collection.ObjectArray;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.TypeInfo;
import org.apache.fory.serializer.UnknownClass;
import org.jspecify.annotations.Nullable;

/**
 * One Fory that writes and one that reads, for one thread at a time. This class also collects the
 * classes of the written value, and writes and checks the descriptions of classes.
 *
 * <p>There are two because a Fory that has read a class writes another description of it. The bytes
 * of a value must not depend on earlier reads.
 */
final class ForyInstance {
  private static final Object REPLACED = new Object();
  private static final Object NOT_REPLACING = new Object();
  private static final Object FOREIGN = new Object();

  private final Supplier<Fory> writers;
  private final Supplier<Fory> readers;
  private final ClassProofs proofs;
  private final Learning learning;
  private final AllowedClasses allowed;
  private final Function<ClassResolver, FieldTypes> fieldTypes;
  private @Nullable Side writer;
  private @Nullable Side reader;
  private final List<Class<?>> unproven = new ArrayList<>();
  private byte[][] described = new byte[8][];
  private boolean replaced;
  private boolean foreign;

  /** Both are created on first use. */
  ForyInstance(
      Supplier<Fory> writers,
      Supplier<Fory> readers,
      ClassProofs proofs,
      Learning learning,
      AllowedClasses allowed,
      Function<ClassResolver, FieldTypes> fieldTypes) {
    this.writers = writers;
    this.readers = readers;
    this.learning = learning;
    this.proofs = proofs;
    this.allowed = allowed;
    this.fieldTypes = fieldTypes;
  }

  private record Side(Fory fory, ClassDescriptions descriptions) {}

  private Side side(Supplier<Fory> source) {
    Fory fory = source.get();
    fory.getTypeResolver().finishRegistration();
    ClassResolver resolver = (ClassResolver) fory.getTypeResolver();
    return new Side(
        fory, new ClassDescriptions(resolver, allowed, learning, fieldTypes.apply(resolver)));
  }

  /** Returns {@code headroom} free bytes, and then the bytes of a value. */
  byte[] write(Object value, int headroom) {
    return write(value, headroom, true);
  }

  /**
   * As {@link #write(Object, int)}.
   *
   * @param replacing whether objects are written as what their {@code writeReplace} returns
   */
  byte[] write(Object value, int headroom, boolean replacing) {
    unproven.clear();
    Side side = writer;
    if (side == null) {
      side = side(writers);
      writer = side;
    }
    Fory fory = side.fory();
    ClassDescriptions descriptions = side.descriptions();
    MemoryBuffer buffer = fory.getBuffer();
    buffer.writerIndex(0);
    WriteContext out = fory.getWriteContext();
    out.prepare(buffer, null);
    if (!replacing) {
      out.putContextObject(NOT_REPLACING, NOT_REPLACING);
    }
    learning.begin();
    int classes;
    try {
      out.writeRootRef(value);
      IdentityObjectIntMap<Class<?>> numbers = out.getMetaWriteContext().classMap;
      classes = numbers.size;
      if (classes > described.length) {
        described = new byte[2 * classes][];
      }
      numbers.forEach((type, number) -> note(type, number, descriptions.of(type, buffer)));
      replaced = out.hasContextObject(REPLACED);
    } finally {
      learning.end();
      out.reset();
    }
    learning.learn();
    byte[] bytes = withDescriptions(classes, buffer, headroom);
    fory.resetBuffer();
    return bytes;
  }

  private void note(Class<?> type, int number, byte[] description) {
    described[number] = description;
    learning.meetAgain(type);
    if (!proofs.isProven(type)) {
      unproven.add(type);
    }
  }

  /** Puts the descriptions in front, in the order of the classes in the value, and then 0. */
  private byte[] withDescriptions(int classes, MemoryBuffer value, int headroom) {
    int at = headroom + 1;
    for (int i = 0; i < classes; i++) {
      at += described[i].length;
    }
    int size = value.writerIndex();
    byte[] bytes = new byte[at + size];
    value.get(0, bytes, at, size);
    at = headroom;
    for (int i = 0; i < classes; i++) {
      byte[] description = described[i];
      System.arraycopy(description, 0, bytes, at, description.length);
      at += description.length;
    }
    return bytes;
  }

  /**
   * Notes that the value has an object with a {@code writeReplace}, and returns whether to call it.
   */
  static boolean noteReplaced(WriteContext context) {
    context.putContextObject(REPLACED, REPLACED);
    return !context.hasContextObject(NOT_REPLACING);
  }

  /** Returns whether the value written last has an object with a {@code writeReplace}. */
  boolean hasReplaced() {
    return replaced;
  }

  /** Returns the classes of the last written value that no decoded value has proven. */
  List<Class<?>> unproven() {
    return unproven;
  }

  /** Returns the value whose bytes begin here. */
  Object read(MemoryBuffer in) {
    Side side = reader;
    if (side == null) {
      side = side(readers);
      reader = side;
    }
    ReadContext context = side.fory().getReadContext();
    context.prepare(in, null, false);
    try {
      side.descriptions().requireFitting(in);
      Object value = context.readRootRef();
      learning.sizes.requireAll();
      foreign =
          context.hasContextObject(FOREIGN)
              || namesForeignClass(context.getMetaReadContext().readTypeInfos);
      return value;
    } finally {
      learning.sizes.clear();
      learning.end();
      context.reset();
    }
  }

  /** Notes, during a read, that the value may still refer to an object that was skipped. */
  static void noteForeign(ReadContext context) {
    context.putContextObject(FOREIGN, FOREIGN);
  }

  private static boolean namesForeignClass(ObjectArray<TypeInfo> classes) {
    for (int i = 0; i < classes.size; i++) {
      if (UnknownClass.isUnknowClass(classes.get(i).getType())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the last read value has an object of a class that is unknown here. */
  boolean isForeign() {
    return foreign;
  }
}
