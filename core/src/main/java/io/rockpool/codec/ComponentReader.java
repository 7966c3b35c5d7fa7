package io.rockpool.codec;

/** Takes apart what {@link ComponentWriter} put together. */
final class ComponentReader {
  private final String id;
  private final byte[] bytes;
  private final int end;
  private int at;

  ComponentReader(String id, byte[] bytes, int offset, int length) {
    this.id = id;
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  <C> C fixed(OrderedCodec<C> codec, int width) {
    if (end - at < width) {
      throw Undecodable.damaged(id, "cut off within a component", null);
    }
    C value = codec.decode(bytes, at, width);
    at += width;
    return value;
  }

  <C> C last(OrderedCodec<C> codec) {
    C value = codec.decode(bytes, at, end - at);
    at = end;
    return value;
  }

  <C> C ended(OrderedCodec<C> codec) {
    int start = at;
    int zeros = 0;
    for (; at + 1 < end; at++) {
      if (bytes[at] == 0) {
        if (bytes[at + 1] == 0) {
          int length = at - start;
          at += 2;
          return zeros == 0
              ? codec.decode(bytes, start, length)
              : unescaped(codec, start, length, zeros);
        }
        if (bytes[at + 1] != ComponentWriter.ESCAPED) {
          break;
        }
        zeros++;
        at++;
      }
    }
    throw Undecodable.damaged(id, "a component has no end", null);
  }

  private <C> C unescaped(OrderedCodec<C> codec, int start, int length, int zeros) {
    byte[] component = new byte[length - zeros];
    int from = start;
    for (int i = 0; i < component.length; i++) {
      component[i] = bytes[from++];
      if (component[i] == 0) {
        from++;
      }
    }
    return codec.decode(component, 0, component.length);
  }

  void requireEnd() {
    if (at != end) {
      throw Undecodable.damaged(id, (end - at) + " bytes too many", null);
    }
  }
}
