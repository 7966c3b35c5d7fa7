package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.change.ChangeLogs;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/**
 * The records of a name as JSON Lines. The first line is a header: version, name, layout,
 * attributes, the classes that the store decodes, the epochs of a cache with tags and, if the whole
 * name expires, when. Each record is a line with its hash key {@code r}, sort key {@code k} and
 * value {@code v} in base64, and its expiry {@code e} if it has one; what is empty is left out. The
 * last line has the number of records.
 */
final class RecordLines {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
  static final int VERSION = 1;

  private static final String CLASSES = "classes";

  /** The epochs of tags in the header: the current and the first one. */
  private static final String TAGS = "tags";

  /** An attribute of a name whose import is not complete: how many lines are in it. */
  private static final String IMPORTED = "import.records";

  /** The text about a name whose import has failed. */
  static final String INCOMPLETE =
      "is not complete: give --resume with the whole file, or drop it.";

  private static final int BATCH = 1_000;

  private final Engine engine;
  private final String name;
  private final Map<String, String> attributes;
  private final Space space;
  private final List<RowRecord> pending = new ArrayList<>();
  private long records;

  /** How many of the records are noted as written. */
  private long noted;

  private RecordLines(Engine engine, String name, Map<String, String> attributes, Space space) {
    this.engine = engine;
    this.name = name;
    this.attributes = attributes;
    this.space = space;
  }

  /** The attributes but that of the change feed, which stays in its store. */
  private static Map<String, String> exported(Map<String, String> attributes) {
    Map<String, String> exported = new TreeMap<>(attributes);
    exported.remove(ChangeLogs.ATTRIBUTE);
    return exported;
  }

  /** Writes a name; returns the number of its records. */
  static long write(Rockpool pool, String name, Writer writer) throws IOException {
    Engine engine = Internals.store(pool).engine();
    Space space = Objects.requireNonNull(engine.open(name));
    SpaceInfo info = space.info();
    boolean isCache = "cache".equals(info.attributes().get("type"));
    refuseForeignKeys(engine, name);
    StoredTags tags = StoredTags.of(engine, name);
    StoredTags.Epochs epochs = tags.epochs();
    Set<String> classes = Internals.store(pool).classes().names();
    Map<String, Object> header =
        Output.row(
            "rockpool",
            VERSION,
            "name",
            name,
            "layout",
            info.layout().name(),
            "attributes",
            exported(info.attributes()),
            CLASSES,
            classes.isEmpty() ? null : classes,
            TAGS,
            epochs == null ? null : List.of(epochs.now(), epochs.first()),
            "expires",
            info.expiresMillis() == Expiry.NEVER ? null : info.expiresMillis());
    writeLine(writer, header);
    long records = 0;
    try (Cursor cursor = space.scanAll()) {
      while (cursor.next()) {
        if (isCache && !isLive(cursor.value(), tags, engine.clock().millis())) {
          continue;
        }
        writeLine(
            writer,
            Output.row(
                "r", text(cursor.hashKey()),
                "k", text(cursor.sortKey()),
                "v", text(cursor.value()),
                "e", cursor.expiryMillis() == Expiry.NEVER ? null : cursor.expiryMillis()));
        records++;
      }
    }
    writeLine(writer, Map.of("records", records));
    return records;
  }

  /** Whether an entry of a cache is there: neither idle for too long nor invalidated. */
  private static boolean isLive(byte[] value, StoredTags tags, long now) {
    int unusedLength = CacheValueFormat.headerBytes(value, 0, value.length); // checks the header
    return CacheValueFormat.deadlineMillis(value, 0) > now
        && !tags.haveEnded(CacheValueFormat.tags(value, 0, value.length));
  }

  /** Refuses a cache some of whose keys are found by what lies outside of its records. */
  private static void refuseForeignKeys(Engine engine, String name) {
    Space directory = engine.open(SpaceName.HINTS + "/" + name);
    if (directory == null) {
      return;
    }
    try (Cursor cursor = directory.scanAll()) {
      while (cursor.next()) {
        if (cursor.hashKey().length > 0) {
          throw new UnsupportedOperationException(
              "The cache \""
                  + name
                  + "\" has keys that only their equals can compare, so its records cannot be"
                  + " exported; give --values.");
        }
      }
    }
  }

  private static void writeLine(Writer writer, Map<String, Object> line) throws IOException {
    writer.write(Output.json(line));
    writer.write('\n');
  }

  private static @Nullable String text(byte[] bytes) {
    return bytes.length == 0 ? null : Base64.getEncoder().encodeToString(bytes);
  }

  /** Reads the first line of a file, of records or of decoded elements. */
  static Map<String, Object> header(@Nullable String line) throws IOException {
    Map<String, Object> header = parse(line, 1);
    if (!Integer.valueOf(VERSION).equals(header.get("rockpool"))) {
      throw new IOException("The first line is not the header of an export of this version.");
    }
    return header;
  }

  /**
   * Reads a name.
   *
   * @param as its new name; null for that in the header
   * @param resume whether an earlier attempt may have written some of it
   * @return the number of records
   */
  static long read(
      Rockpool pool,
      Map<String, Object> header,
      BufferedReader reader,
      @Nullable String as,
      boolean resume)
      throws IOException {
    String name = as == null ? String.valueOf(header.get("name")) : as;
    Layout layout = Layout.valueOf(String.valueOf(header.get("layout")));
    Map<String, String> attributes = new TreeMap<>();
    if (header.get("attributes") instanceof Map<?, ?> all) {
      all.forEach((key, value) -> attributes.put(key.toString(), value.toString()));
    }
    Engine engine = Internals.store(pool).engine();
    SpaceInfo there = engine.describe(name);
    StoredTags.Epochs epochs = epochs(header);
    long expires = number(header, "expires", 1);
    if (epochs != null) {
      engine.require(Capability.COLLECTIONS); // before anything is made
    }
    long done = 0;
    Space space;
    if (there == null) {
      Map<String, String> begun = new TreeMap<>(attributes);
      begun.put(IMPORTED, "0");
      space = engine.create(new SpaceSpec(name, layout, begun));
    } else {
      String imported = there.attributes().get(IMPORTED);
      if (imported == null || !resume) {
        throw new IllegalStateException(
            "The store has a name \""
                + name
                + (imported == null
                    ? "\" already; drop it, or import it as another name."
                    : "\" whose import is not complete; give --resume, or drop it."));
      }
      done = Long.parseLong(imported);
      space = Objects.requireNonNull(engine.open(name));
    }
    RecordLines lines = new RecordLines(engine, name, attributes, space);
    try {
      if (header.get(CLASSES) instanceof List<?> classes) {
        classes.forEach(each -> Internals.store(pool).classes().add(each.toString()));
      }
      if (epochs != null) {
        StoredTags.create(engine, name, epochs);
      }
      lines.copy(reader, done);
      if (expires != Expiry.NEVER) {
        space.expireAt(expires);
      }
      engine.setAttributes(name, attributes);
      return lines.records;
    } catch (Throwable e) {
      UnfinishedImport.after(e, pool, name, there == null && lines.noted == 0, INCOMPLETE);
      throw e;
    }
  }

  private static StoredTags.@Nullable Epochs epochs(Map<String, Object> header) throws IOException {
    Object tags = header.get(TAGS);
    if (tags == null) {
      return null;
    }
    if (tags instanceof List<?> both && both.size() == 2) {
      Long now = whole(both.get(0));
      Long first = whole(both.get(1));
      if (now != null && first != null) {
        return new StoredTags.Epochs(now, first);
      }
    }
    throw new IOException("Line 1 has \"" + TAGS + "\" that are not two numbers of 64 bits.");
  }

  /** A number as a long; null for what is none, or does not fit. */
  private static @Nullable Long whole(@Nullable Object json) {
    return json instanceof Integer || json instanceof Long ? ((Number) json).longValue() : null;
  }

  /** A number in a line, or {@link Expiry#NEVER} if the line does not have it. */
  private static long number(Map<String, Object> line, String property, long lineNumber)
      throws IOException {
    Object json = line.get(property);
    if (json == null) {
      return Expiry.NEVER;
    }
    Long number = whole(json);
    if (number == null) {
      throw new IOException(
          "Line " + lineNumber + " has no number of 64 bits as \"" + property + "\".");
    }
    return number;
  }

  private void copy(BufferedReader reader, long done) throws IOException {
    while (true) {
      Map<String, Object> line = parse(reader.readLine(), records + 2);
      if (line.get("records") instanceof Number all) {
        writePending();
        if (!all.toString().equals(Long.toString(records))) {
          throw new IOException(
              "The file has " + records + " records where " + all + " were exported.");
        }
        return;
      }
      records++;
      if (records > done) {
        pending.add(
            new RowRecord(
                bytes(line, "r"),
                bytes(line, "k"),
                bytes(line, "v"),
                number(line, "e", records + 1)));
        if (pending.size() >= BATCH) {
          writePending();
        }
      }
    }
  }

  /** Writes records again that an interrupted attempt wrote after it had noted their number. */
  private void writePending() {
    if (space.info().layout() == Layout.ENTRIES) {
      space.putAll(pending);
    } else {
      int from = 0;
      while (from < pending.size()) {
        byte[] row = pending.get(from).hashKey();
        int to = from;
        while (to < pending.size() && Arrays.equals(pending.get(to).hashKey(), row)) {
          to++;
        }
        putRow(row, pending.subList(from, to));
        from = to;
      }
    }
    pending.clear();
    Map<String, String> progress = new TreeMap<>(attributes);
    progress.put(IMPORTED, Long.toString(records));
    engine.setAttributes(name, progress);
    noted = records;
  }

  private void putRow(byte[] row, List<RowRecord> records) {
    space.transact(
        row,
        changed -> {
          for (RowRecord record : records) {
            if (isCounted(record)) {
              changed.putCounted(record.sortKey(), record.value(), record.expiryMillis());
            } else {
              changed.put(record.sortKey(), record.value(), record.expiryMillis());
            }
          }
          return row;
        });
  }

  /** Whether a record is an element, not part of an index of a structure. */
  private boolean isCounted(RowRecord record) {
    byte[] sortKey = record.sortKey();
    return switch (String.valueOf(attributes.get("type"))) {
      case "deque" -> sortKey.length > 0;
      case "scored set" -> sortKey.length > 0 && sortKey[0] == ScoredSetFormat.MEMBER;
      case "queue", "timer" ->
          record.expiryMillis() != Expiry.NEVER && QueueMessages.isMessage(sortKey, record.value());
      default -> true;
    };
  }

  private byte[] bytes(Map<String, Object> line, String property) throws IOException {
    Object text = line.get(property);
    try {
      return text == null ? new byte[0] : Base64.getDecoder().decode(text.toString());
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "Line " + (records + 1) + " has no Base64 as \"" + property + "\": " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> parse(@Nullable String line, long number) throws IOException {
    if (line == null) {
      throw new EOFException("The file ends before its last line; export it again.");
    }
    try {
      return JSON.readValue(line, OBJECT);
    } catch (JacksonException e) {
      throw new IOException(
          "Line " + number + " is not one of an export: " + e.getOriginalMessage(), e);
    }
  }
}
