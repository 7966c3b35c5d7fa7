package io.rockpool;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * The stored result of a function that has run.
 *
 * @param value what the function returned
 */
record OnceResult(@Nullable Object value) {

  /**
   * The codec of results: of any class that the store's codecs allow or learn, and null, which is
   * one byte that no other value begins with.
   */
  static Codec<OnceResult> codec(Codecs codecs) {
    return new ResultCodec(codecs.valueCodec(TypeRef.of(Object.class)));
  }

  private record ResultCodec(Codec<Object> any) implements Codec<OnceResult> {
    private static final byte NULL = 0;

    @Override
    public String id() {
      return "once";
    }

    @Override
    public byte[] encode(OnceResult result) {
      Object value = result.value();
      return value == null ? new byte[] {NULL} : any.encode(value);
    }

    @Override
    public OnceResult decode(byte[] bytes, int offset, int length) {
      return new OnceResult(
          length == 1 && bytes[offset] == NULL ? null : any.decode(bytes, offset, length));
    }

    @Override
    public boolean immutable() {
      return false;
    }
  }
}
