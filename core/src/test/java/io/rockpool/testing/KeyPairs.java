package io.rockpool.testing;

import io.rockpool.codec.Codecs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Classes of keys before and after a deploy: two sources each, whose public class {@code app.Main}
 * makes the key. A key that equals one from before the deploy is found, or has no entry and no twin
 * in a list, or the opening is refused.
 */
public final class KeyPairs {
  /** What becomes of the key that was stored. */
  public enum Outcome {
    /** An equal key finds its entry. */
    FOUND("found"),
    /** The name does not open. */
    REFUSED("refused at open"),
    /** No key finds the entry, and no list has a key that is not found. */
    OTHER("another key"),
    /** A key of this class cannot be written at all. */
    UNWRITTEN("refused at write");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** What has keys. */
  public enum Rules {
    /** A cache whose keys have a declared class, also a JCache with types. */
    CACHE("cache, JCache with types"),
    /** A cache of any keys. */
    ANY_CACHE("cache of `Object`, JCache without types, `@Cacheable`"),
    /** A collection whose keys do not sort. */
    COLLECTION("map, set, scored set, row of a table"),
    /** A collection whose keys sort. */
    SORTED("sorted map, sorted set, column of a table");

    public final String title;

    Rules(String title) {
      this.title = title;
    }
  }

  /**
   * A class of keys before and after. The sources are members of {@code app.Main}.
   *
   * @param sorted what becomes of it where keys sort; null if such keys do not sort
   */
  public record Pair(
      String name,
      String before,
      String after,
      String key,
      Outcome cache,
      Outcome any,
      Outcome collection,
      @Nullable Outcome sorted) {
    /** What becomes of the key; null if there is no such place for it. */
    public @Nullable Outcome outcome(Rules rules) {
      return switch (rules) {
        case CACHE -> cache;
        case ANY_CACHE -> any;
        case COLLECTION -> collection;
        case SORTED -> sorted;
      };
    }

    /** Whether a codec of the application's is registered for a component. */
    public boolean hasCodec() {
      return before.contains("codec()");
    }

    /** The classes before or after the deploy. */
    public SourceLoader version(boolean isAfter) {
      return new SourceLoader(
          "public class Main { "
              + (isAfter ? after : before)
              + " public static Object make() { return "
              + key
              + "; } }");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String STATE = "public enum State { %s }";
  private static final String IN_RECORD = " public record Key(State state, int n) {}";
  private static final String RECORD = "public record Key(%s) {}";
  private static final List<Pair> PAIRS = new ArrayList<>();

  private KeyPairs() {}

  /** All pairs. */
  public static List<Pair> all() {
    return List.copyOf(PAIRS);
  }

  /** The codecs of a version: with that of its {@code Money}, if it has one. */
  public static Codecs codecs(SourceLoader version) {
    Codecs.Builder codecs = Codecs.builder().classLoader(version);
    version.ownCodec(Object.class).ifPresent(own -> codecs.register(money(version), own));
    return codecs.build();
  }

  @SuppressWarnings("unchecked") // a class that only the loader has
  private static Class<Object> money(SourceLoader version) {
    return (Class<Object>) version.named("app.Main$Money");
  }

  private static void constants(String name, String before, String after, Outcome sorted) {
    String first = STATE.formatted(before);
    String second = STATE.formatted(after);
    Outcome found = Outcome.FOUND;
    add("enum: " + name, first, second, "State.SHIP", found, found, found, sorted);
    add(
        "enum in a record: " + name,
        first + IN_RECORD,
        second + IN_RECORD,
        "new Key(State.SHIP, 1)",
        found,
        found,
        found,
        sorted);
  }

  /** A record that does not sort. */
  private static void canonical(
      String name, String before, String after, String key, Outcome declared, Outcome any) {
    String first = RECORD.formatted(before);
    String second = RECORD.formatted(after);
    add("record: " + name, first, second, "new Key(" + key + ")", declared, any, declared, null);
  }

  /** A record that sorts. */
  private static void ordered(
      String name, String before, String after, String key, Outcome declared, Outcome any) {
    String first = RECORD.formatted(before);
    String second = RECORD.formatted(after);
    add(
        "ordered record: " + name,
        first,
        second,
        "new Key(" + key + ")",
        declared,
        any,
        declared,
        declared);
  }

  private static final String PLAIN =
      "public static class Key %s implements java.io.Serializable {"
          + " private static final long serialVersionUID = %s; %s"
          + " public boolean equals(Object o) { return o instanceof Key k && %s; }"
          + " public int hashCode() { return %s; } }";

  private static String plain(String fields, String equals, String hash) {
    return PLAIN.formatted("", 1, fields, equals, hash);
  }

  /** A class with an equals of its own, in caches only. */
  private static void plain(String name, String before, String after, Outcome cache, Outcome any) {
    add("class: " + name, before, after, "new Key()", cache, any, Outcome.UNWRITTEN, null);
  }

  private static final String CODEC =
      "public record Money(long cents) {} public record Key(int n, Money money) {}"
          + " public static io.rockpool.codec.Codec<Money> codec() {"
          + " return new io.rockpool.codec.Codec<>() {"
          + " public String id() { return \"%s\"; }"
          + " public byte[] encode(Money m) {"
          + " return java.nio.ByteBuffer.allocate(%s).putLong(m.cents).array(); }"
          + " public Money decode(byte[] b, int offset, int length) {"
          + " return new Money(java.nio.ByteBuffer.wrap(b, offset, length).getLong()); }"
          + " public boolean immutable() { return true; } }; }";

  private static void add(
      String name,
      String before,
      String after,
      String key,
      Outcome cache,
      Outcome any,
      Outcome collection,
      @Nullable Outcome sorted) {
    PAIRS.add(new Pair(name, before, after, key, cache, any, collection, sorted));
  }

  static {
    Outcome found = Outcome.FOUND;
    Outcome refused = Outcome.REFUSED;
    Outcome other = Outcome.OTHER;
    constants("the same", "PAY, SHIP", "PAY, SHIP", found);
    constants("constant appended", "PAY, SHIP", "PAY, SHIP, SHIPPED", found);
    constants("constant inserted", "PAY, SHIP", "PAY, PACK, SHIP", refused);
    constants("constants moved", "PAY, SHIP", "SHIP, PAY", refused);
    constants("other constant gone", "PAY, SHIP, LOST", "PAY, SHIP", refused);
    constants("other constant renamed", "PAY, SHIP, LOST", "PAY, SHIP, LOSE", refused);
    constants("constant with a longer name", "PAY, SHIP", "PAY, SHIPPED, SHIP", refused);

    String list = "int n, List<String> l";
    canonical("the same", list, list, "1, List.of()", found, found);
    canonical(
        "int became Integer", list, "Integer n, List<String> l", "1, List.of()", found, found);
    canonical("int became long", list, "long n, List<String> l", "1, List.of()", refused, other);
    canonical(
        "int became Object", list, "Object n, List<String> l", "1, List.of()", refused, found);
    canonical("component renamed", list, "int m, List<String> l", "1, List.of()", refused, other);
    canonical(
        "components swapped",
        "int n, int m, List<String> l",
        "int m, int n, List<String> l",
        "1, 2, List.of()",
        refused,
        other);
    canonical(
        "component gone, the rest the same",
        "int n, List<String> l, Map<String, String> m",
        list + ") { Key(int n, List<String> l, Map<String, String> m) { this(n, l); } } record No(",
        "1, List.of(), Map.of()",
        refused,
        other);
    canonical(
        "component added",
        list + ") { Key(int n, List<String> l, String m) { this(n, l); } } record No(",
        "int n, List<String> l, String m",
        "1, List.of(), null",
        refused,
        other);
    canonical(
        "element type changed", list, "int n, List<Integer> l", "1, List.of()", refused, found);

    ordered("the same", "int n, String s", "int n, String s", "1, \"\"", found, found);
    ordered("int became long", "int n, String s", "long n, String s", "1, \"\"", refused, other);
    ordered("component renamed", "int n, String s", "int n, String t", "1, \"\"", refused, other);
    String own =
        RECORD.formatted("int n, String s").replace("{}", "")
            + "{ public boolean equals(Object o) { return o instanceof Key k && n == k.n; }"
            + " public int hashCode() { return n; } }";
    add(
        "ordered record: equals of its own added",
        RECORD.formatted("int n, String s"),
        own,
        "new Key(1, \"\")",
        refused,
        other,
        refused,
        found); // its components are compared, not equals
    add(
        "ordered record: equals of its own gone",
        own,
        RECORD.formatted("int n, String s"),
        "new Key(1, \"\")",
        refused,
        other,
        Outcome.UNWRITTEN,
        found);

    String byId = plain("String id = \"o\"; int n = 7;", "id.equals(k.id)", "1");
    String same = plain("String id = \"o\"; int n = 0;", "id.equals(k.id) && n == k.n", "1");
    plain("the same", byId, byId, found, found);
    plain(
        "field gone that equals ignores",
        byId,
        plain("String id = \"o\";", "id.equals(k.id)", "1"),
        found,
        found);
    plain(
        "field renamed",
        same.replace("n = 0", "n = 7"),
        plain("String id = \"o\"; int m = 0;", "id.equals(k.id) && m == k.m", "1"),
        other,
        other);
    plain("field added", plain("String id = \"o\";", "id.equals(k.id)", "1"), same, other, other);
    plain(
        "int became long",
        same,
        plain("String id = \"o\"; long n = 0;", "id.equals(k.id) && n == k.n", "1"),
        other,
        other);
    plain(
        "serialVersionUID changed",
        same,
        same.replace("serialVersionUID = 1", "serialVersionUID = 2"),
        other,
        other);
    plain(
        "became a record",
        same,
        "public record Key(String id, int n) { Key() { this(\"o\", 0); } }",
        refused,
        other);

    add(
        "registered codec: the same",
        CODEC.formatted("money1", 8),
        CODEC.formatted("money1", 8),
        "new Key(1, new Money(7))",
        found,
        found,
        found,
        null);
    add(
        "registered codec: another one",
        CODEC.formatted("money1", 8),
        CODEC.formatted("money2", 9),
        "new Key(1, new Money(7))",
        refused,
        other,
        refused,
        null);
  }
}
