package io.rockpool.cache;

import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Classes of keys, and which a cache finds again; {@link RefusedKeys} are those it refuses. */
@SuppressWarnings("serial") // fields as applications declare them
final class KeyKinds {
  private KeyKinds() {}

  /** A key, one that is equal but another object, and one that is not equal but alike. */
  record Kind(String name, Supplier<Object> first, Supplier<Object> equal, Supplier<Object> other) {
    @Override
    public String toString() {
      return name;
    }
  }

  record Pair(@Nullable Object first, @Nullable Object second) {}

  record Place(Locale locale, ZonedDateTime time) {}

  record Names(List<String> names, Set<Integer> numbers) {}

  record Holder(ArrayList<String> names) {}

  record Label(String text) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Label label && text.equalsIgnoreCase(label.text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  record UnitLabel(String text, TimeUnit unit, int note) {
    @Override
    public boolean equals(Object other) {
      return other instanceof UnitLabel label && text.equals(label.text) && unit == label.unit;
    }

    @Override
    public int hashCode() {
      return Objects.hash(text, unit);
    }
  }

  /** Told by its number alone, as an entity is. */
  static class Entity {
    final long id;
    final String title;

    Entity(long id, String title) {
      this.id = id;
      this.title = title;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entity entity && id == entity.id;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(id);
    }
  }

  static final class SpecialEntity extends Entity {
    final List<String> more = new ArrayList<>(List.of("more"));

    SpecialEntity(long id, String title) {
      super(id, title);
    }
  }

  static final class IgnoringCase implements Serializable {
    private static final long serialVersionUID = 1L;
    final String text;

    IgnoringCase(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof IgnoringCase that && text.equalsIgnoreCase(that.text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  /** Keeps its hash code: in a field that is written, or not, once it was asked for. */
  static final class CachesHash implements Serializable {
    private static final long serialVersionUID = 1L;
    final String text;
    private int hash;
    private transient int again;

    CachesHash(String text, boolean asked) {
      this.text = text;
      if (asked) {
        hash = text.hashCode();
        again = hash;
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CachesHash that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      if (hash == 0) {
        hash = text.hashCode();
        again = hash;
      }
      return again == 0 ? hash : again;
    }
  }

  /** As Lombok makes them; the hash code of an enum is another one in each process. */
  static final class WithEnum implements Serializable {
    private static final long serialVersionUID = 1L;
    final String text;
    final TimeUnit unit;
    final List<TimeUnit> units;

    WithEnum(String text, TimeUnit unit, TimeUnit... units) {
      this.text = text;
      this.unit = unit;
      this.units = Arrays.asList(units);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof WithEnum that
          && text.equals(that.text)
          && unit == that.unit
          && units.equals(that.units);
    }

    @Override
    public int hashCode() {
      return Objects.hash(text, unit, units);
    }
  }

  /** As Spring Data's Sort: its hash code wants its collections, and these have enums. */
  static final class Ranking implements Serializable {
    private static final long serialVersionUID = 1L;
    private final List<TimeUnit> units;
    private final Map<TimeUnit, String> names;
    private final TimeUnit[] best;

    Ranking(List<TimeUnit> units, Map<TimeUnit, String> names, TimeUnit... best) {
      this.units = units;
      this.names = names;
      this.best = best;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ranking that
          && units.equals(that.units)
          && names.equals(that.names)
          && Arrays.equals(best, that.best);
    }

    @Override
    public int hashCode() {
      return 31 * units.hashCode() + names.hashCode() + best.length;
    }
  }

  /** As Hibernate's keys: several kinds of an id, and the hash code made by the constructor. */
  static final class EntityKey implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Object id;
    private final String name;
    private final int hash;

    EntityKey(Object id, String name) {
      this.id = id;
      this.name = name;
      this.hash = Objects.hash(id, name);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EntityKey that
          && hash == that.hash
          && id.equals(that.id)
          && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** As JSR 107 has it for annotated methods. */
  static final class GeneratedKey implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Object[] parameters;
    private final int hash;

    GeneratedKey(Object... parameters) {
      this.parameters = parameters;
      this.hash = Arrays.deepHashCode(parameters);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof GeneratedKey that && Arrays.deepEquals(parameters, that.parameters);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Of which all have one hash code. */
  static final class OneHash {
    final int number;

    OneHash(int number) {
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OneHash that && number == that.number;
    }

    @Override
    public int hashCode() {
      return 31;
    }
  }

  /** A list that is equal to others by something else than its elements. */
  static final class Tagged extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
    final int tag;

    Tagged(int tag, String element) {
      super(List.of(element));
      this.tag = tag;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Tagged that && tag == that.tag;
    }

    @Override
    public int hashCode() {
      return tag;
    }
  }

  static final List<Kind> HELD =
      List.of(
          kind("a string", () -> new String("é"), () -> new String("é"), () -> "e"),
          kind("NaN", () -> Float.intBitsToFloat(0x7fc00001), () -> Float.NaN, () -> Double.NaN),
          kind("minus zero", () -> -0.0, () -> Double.valueOf("-0.0"), () -> 0.0),
          kind(
              "a decimal",
              () -> new BigDecimal("1.50"),
              () -> new BigDecimal("1.50"),
              () -> new BigDecimal("1.5")),
          kind(
              "floats in an array",
              () -> new float[] {Float.intBitsToFloat(0x7fc00001), -0f},
              () -> new float[] {Float.NaN, -0f},
              () -> new float[] {Float.NaN, 0f}),
          kind(
              "a map in another order",
              () -> map("a", Set.of(1, 2), "b", List.of()),
              () -> map("b", new ArrayList<>(), "a", new TreeSet<>(Set.of(2, 1))),
              () -> map("a", Set.of(1), "b", List.of())),
          kind(
              "a record of objects",
              () -> new Pair(1, new LinkedHashSet<>(List.of("x", "y"))),
              () -> new Pair(1, new LinkedHashSet<>(List.of("y", "x"))),
              () -> new Pair(1L, Set.of("x", "y"))),
          kind(
              "a null component",
              () -> new Pair(null, 1),
              () -> new Pair(null, 1),
              () -> new Pair(1, null)),
          kind(
              "a script of a locale",
              () -> place("zh-Hans-CN-u-ca-chinese", 0),
              () -> place("zh-Hans-CN-u-ca-chinese", 0),
              () -> place("zh-Hant-CN-u-ca-chinese", 0)),
          kind("an offset", () -> place("fr", 0), () -> place("fr", 0), () -> place("fr", 1)),
          kind(
              "collections of a record",
              () -> new Names(List.of("a"), Set.of(1, 2)),
              () -> new Names(new ArrayList<>(List.of("a")), new TreeSet<>(Set.of(2, 1))),
              () -> new Names(List.of("b"), Set.of(1, 2))),
          kind(
              "an array list of a record",
              () -> new Holder(new ArrayList<>(List.of("a"))),
              () -> new Holder(new ArrayList<>(List.of("a"))),
              () -> new Holder(new ArrayList<>())),
          kind(
              "an entry",
              () -> Map.entry("a", 1),
              () -> new java.util.AbstractMap.SimpleEntry<>("a", 1),
              () -> Map.entry("a", 2)),
          kind("a class", () -> String.class, () -> String.class, () -> Integer.class),
          kind("an enum", () -> TimeUnit.DAYS, () -> TimeUnit.DAYS, () -> TimeUnit.HOURS),
          kind(
              "a URI",
              () -> URI.create("HTTP://A/b"),
              () -> URI.create("http://a/b"),
              () -> URI.create("http://a/c")),
          kind(
              "a currency",
              () -> Currency.getInstance("EUR"),
              () -> Currency.getInstance("EUR"),
              () -> Currency.getInstance("CHF")),
          kind("bits", () -> bits(1, 2), () -> bits(2, 1), () -> bits(1)),
          kind(
              "an optional int",
              () -> OptionalInt.of(1),
              () -> OptionalInt.of(1),
              () -> OptionalInt.of(2)),
          kind("a period", () -> Period.ofDays(1), () -> Period.ofDays(1), () -> Period.ofDays(2)),
          kind(
              "a timestamp",
              () -> new Timestamp(1),
              () -> new Timestamp(1),
              () -> new Timestamp(2)),
          kind(
              "a record's own equals",
              () -> new Label("A"),
              () -> new Label("a"),
              () -> new Label("b")),
          kind(
              "a record's own equals, with an enum",
              () -> new UnitLabel("a", TimeUnit.DAYS, 1),
              () -> new UnitLabel("a", TimeUnit.DAYS, 2),
              () -> new UnitLabel("a", TimeUnit.HOURS, 1)),
          kind(
              "a list with an equality of its own",
              () -> new Tagged(1, "a"),
              () -> new Tagged(1, "b"),
              () -> new Tagged(2, "a")),
          kind(
              "an id alone",
              () -> new Entity(1, "a"),
              () -> new Entity(1, "b"),
              () -> new Entity(2, "a")),
          kind(
              "a subclass",
              () -> new SpecialEntity(1L << 40, "a"),
              () -> new Entity(1L << 40, "b"),
              () -> new Entity(3, "a")),
          kind(
              "ignoring case",
              () -> new IgnoringCase("Ab"),
              () -> new IgnoringCase("aB"),
              () -> new IgnoringCase("ac")),
          kind(
              "a cached hash",
              () -> new CachesHash("a", true),
              () -> new CachesHash("a", false),
              () -> new CachesHash("b", true)),
          kind(
              "an enum in the hash",
              () -> new WithEnum("a", TimeUnit.DAYS, TimeUnit.HOURS),
              () -> new WithEnum("a", TimeUnit.DAYS, TimeUnit.HOURS),
              () -> new WithEnum("a", TimeUnit.DAYS, TimeUnit.DAYS)),
          kind(
              "enums in collections of the hash",
              () -> new Ranking(List.of(TimeUnit.DAYS), Map.of(TimeUnit.DAYS, "d"), TimeUnit.DAYS),
              () -> new Ranking(List.of(TimeUnit.DAYS), Map.of(TimeUnit.DAYS, "d"), TimeUnit.DAYS),
              () -> new Ranking(List.of(TimeUnit.DAYS), Map.of(TimeUnit.HOURS, "d"))),
          kind(
              "a key of an entity",
              () -> new EntityKey(1L, "Order"),
              () -> new EntityKey(1L, "Order"),
              () -> new EntityKey(1, "Order")),
          kind(
              "a generated key",
              () -> new GeneratedKey("a", new Object[] {1, List.of()}),
              () -> new GeneratedKey("a", new Object[] {1, new ArrayList<>()}),
              () -> new GeneratedKey("a", new Object[] {2, List.of()})),
          kind(
              "one hash for all", () -> new OneHash(1), () -> new OneHash(1), () -> new OneHash(2)),
          kind(
              "foreign ones within others",
              () ->
                  map(
                      "a",
                      List.of(new Entity(5, "a"), new Label("X")),
                      "b",
                      Set.of(new Label("Y"))),
              () ->
                  map(
                      "b",
                      Set.of(new Label("y")),
                      "a",
                      List.of(new Entity(5, "b"), new Label("x"))),
              () ->
                  map(
                      "a",
                      List.of(new Entity(6, "a"), new Label("X")),
                      "b",
                      Set.of(new Label("Y")))));

  private static Kind kind(
      String name, Supplier<Object> first, Supplier<Object> equal, Supplier<Object> other) {
    return new Kind(name, first, equal, other);
  }

  private static Map<Object, Object> map(Object... keysAndValues) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    Arrays.stream(set).forEach(bits::set);
    return bits;
  }

  /** The hour that comes twice at the end of summer time: 0 for the earlier, 1 for the later. */
  private static Place place(String locale, int later) {
    ZonedDateTime earlier = LocalDateTime.of(2024, 10, 27, 2, 30).atZone(ZoneId.of("Europe/Paris"));
    return new Place(
        Locale.forLanguageTag(locale), later == 0 ? earlier : earlier.withLaterOffsetAtOverlap());
  }
}
