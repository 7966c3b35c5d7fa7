package io.rockpool.spring;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UnencodableValueException;
import org.springframework.cache.support.NullValue;

/**
 * Values as Spring caches them: of any class that the codecs allow or learn, and null, which is one
 * byte that no other value begins with.
 */
final class CacheValueCodec implements Codec<Object> {
  private static final byte NULL = 0;

  private final Codec<Object> any;

  CacheValueCodec(Codecs codecs) {
    this.any = codecs.valueCodec(TypeRef.of(Object.class));
  }

  @Override
  public String id() {
    return "spring";
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof NullValue) {
      return new byte[] {NULL};
    }
    try {
      return any.encode(value);
    } catch (UnencodableValueException e) {
      String message = String.valueOf(e.getMessage());
      throw message.contains("allow-list")
          ? new UnencodableValueException(
              message + " With Spring Boot, allow it with the property rockpool.allow.", e)
          : e;
    }
  }

  @Override
  public Object decode(byte[] bytes, int offset, int length) {
    return length == 1 && bytes[offset] == NULL
        ? NullValue.INSTANCE
        : any.decode(bytes, offset, length);
  }

  @Override
  public boolean immutable() {
    return false;
  }

  @Override
  public boolean immutable(Object value) {
    return value instanceof NullValue || any.immutable(value);
  }
}
