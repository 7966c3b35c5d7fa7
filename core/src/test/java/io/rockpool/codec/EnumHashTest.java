package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Keys whose hash code depends on an enum constant, which has another one in each process. */
final class EnumHashTest {
  /** Compares an enum constant and a number. */
  static class Key {
    final TimeUnit unit;
    final int number;

    Key(TimeUnit unit, int number) {
      this.unit = unit;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && unit == that.unit && number == that.number;
    }

    @Override
    public int hashCode() {
      return Objects.hash(unit, number);
    }
  }

  static final class WithoutNullCheck extends Key {
    WithoutNullCheck() {
      super(TimeUnit.DAYS, 1);
    }

    @Override
    public boolean equals(Object other) {
      return super.equals(other);
    }

    @Override
    public int hashCode() {
      return 31 * unit.hashCode() + number;
    }
  }

  /** Adds up hash codes as it is made. */
  static final class KeepsHash extends Key {
    private final int hashcode = 37 * unit.hashCode() + number;

    KeepsHash() {
      super(TimeUnit.DAYS, 1);
    }

    @Override
    public boolean equals(Object other) {
      return super.equals(other);
    }

    @Override
    public int hashCode() {
      return hashcode;
    }
  }

  private static final Codec<Object> CODEC =
      Codecs.defaults().cacheKeyCodec(TypeRef.of(Object.class));

  @Test
  void aHashCodeThatTakesNullIsComputedWithoutTheConstant() {
    int common = KeyCodec.commonBytes(CODEC.encode(new Key(TimeUnit.DAYS, 1)));
    assertThat(CODEC.encode(new Key(TimeUnit.HOURS, 1)))
        .startsWith(java.util.Arrays.copyOf(CODEC.encode(new Key(TimeUnit.DAYS, 1)), common));
  }

  @Test
  void aHashCodeThatTakesNoNullIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> CODEC.encode(new WithoutNullCheck()))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("throws java.lang.NullPointerException")
        .hasMessageContaining("Objects.hashCode(...)")
        .hasMessageContaining("name()");
  }

  @Test
  void aHashCodeThatIsKeptIsRefusedWithTheFieldAndWhatToDo() {
    assertThatThrownBy(() -> CODEC.encode(new KeepsHash()))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("field 'hashcode'")
        .hasMessageContaining("replace the constant by its name");
  }
}
