package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A codec that one can see: what it has encoded comes back in capitals. */
public final class UpperCodec implements Codec<String> {
  @Override
  public String id() {
    return "upper";
  }

  @Override
  public byte[] encode(String value) {
    return value.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  @Override
  public boolean immutable() {
    return false;
  }
}
