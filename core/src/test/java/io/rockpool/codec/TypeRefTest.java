package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeRefTest {
  @Test
  void itsNameIsThatOfTheTypeWithArgumentsAndWithoutLoaders() {
    assertThat(TypeRef.of(String.class)).hasToString("java.lang.String");
    assertThat(TypeRef.of(int.class)).hasToString("java.lang.Integer");
    assertThat(TypeRef.of(byte[][].class)).hasToString("byte[][]");
    assertThat(TypeRef.of(Map.Entry.class)).hasToString("java.util.Map$Entry");
    assertThat(new TypeRef<Map<String, List<? extends Number>>>() {})
        .hasToString("java.util.Map<java.lang.String,java.util.List<? extends java.lang.Number>>");
    assertThat(new TypeRef<List<? super Long>[]>() {})
        .hasToString("java.util.List<? super java.lang.Long>[]");
    assertThat(new TypeRef<List<?>>() {}).hasToString("java.util.List<?>");
  }

  @Test
  void itEqualsAnotherOfTheSameType() {
    assertThat(new TypeRef<List<String>>() {})
        .isEqualTo(new TypeRef<List<String>>() {})
        .hasSameHashCodeAs(new TypeRef<List<String>>() {})
        .isNotEqualTo(new TypeRef<List<Long>>() {});
    assertThat(new TypeRef<String>() {}).isEqualTo(TypeRef.of(String.class));
  }

  @Test
  void itsRawTypeIsTheClass() {
    assertThat(new TypeRef<List<String>>() {}.rawType()).isEqualTo(List.class);
    assertThat(new TypeRef<List<String>[]>() {}.rawType()).isEqualTo(List[].class);
    assertThat(TypeRef.of(long.class).rawType()).isEqualTo(Long.class);
  }

  @Test
  void aTypeIsFoundByItsName() throws Exception {
    ClassLoader loader = getClass().getClassLoader();
    List<TypeRef<?>> types =
        List.of(
            TypeRef.of(String.class),
            TypeRef.of(byte[][].class),
            TypeRef.of(Map.Entry.class),
            new TypeRef<Map<String, Map<Long, List<byte[]>>>>() {},
            new TypeRef<Map.Entry<List<String>, Integer>>() {});
    for (TypeRef<?> type : types) {
      assertThat(TypeRef.named(type.toString(), loader)).isEqualTo(type);
    }
    assertThatThrownBy(() -> TypeRef.named("com.acme.Missing", loader))
        .isInstanceOf(ClassNotFoundException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TypeRef.named("java.util.List<java.lang.String", loader))
        .withMessageContaining("closing");
  }

  private static <T> TypeRef<List<T>> listOf() {
    return new TypeRef<>() {};
  }

  @Test
  @SuppressWarnings("rawtypes")
  void aTypeThatIsNotKnownIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(TypeRefTest::listOf)
        .withMessageContaining("type variable T");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TypeRef() {})
        .withMessageContaining("type argument");
    assertThatNullPointerException()
        .isThrownBy(() -> TypeRef.of(null))
        .withMessageContaining("type");
  }
}
