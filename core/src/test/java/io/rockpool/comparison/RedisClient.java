package io.rockpool.comparison;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a Redis server, in its protocol RESP2. A reply is a Long, a String, a list of
 * replies, or null. Strings are bytes as ISO 8859-1.
 */
final class RedisClient implements AutoCloseable {
  private static final int LOGGED_CALLS = 40;
  private static final Pattern VERSION = Pattern.compile("redis_version:(\\d+)");

  private final Socket socket;
  private final InputStream in;
  private final Set<String> used = new TreeSet<>();
  private final Deque<String> log = new ArrayDeque<>();

  RedisClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the commands that were called. */
  Set<String> used() {
    return used;
  }

  /** The last calls and their replies. */
  List<String> log() {
    return List.copyOf(log);
  }

  /** Calls a command; an error of the server is an exception. */
  @Nullable Object call(Object... words) {
    used.add(words[0].toString());
    try {
      send(words);
      Object reply = reply();
      if (!words[0].equals("DUMP")) {
        log.addLast(List.of(words) + " → " + reply);
      }
      if (log.size() > LOGGED_CALLS) {
        log.removeFirst();
      }
      return reply;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send(Object... words) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(("*" + words.length + "\r\n").getBytes(ISO_8859_1));
    for (Object word : words) {
      byte[] text = word.toString().getBytes(ISO_8859_1);
      bytes.write(("$" + text.length + "\r\n").getBytes(ISO_8859_1));
      bytes.write(text);
      bytes.write("\r\n".getBytes(ISO_8859_1));
    }
    socket.getOutputStream().write(bytes.toByteArray());
  }

  private @Nullable Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new IllegalStateException(rest + " after " + log);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      default -> list(Integer.parseInt(rest));
    };
  }

  private @Nullable List<@Nullable Object> list(int count) throws IOException {
    if (count < 0) {
      return null;
    }
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(reply());
    }
    return all;
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text = new String(in.readNBytes(length), ISO_8859_1);
    in.skipNBytes(2);
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("The server has closed the connection.");
      }
      if (next == '\r') {
        in.skipNBytes(1);
        return line.toString();
      }
      line.append((char) next);
    }
  }

  /** The first number of the server's version. */
  int version() {
    Matcher version = VERSION.matcher(Objects.requireNonNull(text("INFO", "server")));
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }

  long number(Object... words) {
    return (Long) Objects.requireNonNull(call(words));
  }

  @Nullable String text(Object... words) {
    return (String) call(words);
  }

  /** A reply that is a list of texts; empty for null. */
  List<String> texts(Object... words) {
    return texts(call(words));
  }

  static List<String> texts(@Nullable Object reply) {
    List<String> texts = new ArrayList<>();
    if (reply instanceof List<?> list) {
      list.forEach(text -> texts.add((String) text));
    }
    return texts;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
