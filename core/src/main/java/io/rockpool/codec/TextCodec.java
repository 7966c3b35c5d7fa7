package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.logging.ShownKey;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A value that has a text form from which it can be made again. */
final class TextCodec<T> implements HeadroomCodec<T> {
  private final String id;
  private final Function<T, String> toText;
  private final Function<String, T> fromText;
  private final boolean equalAsText;
  private final BiPredicate<T, T> equality;

  private TextCodec(
      String id, Function<T, String> toText, Function<String, T> fromText, boolean equalAsText) {
    this(id, toText, fromText, equalAsText, Object::equals);
  }

  private TextCodec(
      String id,
      Function<T, String> toText,
      Function<String, T> fromText,
      boolean equalAsText,
      BiPredicate<T, T> equality) {
    this.id = id;
    this.toText = toText;
    this.fromText = fromText;
    this.equalAsText = equalAsText;
    this.equality = equality;
  }

  /** URIs; two that differ in the case of scheme or host are equal but have other bytes. */
  static TextCodec<URI> uri() {
    return new TextCodec<>("text:uri", URI::toString, URI::create, false);
  }

  /**
   * Locales as BCP 47 tags; one that no tag expresses as language, country and variant with {@code
   * _} between them, which occurs in no tag.
   */
  static TextCodec<Locale> locale() {
    return new TextCodec<>("text:locale", TextCodec::localeText, TextCodec::localeOf, true);
  }

  private static String localeText(Locale locale) {
    String tag = locale.toLanguageTag();
    return Locale.forLanguageTag(tag).equals(locale)
        ? tag
        : locale.getLanguage() + '_' + locale.getCountry() + '_' + locale.getVariant();
  }

  @SuppressWarnings("deprecation") // The constructor alone makes what no tag expresses.
  private static Locale localeOf(String text) {
    if (text.indexOf('_') < 0) {
      return Locale.forLanguageTag(text);
    }
    String[] parts = text.split("_", 3);
    return new Locale(parts[0], parts[1], parts[2]);
  }

  /** Time zones and offsets. */
  static TextCodec<ZoneId> zone() {
    return new TextCodec<>("text:zone", ZoneId::getId, ZoneId::of, true);
  }

  /** Currencies as their ISO 4217 codes. */
  static TextCodec<Currency> currency() {
    return new TextCodec<>("text:currency", Currency::getCurrencyCode, Currency::getInstance, true);
  }

  /** Another type whose text is all that makes two values equal. */
  static <T> TextCodec<T> of(String id, Function<T, String> toText, Function<String, T> fromText) {
    return new TextCodec<>(id, toText, fromText, true);
  }

  /** Regular expressions: their flags as a number, {@code :}, the expression. */
  static TextCodec<Pattern> pattern() {
    return new TextCodec<>(
        "text:pattern",
        pattern -> pattern.flags() + ":" + pattern.pattern(),
        TextCodec::patternOf,
        false,
        (a, b) -> a.flags() == b.flags() && a.pattern().equals(b.pattern()));
  }

  @SuppressWarnings("MagicConstant") // What wrote the number took it from a pattern.
  private static Pattern patternOf(String text) {
    int colon = text.indexOf(':');
    return Pattern.compile(text.substring(colon + 1), Integer.parseInt(text.substring(0, colon)));
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public byte[] encode(T value, int headroom) {
    String text = toText.apply(value);
    if (!isReadBack(text, value)) {
      throw new UnencodableValueException(
          "Codec '"
              + id
              + "' cannot write this "
              + value.getClass().getName()
              + ": its text, "
              + shown(text)
              + ", is read as something else."
              + Refusals.INSTEAD,
          null);
    }
    return StringCodec.INSTANCE.encode(text, headroom);
  }

  private boolean isReadBack(String text, T value) {
    try {
      return equality.test(fromText.apply(text), value);
    } catch (RuntimeException e) {
      return false;
    }
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
