package io.rockpool.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * Classes of values before and after a deploy: two sources each, whose public class is {@code
 * app.Main}. Tests compile them apart, write with the first and read with the second.
 */
public final class ClassPairs {
  /** What a change means to the values that are there. */
  public enum Kind {
    /** The classes are the same. */
    SAME,
    /** What is here can be read from each value: a field is gone, a subtype was added. */
    LOST,
    /** A field is here that the values lack. */
    GAINED,
    /** The values can no longer mean the same. */
    CHANGED
  }

  /**
   * A class before and after.
   *
   * @param read what the later class shows of the value where it is read; null if nothing is right
   * @param named what the message or log line says beside the class
   */
  public record Pair(
      String name, Kind kind, String before, String after, String read, String named) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<Pair> PAIRS = new ArrayList<>();

  private static void same(String name, String source, String read) {
    PAIRS.add(new Pair(name, Kind.SAME, source, source, read, ""));
  }

  private static void lost(String name, String before, String after, String read) {
    PAIRS.add(new Pair(name, Kind.LOST, before, after, read, ""));
  }

  private static void gained(String name, String before, String after, String read, String named) {
    PAIRS.add(new Pair(name, Kind.GAINED, before, after, read, named));
  }

  /** A change after which a value is refused, or read as what it was. */
  private static void changed(String name, String before, String after, String read, String named) {
    PAIRS.add(new Pair(name, Kind.CHANGED, before, after, read, named));
  }

  private ClassPairs() {}

  /** All pairs. */
  public static List<Pair> all() {
    return List.copyOf(PAIRS);
  }

  private static String ofRecord(String components, String arguments) {
    return "public record Main("
        + components
        + ") implements Serializable { public static Object make() { return new Main("
        + arguments
        + "); } }";
  }

  private static final String ID = ofRecord("String id, long cents", "\"o\", 7");

  /** A class with these members. */
  private static String ofClass(String members) {
    return "public class Main implements Serializable {"
        + " private static final long serialVersionUID = 1;"
        + " public static Object make() { Main m = new Main(); m.fill(); return m; } "
        + members
        + " }";
  }

  private static String shown(String fields, String shown) {
    return ofClass(
        fields
            + " void fill() {} @Override public String toString() { return \"\" + "
            + shown
            + "; }");
  }

  /** A class with these fields of its own and in a superclass. */
  private static String withParent(String own, String inherited) {
    return shown(own, "a + b").replace("class Main ", "class Main extends Parent ")
        + " class Parent implements Serializable {"
        + " private static final long serialVersionUID = 1; "
        + inherited
        + " }";
  }

  private static final String STREAMS =
      " private void writeObject(ObjectOutputStream o) throws IOException {"
          + " o.defaultWriteObject(); }"
          + " private void readObject(ObjectInputStream i) throws IOException,"
          + " ClassNotFoundException { i.defaultReadObject(); }";

  /** A class that writes itself, by default or not. */
  private static String streamed(String fields, String superclass) {
    return shown(fields + STREAMS, "a").replace("class Main ", "class Main extends Parent ")
        + " class Parent implements Serializable {"
        + " private static final long serialVersionUID = 1; "
        + superclass
        + " }";
  }

  private static String putFields(String declared, String put, String got) {
    return shown(
        "private double lat = 1; private double lon = 2;"
            + " private static final ObjectStreamField[] serialPersistentFields = {"
            + declared
            + "}; private void writeObject(ObjectOutputStream o) throws IOException {"
            + " ObjectOutputStream.PutField f = o.putFields(); "
            + put
            + " o.writeFields(); }"
            + " private void readObject(ObjectInputStream i) throws IOException,"
            + " ClassNotFoundException { ObjectInputStream.GetField f = i.readFields(); "
            + got
            + " }",
        "lat + \" \" + lon");
  }

  private static String putByDefault(String more, String put, String got) {
    return putFields("", put("lat") + put("lon") + put, got("lat") + got("lon") + got)
        .replaceFirst(
            "private static final ObjectStreamField.. serialPersistentFields = ..;", more);
  }

  private static String field(String name) {
    return "new ObjectStreamField(\"" + name + "\", double.class),";
  }

  private static String put(String name) {
    return "f.put(\"" + name + "\", " + name + ");";
  }

  private static String got(String name) {
    return name + " = f.get(\"" + name + "\", -1.0);";
  }

  private static String list(String fields) {
    return "public class Main extends ArrayList<String> {"
        + " private static final long serialVersionUID = 1; "
        + fields
        + " public static Object make() { Main m = new Main(); m.add(\"e\"); return m; } "
        + "@Override public String toString() { return super.toString() + a; } }";
  }

  private static final String INNER =
      "public record Main(List<Line> lines, Map<String, Line> more) implements Serializable {"
          + " public record Line(%s) implements Serializable {}"
          + " public static Object make() { return new Main(List.of(new Line(%s)), Map.of()); } }";

  private static final String STATE =
      "public record Main(State state) implements Serializable {"
          + " public enum State { %s }"
          + " public static Object make() { return new Main(State.SHIP); } }";

  private static final String SEALED =
      "public record Main(Shape shape) implements Serializable {"
          + " public sealed interface Shape extends Serializable {}"
          + " public record Dot(int x) implements Shape {} %s"
          + " public static Object make() { return new Main(new Dot(3)); } }";

  private static final String HELD =
      "public record Main(Object held) implements Serializable {"
          + " public record %s(int x) implements Serializable {}"
          + " public static Object make() { return new Main(new %s(3)); } }";

  private static String extending(String parent, String others) {
    return shown("int a = 1;", "a").replace("class Main ", "class Main " + parent + " ")
        + " "
        + others;
  }

  private static String parent(String name, String fields) {
    return "class "
        + name
        + " implements Serializable { private static final long serialVersionUID = 1; "
        + fields
        + " }";
  }

  private static String generic(String argument, String value) {
    return "public class Main extends Base<"
        + argument
        + "> { private static final long serialVersionUID = 1;"
        + " public static Object make() { Main m = new Main(); m.held = "
        + value
        + "; return m; } @Override public String toString() { return held.getClass() + \"\" + held;"
        + " } } class Base<T> implements Serializable {"
        + " private static final long serialVersionUID = 1; T held; }";
  }

  private static String genericList(String argument, String value) {
    return "public class Main extends ArrayList<"
        + argument
        + "> { private static final long serialVersionUID = 1;"
        + " public static Object make() { Main m = new Main(); m.add("
        + value
        + "); return m; } }";
  }

  private static String nameless(String first) {
    return "public class Main implements Serializable {"
        + " private static final long serialVersionUID = 1; Object held; "
        + " abstract static class Named implements Serializable {"
        + " private static final long serialVersionUID = 1; }"
        + " static Object other() { return "
        + first
        + "; } public static Object make() { Main m = new Main(); m.held = made(); return m; }"
        + " static Object made() { return new Named() {"
        + " int n = 2; public String toString() { return \"price \" + n; } }; }"
        + " @Override public String toString() { return \"\" + held; } }";
  }

  private static String local(String first) {
    return "public class Main implements Serializable {"
        + " private static final long serialVersionUID = 1; Object held; "
        + first
        + " public static Object make() { Main m = new Main(); m.held = made(); return m; }"
        + " static Object made() { record Local(int n) implements Serializable {}"
        + " return new Local(2); }"
        + " @Override public String toString() { return \"\" + held; } }";
  }

  private static final String EQUALS =
      "public record Main(Set<Item> items) implements Serializable { public static final class Item"
          + " implements Serializable { private static final long serialVersionUID = 1; String a;"
          + " int b; Item(String a, int b) { this.a = a; this.b = b; } public boolean equals(Object"
          + " o) { return o instanceof Item i && a.equals(i.a) %s; } public int hashCode() { return"
          + " a.hashCode(); } } public static Object make() { return new Main(new"
          + " HashSet<>(List.of(new Item(\"x\", 1) %s))); } @Override public String toString() {"
          + " return \"\" + items.size(); } }";

  /** A record whose version has a codec of its own, and what that does with other bytes. */
  private static String coded(String id, int bytes, String otherwise) {
    return ID.replaceFirst("}$", "")
        + " public static io.rockpool.codec.Codec<Main> codec() {"
        + " return new io.rockpool.codec.Codec<>() {"
        + " public String id() { return \""
        + id
        + "\"; } public byte[] encode(Main m) { return new byte["
        + bytes
        + "]; } public Main decode(byte[] b, int offset, int length) {"
        + " if (length != "
        + bytes
        + ") { "
        + otherwise
        + " } return new Main(\"o\", 7); }"
        + " public boolean immutable() { return true; } }; } }";
  }

  private static final String REFUSES =
      "throw new io.rockpool.error.UndecodableValueException(\"app.Main has other bytes\", null);";

  static {
    same("same record", ID, "Main[id=o, cents=7]");
    same(
        "same record inside",
        INNER.formatted("String sku", "\"s\""),
        "Main[lines=[Line[sku=s]], more={}]");
    same(
        "same class with a superclass",
        withParent("int a = 1; transient int t = 5;", "int b = 2;"),
        "12");
    same("same class that writes itself", streamed("int a = 1;", "int b = 2;"), "1");
    same("same list", list("int a = 1;"), "[e]1");
    same("same enum inside", STATE.formatted("PAY, SHIP"), "Main[state=SHIP]");

    lost("component gone", ID, ofRecord("String id", "\"n\""), "Main[id=o]");
    lost(
        "components reordered",
        ID,
        ofRecord("long cents, String id", "1, \"n\""),
        "Main[cents=7, id=o]");
    lost(
        "transient and static field added",
        withParent("int a = 1;", "int b = 2;"),
        withParent("int a = 1; transient int t = 5; static int s;", "int b = 2;"),
        "12");
    lost(
        "field became transient",
        shown("int a = 1; int b = 2;", "a"),
        shown("int a = 1; transient int b = 2;", "a"),
        "1");
    lost(
        "inherited field gone",
        withParent("int a = 1;", "int b = 2; int c = 3;"),
        withParent("int a = 1;", "int b = 2;"),
        "12");
    lost(
        "subtype added",
        SEALED.formatted(""),
        SEALED.formatted("public record Box(int w) implements Shape {}"),
        "Main[shape=Dot[x=3]]");
    lost(
        "constant appended",
        STATE.formatted("PAY, SHIP"),
        STATE.formatted("PAY, SHIP, LOST"),
        "Main[state=SHIP]");
    lost(
        "constant inserted",
        STATE.formatted("PAY, SHIP"),
        STATE.formatted("PAY, PACK, SHIP"),
        "Main[state=SHIP]");
    lost(
        "constants reordered",
        STATE.formatted("PAY, SHIP"),
        STATE.formatted("SHIP, PAY"),
        "Main[state=SHIP]");
    lost(
        "other constant gone",
        STATE.formatted("PAY, SHIP"),
        STATE.formatted("SHIP"),
        "Main[state=SHIP]");

    gained(
        "component added",
        ID,
        ofRecord("String id, long cents, String note", "\"n\", 1, \"\""),
        "Main[id=o, cents=7, note=null]",
        "note");
    gained(
        "component renamed",
        ID,
        ofRecord("String id, long amount", "\"n\", 1"),
        "Main[id=o, amount=0]",
        "amount");
    gained(
        "component added inside",
        INNER.formatted("String sku", "\"s\""),
        INNER.formatted("String sku, int n", "\"s\", 1"),
        "Main[lines=[Line[sku=s, n=0]], more={}]",
        "Main$Line has gained 'n'");
    gained(
        "inherited field added",
        withParent("int a = 1;", "int b = 2;"),
        withParent("int a = 1;", "int b = 2; int c = 3;"),
        "12",
        "c");
    gained(
        "first inherited field added",
        withParent("int a = 1; int b = 2;", "").replace("class Main", "final class Main"),
        withParent("int a = 1; int b = 2;", "int c = 3;").replace("class Main", "final class Main"),
        "12",
        "c");
    gained(
        "first inherited field added, class not final",
        withParent("int a = 1; int b = 2;", ""),
        withParent("int a = 1; int b = 2;", "int c = 3;"),
        "12",
        "c");
    gained("first field added", shown("", "1"), shown("int a = 3;", "1"), "1", "a");
    gained(
        "field no longer transient",
        shown("int a = 1; transient int b = 2;", "a"),
        shown("int a = 1; int b = 2;", "a"),
        "1",
        "b");
    gained(
        "field added to a class that writes itself",
        streamed("int a = 1;", "int b = 2;"),
        streamed("int a = 1; int c = 3;", "int b = 2;"),
        "1",
        "c");
    gained(
        "field added to the superclass of one",
        streamed("int a = 1;", "int b = 2;"),
        streamed("int a = 1;", "int b = 2; int c = 3;"),
        "1",
        "Parent has gained 'c'");
    gained("field added to a list", list("int a = 1;"), list("int a = 1; int b = 2;"), "[e]1", "b");

    changed(
        "String became int",
        ofRecord("String a, int b", "\"7\", 1"),
        ofRecord("int a, int b", "7, 1"),
        null,
        "'a'");
    changed(
        "int became String",
        ofRecord("int a, int b", "7, 1"),
        ofRecord("String a, int b", "\"7\", 1"),
        null,
        "'a'");
    changed("long became int", ofRecord("long a", "7"), ofRecord("int a", "7"), null, "'a'");
    changed("int became long", ofRecord("int a", "7"), ofRecord("long a", "7"), "Main[a=7]", "'a'");
    changed(
        "int became Integer", shown("int a = 7;", "a"), shown("Integer a = 1;", "a"), "7", "'a'");
    changed(
        "int became long in a class that writes itself",
        streamed("int a = 7;", ""),
        streamed("long a = 1;", ""),
        "7",
        "'a'");
    changed(
        "int became Integer in a class that writes itself",
        streamed("int a = 7;", ""),
        streamed("Integer a = 1;", ""),
        "7",
        "'a'");
    changed(
        "float became double in a class that writes itself",
        streamed("float a = 7;", ""),
        streamed("double a = 1;", ""),
        "7.0",
        "'a'");
    changed("int became long in a list", list("int a = 7;"), list("long a = 1;"), "[e]7", "'a'");
    changed(
        "int became Integer in a list", list("int a = 7;"), list("Integer a = 1;"), "[e]7", "'a'");
    changed(
        "element type changed",
        ofRecord("List<String> a", "List.of(\"x\")"),
        ofRecord("List<Integer> a", "List.of(1)"),
        null,
        "'a'");
    changed(
        "field moved to the superclass",
        withParent("int a = 1; int b = 2;", "int c = 3;"),
        withParent("int a = 1;", "int c = 3; int b = 2;"),
        null,
        "'b'");
    changed(
        "fields put by name in another order",
        putFields(field("lat") + field("lon"), put("lat") + put("lon"), got("lat") + got("lon")),
        putFields(field("lon") + field("lat"), put("lon") + put("lat"), got("lon") + got("lat")),
        "1.0 2.0",
        "");
    changed(
        "field put by name renamed",
        putFields(field("lat") + field("lon"), put("lat") + put("lon"), got("lat") + got("lon")),
        putFields(
            field("lat") + field("lng"),
            "f.put(\"lat\", lat); f.put(\"lng\", lon);",
            got("lat") + "lon = f.get(\"lng\", -1.0);"),
        "1.0 -1.0",
        "");
    changed(
        "field added to those put by name",
        putByDefault("", "", ""),
        putByDefault("private double alt = 3;", put("alt"), got("alt")),
        "1.0 2.0",
        "");
    changed("record became class", ofRecord("int a", "7"), shown("int a = 1;", "a"), "7", "");
    changed(
        "class became record", shown("int a = 7;", "a"), ofRecord("int a", "7"), "Main[a=7]", "");
    changed(
        "record became enum",
        ofRecord("int a", "7"),
        "public enum Main { A; public static Object make() { return A; } }",
        null,
        "");
    changed(
        "superclass changed",
        extending("extends One", parent("One", "int b = 2;")),
        extending("extends Two", parent("Two", "int b = 2;")),
        null,
        "");
    changed(
        "list became another",
        list("int a = 7;"),
        list("int a = 7;").replace("ArrayList<String>", "LinkedList<String>"),
        "[e]7",
        "");
    changed(
        "type argument of the superclass changed",
        generic("String", "\"x\""),
        generic("Integer", "1"),
        null,
        "");
    changed(
        "type argument of a list changed",
        genericList("String", "\"x\""),
        genericList("Integer", "1"),
        null,
        "");
    changed(
        "serialVersionUID changed",
        shown("int a = 7;", "a"),
        shown("int a = 7;", "a").replaceFirst("serialVersionUID = 1", "serialVersionUID = 2"),
        null,
        "serialVersionUID");
    changed(
        "constant gone",
        STATE.formatted("PAY, SHIP"),
        STATE.formatted("PAY, SEND").replace("State.SHIP", "State.SEND"),
        null,
        "SHIP");
    changed(
        "class inside gone",
        HELD.formatted("Line", "Line"),
        HELD.formatted("Row", "Row"),
        null,
        "Main$Line");
    changed(
        "class without a name renumbered",
        nameless("null"),
        nameless("new Named() { int n = 9; public String toString() { return \"weight \" + n; } }"),
        null,
        "Main$");
    changed(
        "local class renumbered",
        local(""),
        local(
            "static Object first() { record Local(int n) implements Serializable {"
                + " public String toString() { return \"other\"; } } return new Local(1); }"),
        null,
        "Local");
    changed(
        "elements that are equal now",
        EQUALS.formatted("&& b == i.b", ", new Item(\"x\", 2)"),
        EQUALS.formatted("", ""),
        null,
        "Main$Item");
    String own = coded("orders", 4, REFUSES);
    same("own codec: the same", own, "Main[id=o, cents=7]");
    changed("own codec: another id", own, coded("orders2", 4, REFUSES), "Main[id=o, cents=7]", "");
    changed(
        "own codec: another format", own, coded("orders", 5, REFUSES), "Main[id=o, cents=7]", "");
    changed(
        "own codec: another format, throws",
        own,
        coded("orders", 5, "b[b.length] = 1;"),
        "Main[id=o, cents=7]",
        "");
    changed(
        "own codec: another format, null",
        own,
        coded("orders", 5, "return null;"),
        "Main[id=o, cents=7]",
        "");
    changed("own codec gone", own, ID, "Main[id=o, cents=7]", "");
    changed("own codec added", ID, own, "Main[id=o, cents=7]", "");
  }
}
