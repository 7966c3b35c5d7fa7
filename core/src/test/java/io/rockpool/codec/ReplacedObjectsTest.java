package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that have another object written in their place, which may know less than they do. */
@SuppressWarnings("serial") // fields as applications declare them
final class ReplacedObjectsTest {
  static final AtomicInteger RESOLVED = new AtomicInteger();

  /** As the nodes of a JSON tree: text keeps a number, and not its class. */
  static class Node implements Serializable {
    private final Object content;

    Node(Object content) {
      this.content = content;
    }

    Object writeReplace() {
      return new Text(content instanceof List<?> ? null : content.toString(), content);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Node that && content.equals(that.content);
    }

    @Override
    public int hashCode() {
      return content.hashCode();
    }
  }

  static class Text implements Serializable {
    private final String text;
    private final Object content;

    Text(String text, Object content) {
      this.text = text;
      this.content = text == null ? content : null;
    }

    Object readResolve() {
      RESOLVED.incrementAndGet();
      return new Node(text == null ? content : Long.valueOf(text));
    }
  }

  /** Neither what it has written nor its fields bring it back. */
  static class Lost implements Serializable {
    private transient String name = "a";

    Object writeReplace() {
      return new Lost();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Lost that && Objects.equals(name, that.name);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(name);
    }
  }

  record Holder(Object first, Object second) implements Serializable {}

  private static final Codecs CODECS = Codecs.builder().allowPackage("io.rockpool.codec").build();

  private static Object comeBack(Codec<Object> codec, Object value) {
    byte[] bytes = codec.encode(value);
    return codec.decode(bytes, 0, bytes.length);
  }

  @Test
  void anObjectIsWrittenByItsFieldsIfItsReplacementLosesState() {
    Codec<Object> codec = CODECS.valueCodec(TypeRef.of(Object.class));
    Node exact = new Node(new BigDecimal("1.50"));
    Node tree = new Node(new ArrayList<>(List.of(new Node(new BigInteger("7")), exact, exact)));
    for (Object value : List.of(new Node(5L), exact, tree, new Holder(tree, exact))) {
      assertThat(comeBack(codec, value)).isEqualTo(value);
    }
    Node read = (Node) comeBack(codec, tree);
    assertThat(((List<?>) read.content).get(1)).isSameAs(((List<?>) read.content).get(2));
  }

  @Test
  void aReplacementThatKeepsAllIsWritten() {
    Codec<Object> codec = CODECS.valueCodec(TypeRef.of(Object.class));
    byte[] bytes = codec.encode(new Node(5L));
    int before = RESOLVED.get();
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(new Node(5L));
    assertThat(RESOLVED).hasValue(before + 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatNeitherBringsBackIsRefused(boolean nested) {
    Codec<Object> codec = CODECS.valueCodec(TypeRef.of(Object.class));
    Lost lost = new Lost();
    lost.name = "b";
    assertThatThrownBy(() -> codec.encode(nested ? new Holder(lost, new Node("1")) : lost))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("read back as another");
  }

  /** A number that is not allowed unless it is listed. */
  static final class Fraction extends Number {
    private final int part;

    Fraction(int part) {
      this.part = part;
    }

    @Override
    public int intValue() {
      return part;
    }

    @Override
    public long longValue() {
      return part;
    }

    @Override
    public float floatValue() {
      return part;
    }

    @Override
    public double doubleValue() {
      return part;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Fraction that && part == that.part;
    }

    @Override
    public int hashCode() {
      return part;
    }

    @Override
    public String toString() {
      return String.valueOf(part);
    }
  }

  @Test
  void theRefusalSaysWhatToAllowSoThatTheFieldsCanBeWritten() {
    Codecs.Builder builder = Codecs.builder().strict().allow(Node.class, Text.class);
    Node node = new Node(new Fraction(3));
    assertThatThrownBy(() -> builder.build().valueCodec(TypeRef.of(Object.class)).encode(node))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("allow(")
        .hasMessageContaining("It is at value.content, an instance of " + Fraction.class.getName());
    builder.allow(Fraction.class);
    assertThat(comeBack(builder.build().valueCodec(TypeRef.of(Object.class)), node))
        .isEqualTo(node);
  }

  @Test
  void theJdksSerializationKeepsToTheReplacement() {
    Codec<Object> codec =
        Codecs.builder()
            .allowPackage("io.rockpool.codec")
            .fallback(Fallback.JAVA_SERIALIZATION)
            .build()
            .valueCodec(TypeRef.of(Object.class));
    assertThat(comeBack(codec, new Node(5L))).isEqualTo(new Node(5L));
    assertThatThrownBy(() -> codec.encode(new Node(BigInteger.ONE)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("Register a codec");
  }
}
