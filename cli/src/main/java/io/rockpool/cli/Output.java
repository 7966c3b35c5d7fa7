package io.rockpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;

/** Prints rows: a table, or an object a line. */
final class Output {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** So many rows of a table are printed with the same widths, unless their texts are long. */
  private static final int ROWS_AT_ONCE = 200;

  private static final long LENGTH_AT_ONCE = 1 << 20;

  private final Format format;
  private final PrintWriter out;
  private final List<Map<String, String>> pending = new ArrayList<>();

  /** The length of the texts that are pending. */
  private long pendingLength;

  /** The widths of the columns, which only grow. */
  private int[] widths = {};

  /** The columns under the last header. */
  private List<String> columns = List.of();

  private long rows;

  /** How to print. */
  enum Format {
    TEXT,
    JSON
  }

  Output(Format format, PrintWriter out) {
    this.format = format;
    this.out = out;
  }

  /** A row from names and values in turn; a null value is left out. */
  static Map<String, Object> row(@Nullable Object... namesAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      Object value = namesAndValues[at + 1];
      if (value != null) {
        row.put(String.valueOf(namesAndValues[at]), value);
      }
    }
    return row;
  }

  /** Prints a row of a table. Tables are printed in parts; end with {@link #end}. */
  void add(Map<String, Object> row) {
    if (format == Format.JSON) {
      out.println(escaped(json(row)));
      if (++rows % ROWS_AT_ONCE == 0) {
        flush();
      }
      return;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    row.forEach((name, value) -> texts.put(name, text(value)));
    pending.add(texts);
    pendingLength += texts.values().stream().mapToLong(String::length).sum();
    if (pending.size() >= ROWS_AT_ONCE || pendingLength >= LENGTH_AT_ONCE) {
      end();
    }
  }

  /** Prints the rows that are left of a table. */
  void end() {
    if (pending.isEmpty()) {
      flush();
      return;
    }
    List<String> names =
        Stream.concat(columns.stream(), pending.stream().flatMap(row -> row.keySet().stream()))
            .distinct()
            .toList();
    List<List<String>> lines = new ArrayList<>();
    if (!names.equals(columns)) {
      lines.add(names);
      columns = names;
    }
    for (Map<String, String> row : pending) {
      lines.add(names.stream().map(name -> row.getOrDefault(name, "")).toList());
    }
    if (widths.length != names.size()) {
      widths = Arrays.copyOf(widths, names.size());
    }
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    for (List<String> line : lines) {
      int gap = 0;
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        if (!cell.isEmpty()) {
          out.print(" ".repeat(gap));
          out.print(cell);
          gap = 0;
        }
        gap += widths[column] - cell.length() + 2;
      }
      out.println();
    }
    pending.clear();
    pendingLength = 0;
    flush();
  }

  /** Prints one object with a list: a line for each value, and for each element of the list. */
  void print(Map<String, Object> object, String listName, List<String> list) {
    if (format == Format.JSON) {
      if (!list.isEmpty()) {
        object.put(listName, list);
      }
      print(object);
    } else {
      print(object);
      list.forEach(line -> out.println(text(line)));
      flush();
    }
  }

  /** Prints one object: a line for each value. */
  void print(Map<String, Object> object) {
    if (format == Format.JSON) {
      out.println(escaped(json(object)));
    } else {
      int width = object.keySet().stream().mapToInt(String::length).max().orElse(0);
      object.forEach(
          (name, value) -> out.println(name + " ".repeat(width - name.length() + 2) + text(value)));
    }
    flush();
  }

  /** Fails if nothing reads the output any more, so that long work ends. */
  private void flush() {
    try {
      CheckedWriter.check(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  static String json(Object value) {
    return JSON.writeValueAsString(value);
  }

  /** A value as JSON on several lines, or text as it is. None has hidden characters. */
  static String pretty(Object value) {
    if (value instanceof CharSequence || value instanceof Number) {
      return text(value);
    }
    String json = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    return json.lines().map(Output::escaped).collect(Collectors.joining("\n"));
  }

  /** A value on one line, without hidden characters. */
  static String text(Object value) {
    return escaped(
        value instanceof CharSequence || value instanceof Number ? value.toString() : json(value));
  }

  /**
   * A text as a terminal can show it: on one line. Control characters and those that change the
   * direction or are not visible are shown as in JSON, so that a name looks like no other one.
   */
  static String escaped(String text) {
    if (text.codePoints().noneMatch(Output::isHidden)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (isHidden(c)) {
                for (char unit : Character.toChars(c)) {
                  shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
