package io.rockpool.codec;

import java.nio.charset.StandardCharsets;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.serializer.Serializer;

/**
 * Writes a {@code Class} as its name. Only classes whose instances may be in the value are written,
 * and found by name; none is initialized.
 */
@SuppressWarnings("rawtypes") // as in Fory
final class ClassSerializer extends Serializer<Class> {
  private final AllowedClasses allowed;
  private final AllowedClassLoader loader;
  private final Learning learning;

  ClassSerializer(
      Config config, AllowedClasses allowed, AllowedClassLoader loader, Learning learning) {
    super(config, Class.class, true);
    this.allowed = allowed;
    this.loader = loader;
    this.learning = learning;
  }

  @Override
  public void write(WriteContext context, Class value) {
    String namelessness = allowed.namelessness(value);
    if (namelessness != null || !(learning.meet(value) || allowed.allows(value))) {
      throw new RefusedClassException(
          Class.class, namelessness != null ? namelessness : allowed.refusalOfClass(value));
    }
    byte[] name = value.getName().getBytes(StandardCharsets.UTF_8);
    context.getBuffer().writeVarUInt32(name.length);
    context.getBuffer().writeBytes(name);
  }

  @Override
  public Class read(ReadContext context) {
    MemoryBuffer in = context.getBuffer();
    int length = CodecSerializer.requireThatMany(in, in.readVarUInt32());
    String name = new String(in.readBytes(length), StandardCharsets.UTF_8);
    Class<?> primitive = TypeNames.primitive(name);
    if (primitive != null) {
      return primitive;
    }
    try {
      Class<?> found = Class.forName(name, false, loader);
      if (!allowed.allows(found)) { // Only a field is declared as it.
        throw new RefusedClassException(Class.class, allowed.refusalOfClass(found));
      }
      return found;
    } catch (ClassNotFoundException e) {
      throw Undecodable.damaged(ValueTag.FORY_ID, "it has no name of a class", e);
    }
  }
}
