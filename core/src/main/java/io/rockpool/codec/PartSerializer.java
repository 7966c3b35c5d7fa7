package io.rockpool.codec;

import java.util.function.Function;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;

/** Writes a JDK object as one other object, such as an array, from which it is made again. */
final class PartSerializer<T> extends Serializer<T> {
  private final Function<T, Object> part;
  private final Function<Object, T> whole;

  @SuppressWarnings("unchecked")
  PartSerializer(
      Config config, Class<?> type, Function<T, Object> part, Function<Object, T> whole) {
    super(config, (Class<T>) type);
    this.part = part;
    this.whole = whole;
  }

  @Override
  public void write(WriteContext context, T value) {
    context.writeRef(part.apply(value));
  }

  @Override
  public T read(ReadContext context) {
    return whole.apply(context.readRef());
  }
}
