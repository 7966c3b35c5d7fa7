package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.change.ChangeLogs;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The decoded elements of a name as JSON Lines. The first line is a header: version, name, type,
 * types and codecs of keys and values, options and, if the whole name expires, when. The last line
 * has the number of elements.
 */
final class ElementLines {
  /** False in the line of an element that JSON does not keep as it is. */
  static final String EXACT = "exact";

  /** The number of elements, in the last line. */
  static final String RECORDS = "records";

  private static final String EXPIRES = "expires";

  /** Begins the attributes of a name that are its options. */
  private static final String OPTION = "option.";

  /**
   * An option of a name whose import is not complete: how many lines are in it. As an option it
   * stays when the name is opened to go on.
   */
  private static final String IMPORTED = OPTION + "import.elements";

  private static final int BATCH = 1_000;

  private final Rockpool pool;
  private final ElementWriter writer;
  private final List<ElementWriter.Item> pending = new ArrayList<>();
  private long lines;

  /** How many of the lines are noted as written. */
  private long noted;

  private ElementLines(Rockpool pool, ElementWriter writer) {
    this.pool = pool;
    this.writer = writer;
  }

  /** The first line. */
  static Map<String, Object> header(Description name) {
    Map<String, String> options = new TreeMap<>(name.options());
    options.remove(ChangeLogs.ATTRIBUTE);
    if (!name.type().equals("cache")) {
      options.keySet().retainAll(ElementHeader.STRUCTURE_OPTIONS); // not the layout of its records
    }
    return Output.row(
        "rockpool",
        RecordLines.VERSION,
        "name",
        name.name(),
        "type",
        name.type(),
        "key",
        name.keyType(),
        "value",
        name.valueType().orElse(null),
        "key-codec",
        name.keyCodec(),
        "value-codec",
        name.valueCodec().orElse(null),
        "options",
        options.isEmpty() ? null : options,
        EXPIRES,
        name.expires().map(Instant::toString).orElse(null));
  }

  /** Whether a first line is that of decoded elements. */
  static boolean isHeader(Map<String, Object> header) {
    return header.containsKey("type");
  }

  /**
   * Reads a name.
   *
   * @param as its new name; null for that in the header
   * @param resume whether an earlier attempt may have written some of it
   * @return the number of elements
   */
  static long read(
      Rockpool pool,
      Map<String, Object> header,
      BufferedReader reader,
      @Nullable String as,
      boolean resume,
      ClassLoader classes)
      throws IOException {
    String name = as == null ? text(header, "name") : as;
    Engine engine = Internals.store(pool).engine();
    SpaceInfo there = engine.describe(name);
    String imported = there == null ? null : there.attributes().get(IMPORTED);
    if (there != null && (imported == null || !resume)) {
      throw new IllegalStateException(
          "The store has a name \""
              + name
              + (imported == null
                  ? "\" already; drop it, or import it as another name."
                  : "\" whose import is not complete; give --resume, or drop it."));
    }
    ElementHeader types = ElementHeader.of(header, classes);
    ElementWriter writer = ElementWriter.open(pool, name, types);
    ElementLines lines = new ElementLines(pool, writer);
    try {
      types.requireCodecs(pool.names().find(name).orElseThrow());
      if (imported != null && !writer.isRepeatable()) {
        writer.clear(); // elements that are written again would be there twice
      }
      lines.copy(name, types, reader, imported == null ? 0 : writer.done(Long.parseLong(imported)));
      return lines.lines;
    } catch (Throwable e) {
      boolean isDropped = there == null && lines.noted == 0;
      UnfinishedImport.after(e, pool, name, isDropped, RecordLines.INCOMPLETE);
      throw e;
    }
  }

  private void copy(String name, ElementHeader types, BufferedReader reader, long done)
      throws IOException {
    Engine engine = Internals.store(pool).engine();
    Map<String, String> attributes =
        new TreeMap<>(Objects.requireNonNull(engine.describe(name)).attributes());
    note(engine, name, attributes, done);
    while (true) {
      JsonNode line = parse(reader.readLine(), lines + 2);
      if (line.has(RECORDS)) {
        writer.write(pending);
        long all = line.get(RECORDS).asLong(-1);
        if (all != lines) {
          throw new IOException("The file has " + lines + " elements; its last line says " + all);
        }
        break;
      }
      lines++;
      if (lines > done) {
        add(line, types);
        if (pending.size() >= BATCH) {
          writer.write(pending);
          pending.clear();
          note(engine, name, attributes, lines);
          noted = lines;
        }
      }
    }
    writer.close();
    attributes.remove(IMPORTED);
    types.options().forEach((option, value) -> attributes.put(OPTION + option, value));
    types.expires().ifPresent(Objects.requireNonNull(engine.open(name))::expireAt);
    engine.setAttributes(name, attributes);
  }

  private static void note(Engine engine, String name, Map<String, String> attributes, long lines) {
    attributes.put(IMPORTED, Long.toString(lines));
    engine.setAttributes(name, attributes);
  }

  /** Adds the element of a line, unless it has expired. */
  private void add(JsonNode line, ElementHeader types) throws IOException {
    try {
      if (line.has(EXACT)) {
        throw new IllegalArgumentException(
            "JSON does not keep this element as it is. Export it with --classpath, or as a"
                + " record.");
      }
      Set<String> expected = types.properties();
      for (String property : line.propertyNames()) {
        if (!expected.contains(property) && !property.equals(EXPIRES)) {
          throw new IllegalArgumentException(
              "there is no \"" + property + "\" in a " + types.type() + ", but " + expected + ".");
        }
      }
      Object row = part(line, "row", types.row());
      Object key = part(line, types.keyProperty(), types.key());
      Object value = part(line, types.valueProperty(), types.value());
      Double score = types.isScored() ? score(part(line, "score")) : null;
      Duration ttl = null;
      if (line.has(EXPIRES)) {
        long now = Internals.store(pool).engine().clock().millis();
        long millis = Math.max(0, millis(line.get(EXPIRES))) - now; // also of the least number
        if (types.type().equals("deque")) {
          throw new IllegalArgumentException("elements of a deque have no expiry of their own.");
        }
        if (millis <= 0) {
          return;
        }
        ttl = Duration.ofMillis(millis);
      }
      pending.add(new ElementWriter.Item(row, key, value, score, ttl));
    } catch (IllegalArgumentException e) {
      throw new IOException("Line " + (lines + 1) + " was refused: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object part(
      JsonNode line, @Nullable String property, @Nullable TypeRef<?> type) {
    return property == null || type == null ? null : JsonValues.read(part(line, property), type);
  }

  private static JsonNode part(JsonNode line, String property) {
    JsonNode part = line.get(property);
    if (part == null) {
      throw new IllegalArgumentException("it has no \"" + property + "\".");
    }
    return part;
  }

  private static Double score(JsonNode json) {
    return (Double) JsonValues.read(json, TypeRef.of(Double.class));
  }

  /** A time in milliseconds since the epoch, of a number of these or of a text as ISO 8601 has. */
  static long millis(JsonNode json) {
    try {
      return json.canConvertToLong()
          ? json.asLong()
          : Instant.parse(json.asString()).toEpochMilli();
    } catch (DateTimeException | JacksonException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "\"expires\" is " + json + "; expected a time such as \"2026-01-31T12:00:00Z\".", e);
    }
  }

  static String text(Map<String, Object> header, String property) throws IOException {
    if (!(header.get(property) instanceof String text)) {
      throw new IOException("Line 1 has no text for \"" + property + "\".");
    }
    return text;
  }

  private static JsonNode parse(@Nullable String line, long number) throws IOException {
    if (line == null) {
      throw new EOFException(
          "The file ends before its last line, which has the number of elements as \"records\".");
    }
    try {
      JsonNode json = JsonValues.parse(line);
      if (json.isObject()) {
        return json;
      }
    } catch (JacksonException e) {
      throw new IOException("Line " + number + " is not JSON: " + e.getOriginalMessage(), e);
    }
    throw new IOException("Line " + number + " is not an object in JSON.");
  }
}
