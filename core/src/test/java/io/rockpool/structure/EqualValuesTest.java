package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.SourceLoader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A value is found by one that equals it, whatever was done with either: bytes do not decide. */
class EqualValuesTest {
  @TempDir Path directory;

  /** Two equal values with other bytes. */
  private record Pair(Object stored, Object asked) {}

  private static List<Pair> pairs() throws Exception {
    Map<Object, Object> wide = new HashMap<>(1 << 10);
    Map<Object, Object> narrow = new HashMap<>(2);
    for (String key : List.of("Aa", "BB", "x1000", "b", "zz")) {
      wide.put(key, 1);
      narrow.put(key, 1);
    }
    DecimalFormat unused = new DecimalFormat("#,##0.00");
    DecimalFormat used = new DecimalFormat("#,##0.00");
    used.getCurrency();
    GregorianCalendar computed = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    computed.setTimeInMillis(0);
    computed.getTime();
    GregorianCalendar set = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    set.clear();
    set.set(1970, 0, 1);
    InetAddress address = InetAddress.getByAddress("host", new byte[] {1, 2, 3, 4});
    InetAddress nameless = InetAddress.getByAddress(new byte[] {1, 2, 3, 4});
    SimpleDateFormat date = new SimpleDateFormat("yyyy", Locale.ROOT);
    return List.of(
        new Pair(wide, narrow),
        new Pair(List.of(1, 2), new ArrayList<>(List.of(1, 2))),
        new Pair(new LinkedHashSet<>(List.of(1, 2)), new LinkedHashSet<>(List.of(2, 1))),
        new Pair(Set.of(1, 2), new LinkedHashSet<>(List.of(2, 1))),
        new Pair(unused, used),
        new Pair(computed, set),
        new Pair(address, nameless),
        new Pair(new InetSocketAddress(address, 1), new InetSocketAddress(nameless, 1)),
        new Pair(date, date.clone()),
        new Pair(URI.create("HTTP://a.invalid"), URI.create("http://A.invalid")),
        new Pair(new Object[] {"a"}, new Object[] {"a"}));
  }

  @ParameterizedTest
  @EnumSource
  void decideWhatIsReplacedAndRemoved(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentMap<String, Object> map = store.pool().map("m", String.class, Object.class);
      PersistentSortedMap<String, Object> sorted =
          store.pool().sortedMap("s", String.class, Object.class);
      PersistentCache<String, Object> cache = store.pool().cache("c", String.class, Object.class);
      PersistentValue<Object> value = store.pool().value("v", Object.class);
      PersistentTable<String, String, Object> table =
          store.pool().table("t", String.class, String.class, Object.class);
      for (Pair pair : pairs()) {
        for (Map<String, Object> of : List.of(map, sorted)) {
          assertDecides(
              pair, x -> of.put("k", x), (x, y) -> of.replace("k", x, y), x -> of.remove("k", x));
        }
        assertDecides(
            pair,
            x -> cache.put("k", x),
            (x, y) -> cache.replace("k", x, y),
            x -> cache.remove("k", x));
        assertDecides(pair, value::set, value::compareAndSet, x -> value.compareAndSet(x, null));
        assertDecides(
            pair,
            x -> table.put("h", "k", x),
            (x, y) -> table.when("h", "k", Check.equalTo(x)).put("k", y).passed(),
            x -> table.when("h", "k", Check.equalTo(x)).remove("k").passed());
      }
    }
  }

  private static void assertDecides(
      Pair pair,
      Consumer<Object> put,
      BiPredicate<Object, Object> replace,
      Predicate<Object> remove) {
    put.accept(pair.stored);
    assertThat(replace.test("another", "new")).isFalse();
    assertThat(replace.test(pair.asked, pair.stored)).as("%s", pair).isTrue();
    assertThat(remove.test("another")).isFalse();
    assertThat(remove.test(pair.asked)).as("%s", pair).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void decideWhatADequeFinds(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentDeque<Object> deque = store.pool().deque("d", Object.class);
      for (Pair pair : pairs()) {
        deque.addAll(List.of("first", pair.stored, "last"));
        assertThat(deque.contains(pair.asked)).as("%s", pair).isTrue();
        assertThat(deque.contains("another")).isFalse();
        assertThat(deque.insertBefore(pair.asked, "before")).isTrue();
        assertThat(deque.insertAfter(pair.asked, "after")).isTrue();
        assertThat(deque.removeLastOccurrence(pair.asked)).isTrue();
        assertThat(deque.removeFirstOccurrence(pair.asked)).isFalse();
        assertThat(deque).containsExactly("first", "before", "after", "last");
        deque.add(pair.stored);
        assertThat(deque.removeFirstOccurrence(deque.peekLast())).as("%s", pair).isTrue();
        deque.clear();
      }
    }
  }

  /** The bytes of an older version of a class are other ones than those of its equal today. */
  @ParameterizedTest
  @EnumSource
  void areNotToldByTheirBytesWhereAClassHasChanged(Kind kind) throws Exception {
    String before =
        """
        public record Main(int number) {
          public static Object make() { return new Main(7); }
        }
        """;
    String after = before.replace("int number", "int number, String text").replace("7", "7, null");
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      SourceLoader old = new SourceLoader(before);
      store
          .pool()
          .map("m", TypeRef.of(String.class), TypeRef.of(old.main()), o -> options(old))
          .put("k", old.make());
      store.pool().deque("d", TypeRef.of(old.main()), o -> options(old)).add(old.make());
      store.reopen();
      SourceLoader now = new SourceLoader(after);
      PersistentMap<String, Object> map =
          store
              .pool()
              .map("m", TypeRef.of(String.class), TypeRef.of(now.main()), o -> options(now));
      assertThat(map.get("k")).isEqualTo(now.make());
      assertThat(map.containsValue(now.make())).isTrue();
      assertThat(map.replace("k", now.make(), now.make())).isTrue();
      PersistentDeque<Object> deque =
          store.pool().deque("d", TypeRef.of(now.main()), o -> options(now));
      assertThat(deque.contains(now.make())).isTrue();
      assertThat(deque.remove(now.make())).isTrue();
    }
  }

  private static StructureOptions options(ClassLoader loader) {
    return StructureOptions.defaults().codecs(Codecs.builder().classLoader(loader).build());
  }
}
