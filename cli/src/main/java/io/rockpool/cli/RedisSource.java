package io.rockpool.cli;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection to a Redis server from which data is read, in its protocol. */
final class RedisSource implements AutoCloseable {
  private static final int DEFAULT_PORT = 6379;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int LINE_END_BYTES = 2;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** A value that is not text in UTF-8. */
  static final class NoTextException extends IOException {
    private static final long serialVersionUID = 1L;

    NoTextException() {
      super("it has bytes that are not text in UTF-8");
    }
  }

  /** Connects to {@code redis://[user:password@]host[:port][/database]}. */
  RedisSource(URI uri) throws IOException {
    if (!"redis".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException("Give the server as redis://host:port.");
    }
    socket = new Socket(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream());
    try {
      if (uri.getUserInfo() != null) {
        String[] user = uri.getUserInfo().split(":", 2);
        if (user.length == 2 && !user[0].isEmpty()) {
          call("AUTH", user[0], user[1]);
        } else {
          call("AUTH", user[user.length - 1]);
        }
      }
      String database = uri.getPath() == null ? "" : uri.getPath().replace("/", "");
      if (!database.isEmpty()) {
        call("SELECT", database);
      }
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** The reply of a command that returns text. */
  @Nullable String text(String... words) throws IOException {
    return text(call(words));
  }

  /** The reply of a command that returns a number. */
  long number(String... words) throws IOException {
    return (Long) Objects.requireNonNull(call(words));
  }

  /** The reply of a command that returns a list of texts. */
  List<String> texts(String... words) throws IOException {
    return texts(Objects.requireNonNull(call(words)));
  }

  /** The texts of a list. */
  static List<String> texts(Object reply) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Object part : (List<?>) reply) {
      texts.add(Objects.requireNonNull(text(part)));
    }
    return texts;
  }

  /** The text of a reply. */
  static @Nullable String text(@Nullable Object reply) throws IOException {
    if (!(reply instanceof byte[] bytes)) {
      return reply == null ? null : reply.toString();
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new NoTextException();
    }
  }

  /** A Long, bytes, a list of replies, or null. */
  @Nullable Object call(String... words) throws IOException {
    write("*" + words.length + "\r\n");
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      write("$" + bytes.length + "\r\n");
      out.write(bytes);
      write("\r\n");
    }
    out.flush();
    return reply(words[0]);
  }

  private void write(String ascii) throws IOException {
    out.write(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  private @Nullable Object reply(String command) throws IOException {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+':
        return rest.getBytes(StandardCharsets.UTF_8);
      case ':':
        return Long.valueOf(rest);
      case '$':
        int length = Integer.parseInt(rest);
        if (length < 0) {
          return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.readNBytes(LINE_END_BYTES).length < LINE_END_BYTES) {
          throw new EOFException("The Redis server closed the connection.");
        }
        return bytes;
      case '*':
        int parts = Integer.parseInt(rest);
        List<@Nullable Object> list = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
          list.add(reply(command));
        }
        return list;
      default:
        throw new IOException("The Redis server refused " + command + ": " + rest);
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    while (next >= 0 && next != '\r') {
      line.write(next);
      next = in.read();
    }
    if (in.read() < 0 || line.size() == 0) {
      throw new EOFException("The Redis server closed the connection.");
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
