package io.rockpool.internal.backup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@link JsonWriter} writes: an object of strings, integers, arrays and objects. Strict:
 * refuses other values, repeated names, deep nesting and trailing text. A refusal is an {@link
 * IllegalArgumentException}.
 */
final class JsonReader {
  private static final int MAX_DEPTH = 8;
  private static final int UNICODE_DIGITS = 4;
  private static final int HEXADECIMAL = 16;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  static Map<String, Object> read(String text) {
    JsonReader reader = new JsonReader(text);
    Map<String, Object> object = reader.object(0);
    reader.skipBlanks();
    if (reader.at < text.length()) {
      throw reader.refusal("the end");
    }
    return object;
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw refusal("fewer levels");
    }
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    expect('{');
    if (!skipIf('}')) {
      do {
        String name = string();
        expect(':');
        if (object.put(name, value(depth + 1)) != null) {
          throw refusal("a name only once, not again \"" + name + '"');
        }
      } while (skipIf(','));
      expect('}');
    }
    return object;
  }

  private List<Object> array(int depth) {
    List<Object> array = new ArrayList<>();
    expect('[');
    if (!skipIf(']')) {
      do {
        array.add(value(depth + 1));
      } while (skipIf(','));
      expect(']');
    }
    return array;
  }

  private Long number() {
    int from = at;
    while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Long.valueOf(text.substring(from, at));
    } catch (NumberFormatException e) {
      throw refusal("a value");
    }
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      string.append(c == '\\' ? escaped() : c);
    }
    return string.toString();
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw refusal("an escape");
    };
  }

  private char unicode() {
    int from = at;
    at += UNICODE_DIGITS;
    try {
      return (char) Integer.parseInt(text.substring(from, at), HEXADECIMAL);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw refusal("four hexadecimal digits");
    }
  }

  private char next() {
    if (at >= text.length()) {
      throw refusal("more text");
    }
    return text.charAt(at++);
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    skipBlanks();
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean skipIf(char c) {
    boolean there = peek() == c;
    if (there) {
      at++;
    }
    return there;
  }

  private void expect(char c) {
    if (!skipIf(c)) {
      throw refusal("'" + c + "'");
    }
  }

  private IllegalArgumentException refusal(String expected) {
    return new IllegalArgumentException("expected " + expected + " at character " + at);
  }
}
