package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fields of nested containers, of which one holds nothing but null. */
@Slow
@SuppressWarnings("JdkObsolete") // every kind of list
final class NullElementsTest {
  record Lists(List<List<String>> value) {}

  record Sets(List<Set<Long>> value) {}

  record Deep(List<List<Collection<String>>> value) {}

  /** Fory takes some 10 s to generate the code for four levels, and 1 s for three. */
  record Deeper(List<List<Collection<List<String>>>> value) {}

  record Wild(Collection<? extends Collection<String>> value) {}

  record InMaps(Map<String, List<List<String>>> value) {}

  record Keys(Map<List<String>, List<String>> value) {}

  record Optionals(Optional<List<List<String>>> value) {}

  static class OwnList<T> extends ArrayList<T> {
    private static final long serialVersionUID = 1L;
  }

  record Own(OwnList<List<String>> value) {}

  record Both(List<List<String>> nulls, List<List<String>> lists, Object again) {}

  private static final Map<Class<?>, Codec<Object>> CODECS = new HashMap<>();

  @SuppressWarnings("unchecked")
  private static Codec<Object> codecOf(Class<?> type) {
    return CODECS.computeIfAbsent(
        type, t -> Codecs.defaults().valueCodec((TypeRef<Object>) (TypeRef<?>) TypeRef.of(t)));
  }

  private static <T> List<T> nulls() {
    return new ArrayList<>(Arrays.asList(null, null));
  }

  static Stream<Object> values() {
    Map<List<String>, List<String>> nullKey = new HashMap<>();
    nullKey.put(null, null);
    OwnList<List<String>> own = new OwnList<>();
    own.add(null);
    List<List<String>> lists = nulls();
    lists.set(1, nulls());
    return Stream.of(
        new Lists(nulls()),
        new Lists(Arrays.asList(null, null)),
        new Lists(new LinkedList<>(nulls())),
        new Lists(new CopyOnWriteArrayList<>(nulls())),
        new Lists(Collections.singletonList(null)),
        new Lists(Collections.unmodifiableList(nulls())),
        new Lists(Stream.of((List<String>) null).toList()),
        new Lists(lists),
        new Sets(nulls()),
        new Deep(nulls()),
        new Deep(List.of(nulls())),
        new Deep(List.of(List.of(nulls()))),
        new Wild(new HashSet<>(nulls())),
        new InMaps(Map.of("a", nulls())),
        new InMaps(Collections.singletonMap("a", null)),
        new Keys(nullKey),
        new Optionals(Optional.of(nulls())),
        new Own(own),
        new Both(nulls(), lists, lists));
  }

  @Test
  @EnabledIfSystemProperty(named = Rounds.PROPERTY, matches = "true")
  void theyAreKeptFourLevelsDeep() {
    theyAreKept(new Deeper(nulls()));
    theyAreKept(new Deeper(List.of(nulls())));
    theyAreKept(new Deeper(List.of(List.of(nulls()))));
    theyAreKept(new Deeper(List.of(List.of(List.of(nulls())))));
  }

  @ParameterizedTest
  @MethodSource("values")
  void theyAreKept(Object value) {
    Codec<Object> codec = codecOf(value.getClass());
    byte[] bytes = codec.encode(value);
    Object read = codec.decode(bytes, 0, bytes.length);
    assertThat(read).isEqualTo(value);
    if (read instanceof Both both) {
      assertThat(both.again()).isSameAs(both.lists());
    }
  }
}
