package io.rockpool.codec;

import io.rockpool.error.ShownKey;
import io.rockpool.error.UnencodableValueException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Function;

/** A value that has a text form from which it can be made again. */
final class TextCodec<T> implements HeadroomCodec<T> {
  private final String id;
  private final Function<T, String> toText;
  private final Function<String, T> fromText;
  private final boolean equalAsText;

  private TextCodec(
      String id, Function<T, String> toText, Function<String, T> fromText, boolean equalAsText) {
    this.id = id;
    this.toText = toText;
    this.fromText = fromText;
    this.equalAsText = equalAsText;
  }

  /** URIs; two that differ in the case of scheme or host are equal but have other bytes. */
  static TextCodec<URI> uri() {
    return new TextCodec<>("text:uri", URI::toString, URI::create, false);
  }

  /** Locales that a BCP 47 tag can express. */
  static TextCodec<Locale> locale() {
    return new TextCodec<>("text:locale", Locale::toLanguageTag, Locale::forLanguageTag, true);
  }

  /** Time zones and offsets. */
  static TextCodec<ZoneId> zone() {
    return new TextCodec<>("text:zone", ZoneId::getId, ZoneId::of, true);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    String text = toText.apply(value);
    if (!fromText.apply(text).equals(value)) {
      throw new UnencodableValueException(
          "Codec '"
              + id
              + "' cannot write this "
              + value.getClass().getName()
              + ": its text, "
              + shown(text)
              + ", is read as something else.",
          null);
    }
    return StringCodec.INSTANCE.encode(text, headroom);
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    String text = StringCodec.INSTANCE.decode(bytes, offset, length);
    try {
      return fromText.apply(text);
    } catch (RuntimeException e) {
      // Without the cause, which shows all of the text.
      throw Undecodable.damaged(id, shown(text), null);
    }
  }

  private static String shown(String text) {
    return "'" + ShownKey.of(text.getBytes(StandardCharsets.UTF_8)) + "'";
  }

  @Override
  public boolean immutable() {
    return equalAsText;
  }
}
