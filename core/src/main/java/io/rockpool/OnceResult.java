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
    return new ResultCodec(codecs);
  }

  private static final class ResultCodec implements Codec<OnceResult> {
    private static final byte NULL = 0;

    private final Codecs codecs;

    /** Made at the first use: it takes long, and each store has a codec of results. */
    private volatile @Nullable Codec<Object> any;

    private ResultCodec(Codecs codecs) {
      this.codecs = codecs;
    }

    private Codec<Object> any() {
      Codec<Object> made = any;
      if (made == null) {
        made = codecs.valueCodec(TypeRef.of(Object.class));
        any = made; // another thread's is as good
      }
      return made;
    }

    @Override
    public String id() {
      return "once";
    }

    @Override
    public byte[] encode(OnceResult result) {
      Object value = result.value();
      return value == null ? new byte[] {NULL} : any().encode(value);
    }

    @Override
    public OnceResult decode(byte[] bytes, int offset, int length) {
      return new OnceResult(
          length == 1 && bytes[offset] == NULL ? null : any().decode(bytes, offset, length));
    }

    @Override
    public boolean immutable() {
      return false;
    }
  }
}
