package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fields that the JDK's serialization leaves out: they come back, or the value is refused. */
@SuppressWarnings("serial") // fields as applications declare them
class LostStateTest {
  /** Not serializable, so that the JDK leaves it to the constructor. */
  static class Plain {
    int size;
    String label;
  }

  static class Sized extends Plain implements Serializable {
    private static final long serialVersionUID = 1L;
    int own = 4;

    @Override
    public boolean equals(Object other) {
      return other instanceof Sized that && own == that.own;
    }

    @Override
    public int hashCode() {
      return own;
    }
  }

  static final class Written extends Sized {
    private static final long serialVersionUID = 1L;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  static final class Holder implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Object held;

    Holder(Object held) {
      this.held = held;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theStateOfAParentThatIsNotSerializableIsKeptOrRefused(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    for (Sized sized : List.of(new Sized(), new Written())) {
      assertThat(roundTrip(codec, sized)).isEqualTo(sized);
      sized.size = 5;
      assertSizeIsKeptOrRefused(codec, sized, back -> ((Sized) back).size, "value.size");
      List<Object> list = new ArrayList<>(List.of(sized));
      assertSizeIsKeptOrRefused(
          codec, list, back -> ((Sized) ((List<?>) back).get(0)).size, "value[0].size");
      assertSizeIsKeptOrRefused(
          codec, new Holder(sized), back -> ((Sized) ((Holder) back).held).size, "value.held.size");
      sized.size = 0;
      sized.label = "x";
      assertSizeIsKeptOrRefused(
          codec, sized, back -> "x".equals(((Sized) back).label) ? 5 : 0, "value.label");
    }
  }

  private static void assertSizeIsKeptOrRefused(
      Codec<Object> codec, Object value, ToIntFunction<Object> size, String path) {
    Object back;
    try {
      back = roundTrip(codec, value);
    } catch (UnencodableValueException e) {
      assertThat(e).hasMessageContaining(path);
      return;
    }
    assertThat(size.applyAsInt(back)).isEqualTo(5);
  }

  private static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .fallback(fallback)
        .allowPackage("io.rockpool.codec")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  private static Object roundTrip(Codec<Object> codec, Object value) {
    byte[] bytes = codec.encode(value);
    return codec.decode(bytes, 0, bytes.length);
  }

  /** As Spring's headers do: a map of an anonymous class that refers to its owner. */
  static final class Owner implements Serializable {
    private static final long serialVersionUID = 1L;
    final int limit = 2;
    final Map<String, String> latest =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > limit;
          }
        };

    @Override
    public boolean equals(Object other) {
      return other instanceof Owner that && latest.equals(that.latest);
    }

    @Override
    public int hashCode() {
      return latest.hashCode();
    }
  }

  @Test
  void aMapOfAnAnonymousClassComesBackWithItsOwner() {
    Owner owner = new Owner();
    owner.latest.put("a", "1");
    Codec<Owner> codec =
        Codecs.builder()
            .allowPackage("io.rockpool.codec")
            .build()
            .valueCodec(TypeRef.of(Owner.class));
    byte[] bytes = codec.encode(owner);
    Owner read = codec.decode(bytes, 0, bytes.length);
    assertThat(read).isEqualTo(owner);
    read.latest.put("b", "2");
    read.latest.put("c", "3");
    assertThat(read.latest).containsOnlyKeys("b", "c");
  }
}
