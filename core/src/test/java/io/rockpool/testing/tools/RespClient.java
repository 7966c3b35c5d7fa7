package io.rockpool.testing.tools;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis server on loopback, in its protocol RESP2. It does what tests ask of
 * redis-cli.
 */
final class RespClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  /** An error that the server has answered. */
  static final class ServerErrorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerErrorException(String message) {
      super(message);
    }
  }

  RespClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Limits the wait for an answer. */
  void limit(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** The answer of a command: a text, a number, a list of answers, or null. */
  @Nullable Object call(String... words) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (String word : words) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      bytes.write(("$" + text.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      bytes.write(text);
      bytes.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    socket.getOutputStream().write(bytes.toByteArray());
    return answer();
  }

  private @Nullable Object answer() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '-' -> throw new ServerErrorException(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      default -> list(Integer.parseInt(rest));
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    in.skipNBytes(2);
    return text;
  }

  private List<@Nullable Object> list(int length) throws IOException {
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      all.add(answer());
    }
    return all;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("The server has closed the connection.");
      }
      line.write(next);
    }
    in.skipNBytes(1);
    return line.toString(StandardCharsets.UTF_8);
  }

  /** As redis-cli prints it into a file: one line for each element, and errors as text. */
  String text(String... words) throws IOException {
    try {
      List<String> lines = new ArrayList<>();
      print(call(words), lines);
      return String.join("\n", lines).strip().replace("\r\n", "\n");
    } catch (ServerErrorException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void print(@Nullable Object answer, List<String> lines) {
    if (answer instanceof List<?> list) {
      list.forEach(each -> print(each, lines));
    } else {
      lines.add(answer == null ? "" : answer.toString());
    }
  }

  /** The keys that match a pattern. */
  List<String> scan(String pattern) throws IOException {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      List<?> page = (List<?>) call("SCAN", cursor, "MATCH", pattern, "COUNT", "1000");
      if (page == null) {
        throw new IOException("SCAN has no answer");
      }
      cursor = String.valueOf(page.get(0));
      print(page.get(1), keys);
    } while (!cursor.equals("0"));
    return keys;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
