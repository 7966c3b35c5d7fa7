package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Code of the application's that fails, while it reads, for want of a class: not an error. */
class MissingClassTest {
  private static Supplier<? extends Error> missing = () -> null;

  private static void need() {
    Error error = missing.get();
    if (error != null) {
      throw error;
    }
  }

  record Ordered(String name, int number) implements Serializable {
    Ordered {
      need();
    }
  }

  record Canonical(String name, List<String> parts) implements Serializable {
    Canonical {
      need();
    }
  }

  static final class Plain implements Serializable {
    private static final long serialVersionUID = 1L;
    int number = 7;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      need();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Plain that && number == that.number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  @AfterEach
  void nothingIsMissing() {
    missing = () -> null;
  }

  static Stream<Arguments> codecs() {
    Codecs fory = Codecs.builder().allowPackage("io.rockpool.codec").build();
    Codecs java =
        Codecs.builder()
            .allowPackage("io.rockpool.codec")
            .fallback(Fallback.JAVA_SERIALIZATION)
            .build();
    TypeRef<Object> any = TypeRef.of(Object.class);
    Object ordered = new Ordered("a", 1);
    Object canonical = new Canonical("a", List.of("b"));
    return Stream.of(
        Arguments.of(fory.orderedFor(TypeRef.of(Ordered.class)), ordered),
        Arguments.of(fory.keyCodec(TypeRef.of(Ordered.class)), ordered),
        Arguments.of(fory.keyCodec(any), ordered),
        Arguments.of(fory.keyCodec(any), canonical),
        Arguments.of(fory.cacheKeyCodec(any), new Plain()),
        Arguments.of(fory.valueCodec(any), ordered),
        Arguments.of(fory.valueCodec(any), new Plain()),
        Arguments.of(java.valueCodec(any), ordered),
        Arguments.of(java.valueCodec(any), new Plain()));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void aClassThatIsMissingIsNamed(Codec<Object> codec, Object value) {
    byte[] bytes = codec.encode(value);
    missing = () -> new NoClassDefFoundError("app/Gone");
    assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("app/Gone");
    for (Supplier<? extends Error> error :
        List.<Supplier<? extends Error>>of(
            AssertionError::new, StackOverflowError::new, () -> new LinkageError("app.Broken"))) {
      missing = error;
      assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class);
    }
    missing = () -> null;
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(value);
  }

  enum Broken {
    ONE;

    static {
      need();
    }
  }

  @Test
  void anEnumThatCannotBeInitializedIsNamed() {
    byte[] value = {0x0E, 'O', 'N', 'E'};
    Codec<Broken> codec = Codecs.defaults().valueCodec(TypeRef.of(Broken.class));
    missing = () -> new NoClassDefFoundError("app/Gone");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> codec.decode(value, 0, value.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("MissingClassTest$Broken");
    }
  }
}
