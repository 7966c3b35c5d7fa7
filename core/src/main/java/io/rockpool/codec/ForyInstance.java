package io.rockpool.codec;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.apache.fory.Fory;
import org.apache.fory.collection.ObjectArray;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * A Fory that writes and one that reads, and what they have to be watched for: the classes that a
 * value is written with, and the descriptions of classes that one is read by. Serves one thread at
 * a time.
 *
 * <p>There are two because a Fory that has read a class describes it otherwise when it writes it:
 * the bytes of a value must not depend on what was read before.
 */
final class ForyInstance {
  /** Neither cross-language nor out-of-band. */
  private static final byte HEADER = 0;

  private static final Object DOUBT = new Object();

  private final Supplier<Fory> writers;
  private final Supplier<Fory> readers;
  private final ClassProofs proofs;
  private final Learning learning;
  private @Nullable Fory writer;
  private @Nullable Fory reader;
  private final List<Class<?>> unproven = new ArrayList<>();
  private final IdentityHashMap<TypeInfo, Boolean> compared = new IdentityHashMap<>();
  private boolean doubtful;

  /** Both are made when they are needed first. */
  ForyInstance(
      Supplier<Fory> writers, Supplier<Fory> readers, ClassProofs proofs, Learning learning) {
    this.writers = writers;
    this.readers = readers;
    this.learning = learning;
    this.proofs = proofs;
  }

  /** Returns free bytes and then those of a value. */
  byte[] write(Object value, int headroom) {
    unproven.clear();
    Fory fory = writer;
    if (fory == null) {
      fory = writers.get();
      writer = fory;
    }
    MemoryBuffer buffer = fory.getBuffer();
    buffer.writerIndex(headroom);
    WriteContext out = fory.getWriteContext();
    out.prepare(buffer, null);
    learning.begin();
    try {
      buffer.writeByte(HEADER);
      out.writeRootRef(value);
      out.getMetaWriteContext().classMap.forEach(this::note);
      doubtful = out.hasContextObject(DOUBT);
    } finally {
      learning.end();
      out.reset();
    }
    learning.learn();
    byte[] bytes = buffer.getBytes(0, buffer.writerIndex());
    fory.resetBuffer();
    return bytes;
  }

  private void note(Class<?> type, Integer number) {
    if (!proofs.isProven(type)) {
      unproven.add(type);
    }
  }

  /** Notes, as a value is written, that it must be read to know whether it comes back. */
  static void doubt(WriteContext context) {
    context.putContextObject(DOUBT, DOUBT);
  }

  /** Returns whether {@link #doubt} was called as the last value was written. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Returns the classes of the value written last that are not known to come back. */
  List<Class<?>> unproven() {
    return unproven;
  }

  /** Returns the value whose bytes begin here. */
  Object read(MemoryBuffer in) {
    if (in.readByte() != HEADER) {
      throw Undecodable.damaged(ForyCodec.ID, "they do not begin with " + HEADER, null);
    }
    Fory fory = reader;
    if (fory == null) {
      fory = readers.get();
      reader = fory;
    }
    ReadContext context = fory.getReadContext();
    context.prepare(in, null, false);
    try {
      Object value = context.readRootRef();
      compareClasses(context.getMetaReadContext().readTypeInfos);
      return value;
    } finally {
      context.reset();
    }
  }

  private void compareClasses(ObjectArray<TypeInfo> infos) {
    for (int i = 0; i < infos.size; i++) {
      TypeInfo info = infos.get(i);
      if (!compared.containsKey(info)) {
        MovedFields.refuse(info);
        compared.put(info, true);
      }
    }
  }
}
