package io.rockpool.internal.backup;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/**
 * Writes JSON: objects from maps, arrays from collections, strings, and integers from {@link Long}.
 * Each object of an array has a line of its own, for people who read it.
 */
final class JsonWriter {
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_ASCII = 0x7E;

  private final StringBuilder text = new StringBuilder();

  private JsonWriter() {}

  static String write(Map<String, ?> object) {
    JsonWriter writer = new JsonWriter();
    writer.append(object);
    return writer.text.append('\n').toString();
  }

  private void append(Object value) {
    if (value instanceof Map<?, ?> object) {
      appendObject(object);
    } else if (value instanceof Collection<?> array) {
      appendArray(array);
    } else if (value instanceof Long number) {
      text.append(number.longValue());
    } else {
      appendString((String) value);
    }
  }

  private void appendObject(Map<?, ?> object) {
    String separator = "{";
    for (Map.Entry<?, ?> member : object.entrySet()) {
      text.append(separator);
      append(member.getKey());
      text.append(':');
      append(member.getValue());
      separator = ",";
    }
    text.append(object.isEmpty() ? "{}" : "}");
  }

  private void appendArray(Collection<?> array) {
    String separator = "[\n";
    for (Object value : array) {
      text.append(separator);
      append(value);
      separator = ",\n";
    }
    text.append(array.isEmpty() ? "[]" : "\n]");
  }

  private void appendString(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < FIRST_PRINTABLE || c > LAST_ASCII) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
