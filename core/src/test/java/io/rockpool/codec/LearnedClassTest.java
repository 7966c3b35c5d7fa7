package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Classes that a store learns, as a later process finds them. */
@SuppressWarnings({"serial", "ArrayRecordComponent"}) // fields as applications declare them
final class LearnedClassTest {
  record Page(List<Part> parts, Shape shape, Part[] array, Mode mode) implements Serializable {}

  record Part(int number) implements Serializable {}

  sealed interface Shape extends Serializable permits Dot {}

  record Dot(int x) implements Shape {}

  enum Mode {
    PLAIN,
    BOLD {}
  }

  static final class Catalog implements ClassCatalog {
    final Set<String> names = ConcurrentHashMap.newKeySet();

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

  private static Codec<Object> codec(Fallback fallback, ClassCatalog catalog) {
    return Codecs.builder()
        .fallback(fallback)
        .build()
        .learningIn(catalog)
        .valueCodec(TypeRef.of(Object.class));
  }
}
