package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Classes that a store learns, as a later process finds them. */
@SuppressWarnings({"serial", "ArrayRecordComponent"}) // fields as applications declare them
final class LearnedClassTest {
  record Page(List<Part> parts, Shape shape, Part[] array, Mode mode) implements Serializable {}

  record Part(int number) implements Serializable {}

  sealed interface Shape extends Serializable permits Dot {}

  record Dot(int x) implements Shape {}

  static final class Bag extends ArrayList<String> {}

  static final class Oops extends RuntimeException {}

  record Sheet(Part part, List<Part> parts, Shape shape, Bag bag, Oops oops)
      implements Serializable {}

  enum Mode {
    PLAIN,
    BOLD {}
  }

  private static final class Catalog implements ClassCatalog {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    @Override
    public boolean contains(String className) {
      return names.contains(className);
    }

    @Override
    public void add(String className) {
      names.add(className);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClassThatOnlyAFieldDeclaredBeforeIsLearnedByItsFirstInstance(Fallback fallback) {
    Stream.of(new Part(1), new Dot(2), new Part[] {new Part(3)}, Mode.PLAIN, Mode.BOLD)
        .forEach(
            later -> {
              Catalog catalog = new Catalog();
              Codec<Object> before = codec(fallback, catalog);
              byte[] unused = before.encode(new Page(null, null, null, null));
              byte[] bytes = before.encode(new ArrayList<>(List.of(later)));
              Object read = codec(fallback, catalog).decode(bytes, 0, bytes.length);
              assertThat(read).usingRecursiveComparison().isEqualTo(List.of(later));
            });
  }

  /** The types of the fields are allowed only once an instance of them has been written. */
  @Test
  void aClassThatAReaderMetAsANullFieldIsReadOnceItIsLearned() {
    Catalog catalog = new Catalog();
    Codecs codecs = Codecs.builder().allow(Sheet.class).build().learningIn(catalog);
    TypeRef<Object> any = TypeRef.of(Object.class);
    Codec<Object> reader = codecs.valueCodec(any);
    Sheet empty = new Sheet(null, null, null, null, null);
    byte[] bytes = codecs.valueCodec(any).encode(empty);
    catalog.names.clear();
    assertThat(reader.decode(bytes, 0, bytes.length)).isEqualTo(empty);
    Sheet full = new Sheet(new Part(1), List.of(new Part(2)), new Dot(3), new Bag(), new Oops());
    full.bag().add("x");
    byte[] later = codecs.valueCodec(any).encode(full);
    assertThat(catalog.names).contains(Part.class.getName(), Bag.class.getName());
    Set<String> names = Set.copyOf(catalog.names);
    catalog.names.clear();
    assertThatThrownBy(() -> reader.decode(later, 0, later.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining(LearnedClassTest.class.getName());
    catalog.names.addAll(names);
    assertThat(reader.decode(later, 0, later.length))
        .usingRecursiveComparison()
        .ignoringFields("oops.stackTrace")
        .isEqualTo(full);
  }

  private static Codec<Object> codec(Fallback fallback, ClassCatalog catalog) {
    return Codecs.builder()
        .fallback(fallback)
        .build()
        .learningIn(catalog)
        .valueCodec(TypeRef.of(Object.class));
  }
}
