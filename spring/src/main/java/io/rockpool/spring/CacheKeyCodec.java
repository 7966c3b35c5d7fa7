package io.rockpool.spring;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;

/**
 * Keys as Spring makes them: whatever a method's parameter is, or a {@code SimpleKey} of several.
 * Equal keys give equal bytes, in every process, and unequal ones others; what cannot promise that
 * is refused. See {@code docs/format-codecs.md}.
 */
final class CacheKeyCodec implements Codec<Object> {
  static final String ID = "spring-key";

  private final KeyClasses classes;

  /**
   * @param codecs whose registered codecs write the application's own classes
   */
  CacheKeyCodec(Codecs codecs) {
    this.classes = new KeyClasses(codecs);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public byte[] encode(Object value) {
    KeyWriter writer = new KeyWriter(classes);
    writer.element(value);
    return writer.toBytes();
  }

  @Override
  public Object decode(byte[] bytes, int offset, int length) {
    return new KeyReader(classes, bytes, offset, length).whole();
  }

  /** Arrays among the keys can be changed. */
  @Override
  public boolean immutable() {
    return false;
  }
}
