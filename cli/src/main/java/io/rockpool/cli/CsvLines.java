package io.rockpool.cli;

import io.rockpool.structure.PersistentTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads lines of comma-separated values as in RFC 4180. */
final class CsvLines {
  private static final int END = -1;

  /** The most keys in memory, to find lines with one key in a table that was not empty. */
  private static final int MAX_KNOWN = 100_000;

  private final BufferedReader reader;
  private final List<String> columns;
  private final int keyAt;
  private final Set<String> known = new HashSet<>();
  private long lines;

  /**
   * Reads the first line, which has the names of the columns.
   *
   * @param key the column with the keys of the rows
   */
  CsvLines(BufferedReader reader, String key) throws IOException {
    this.reader = reader;
    List<String> first = next();
    this.columns = first == null ? List.of() : first;
    this.keyAt = columns.indexOf(key);
    if (keyAt < 0) {
      throw new IOException("The file has no column \"" + key + "\" but " + columns + ".");
    }
  }

  /**
   * Copies all other lines and returns their number. Refuses a line with the key of an earlier one;
   * if the table was not empty, with one of the first {@link #MAX_KNOWN}.
   */
  long copyTo(PersistentTable<String, String, String> table) throws IOException {
    boolean wasEmpty = table.isEmpty();
    long rows = 0;
    for (List<String> line = next(); line != null; line = next()) {
      if (line.size() != columns.size()) {
        throw new IOException(
            "Line " + lines + " has " + line.size() + " values; expected " + columns.size() + ".");
      }
      Map<String, String> row = new LinkedHashMap<>();
      for (int column = 0; column < columns.size(); column++) {
        if (column != keyAt) {
          row.put(columns.get(column), line.get(column));
        }
      }
      String key = line.get(keyAt);
      if (wasEmpty ? !table.row(key).isEmpty() : isRepeated(key)) {
        throw new IOException(
            "Line "
                + lines
                + " has the key \""
                + key
                + "\" of an earlier line, so it would replace that. Give a column that differs in"
                + " each line with --key.");
      }
      table.putAll(key, row);
      rows++;
    }
    return rows;
  }

  private boolean isRepeated(String key) {
    return known.size() < MAX_KNOWN ? !known.add(key) : known.contains(key);
  }

  /** The values of the next line, which may go over several lines; null at the end. */
  private @Nullable List<String> next() throws IOException {
    int next = reader.read();
    if (next == END) {
      return null;
    }
    lines++;
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean isQuoted = false;
    while (true) {
      if (next == END && isQuoted) {
        throw new IOException("Line " + lines + " has a quote that does not end.");
      }
      if (isQuoted && next == '"') {
        next = reader.read();
        if (next != '"') {
          isQuoted = false;
          continue;
        }
        value.append('"');
      } else if (isQuoted) {
        value.append((char) next);
      } else if (next == '"' && value.isEmpty()) {
        isQuoted = true;
      } else if (next == ',') {
        values.add(value.toString());
        value.setLength(0);
      } else if (next == END || next == '\n') {
        values.add(value.toString());
        return values;
      } else if (next != '\r') {
        value.append((char) next);
      }
      next = reader.read();
    }
  }
}
