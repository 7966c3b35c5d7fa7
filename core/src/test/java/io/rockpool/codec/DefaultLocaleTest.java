package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values have the same bytes in every locale, and a codec survives a change of the default one. */
final class DefaultLocaleTest {
  private final Locale before = Locale.getDefault();

  @AfterEach
  void setBack() {
    Locale.setDefault(before);
  }

  private static final class Plain {
    private final long number;
    private String text;
    private List<Plain> parts = List.of();

    Plain(long number, String text) {
      this.number = number;
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Plain that
          && number == that.number
          && text.equals(that.text)
          && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  private static class Written implements Serializable {
    private static final long serialVersionUID = 7_000_000_000L;
    private final int index;
    private final String inside;

    Written(int index, String inside) {
      this.index = index;
      this.inside = inside;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(index + 1);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      assertThat(in.readInt()).isEqualTo(index + 1);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Written that && index == that.index && inside.equals(that.inside);
    }

    @Override
    public int hashCode() {
      return index;
    }
  }

  /** A class of a value that is met after the locale has changed. */
  private record Met(Written written, double ratio) {}

  private static Object value(int number) {
    Plain plain = new Plain(number, "İıIi ٣");
    plain.parts = List.of(new Plain(-1, "part"));
    return number % 2 == 0 ? List.of(plain) : List.of(plain, new Met(new Written(3, "in"), -0.5));
  }

  private static Codec<Object> codec() {
    return Codecs.builder()
        .allow(Plain.class, Written.class, Met.class)
        .build()
        .codecFor(TypeRef.of(Object.class));
  }

  private static Object decode(Codec<Object> codec, byte[] bytes) {
    return codec.decode(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "tr-TR", "fa-IR", "th-TH-u-nu-thai", "hi-IN-u-nu-deva", "de-DE"})
  void valuesAreTheSameInEveryLocale(String tag) {
    Locale.setDefault(Locale.US);
    Codec<Object> codec = codec();
    byte[] first = codec.encode(value(2));
    Locale.setDefault(Locale.forLanguageTag(tag));
    Codec<Object> other = codec();
    for (int number : new int[] {2, 3}) {
      assertThat(codec.encode(value(number))).isEqualTo(other.encode(value(number)));
      assertThat(decode(codec, other.encode(value(number)))).isEqualTo(value(number));
      assertThat(decode(other, codec.encode(value(number)))).isEqualTo(value(number));
    }
    assertThat(other.encode(value(2))).isEqualTo(first);
    byte[] foreign = other.encode(value(3));
    Locale.setDefault(Locale.US);
    assertThat(decode(codec, foreign)).isEqualTo(value(3));
    assertThat(decode(codec(), foreign)).isEqualTo(value(3));
    assertThat(codec().encode(value(3))).isEqualTo(foreign);
  }

  /** As the map in an object of JSON: another map comes back in its place. */
  private static final class Replaced extends AbstractMap<String, Integer> implements Serializable {
    private static final long serialVersionUID = 1;
    private final Map<String, Integer> all = new LinkedHashMap<>();

    @Override
    public Integer put(String key, Integer value) {
      return all.put(key, value);
    }

    @Override
    public Set<Map.Entry<String, Integer>> entrySet() {
      return all.entrySet();
    }

    private Object writeReplace() {
      return new LinkedHashMap<>(this);
    }
  }

  private static final class Holder {
    private final @Nullable Replaced map;

    Holder(@Nullable Replaced map) {
      this.map = map;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Holder that && Objects.equals(map, that.map);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(map);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"en-US", "ar-EG"})
  void aFieldNeverHoldsAnObjectOfAnotherType(String tag) {
    Locale.setDefault(Locale.forLanguageTag(tag));
    Codec<Object> codec =
        Codecs.builder()
            .allow(Replaced.class, Holder.class)
            .build()
            .codecFor(TypeRef.of(Object.class));
    assertThat(decode(codec, codec.encode(new Holder(null)))).isEqualTo(new Holder(null));
    Replaced map = new Replaced();
    map.put("a", 1);
    assertThatThrownBy(() -> codec.encode(List.of(new Holder(map))))
        .isInstanceOf(UnencodableValueException.class)
        // Where the JVM itself refuses the object, it names no field.
        .message()
        .containsAnyOf(
            "value[0].map would hold an instance of java.util.LinkedHashMap, not",
            "java.lang.ClassCastException. It is at value[0], an instance of "
                + Holder.class.getName());
  }
}
