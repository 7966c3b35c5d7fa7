package io.rockpool.crash;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A system call of a traced process. Calls of several threads overlap: it began before what comes
 * behind its beginning, and ended after what comes before its end.
 *
 * @param begun its place among the beginnings and ends of all calls
 * @param ended the place of its end
 * @param name which call
 * @param arguments as {@code strace -xx} writes them
 * @param result what it returned, with what is said of it
 */
record TracedCall(
    int begun, int ended, double seconds, String name, String arguments, String result) {
  private static final String UNFINISHED = " <unfinished ...>";

  /** All finished calls of a log that {@code strace -f -ttt -xx} wrote, by their ends. */
  static List<TracedCall> of(Stream<String> log) {
    List<TracedCall> calls = new ArrayList<>();
    Map<String, TracedCall> running = new HashMap<>();
    int[] place = {0};
    log.forEach(
        line -> {
          int pidEnd = line.indexOf(' ');
          String pid = line.substring(0, pidEnd);
          String timed = line.substring(pidEnd).strip();
          int timeEnd = timed.indexOf(' ');
          String said = timed.substring(timeEnd + 1);
          int at = place[0]++;
          if (said.startsWith("<... ")) {
            TracedCall begun = running.remove(pid);
            if (begun != null) {
              calls.add(
                  begun.finished(
                      at, begun.arguments + said.substring(said.indexOf("resumed>") + 8)));
            }
          } else if (said.indexOf('(') > 0) {
            double seconds = Double.parseDouble(timed.substring(0, timeEnd));
            String name = said.substring(0, said.indexOf('('));
            String rest = said.substring(said.indexOf('(') + 1);
            if (rest.endsWith(UNFINISHED)) {
              String first = rest.substring(0, rest.length() - UNFINISHED.length());
              if (name.equals("close")) {
                // Another thread may be given the number before this one is seen to end.
                calls.add(new TracedCall(at, at, seconds, name, first, "0"));
                return;
              }
              running.put(pid, new TracedCall(at, at, seconds, name, first, ""));
            } else {
              calls.add(new TracedCall(at, at, seconds, name, "", "").finished(at, rest));
            }
          }
        });
    return calls;
  }

  private TracedCall finished(int at, String rest) {
    int close = rest.lastIndexOf(") ");
    int equals = rest.indexOf("= ", close);
    return new TracedCall(
        begun,
        at,
        seconds,
        name,
        rest.substring(0, Math.max(0, close)),
        equals < 0 ? "" : rest.substring(equals + 2));
  }

  /** Whether it did what it was to do. */
  boolean succeeded() {
    return !result.isEmpty() && !result.startsWith("-") && !result.startsWith("?");
  }

  /** The number it returned. */
  int number() {
    return leadingNumber(result);
  }

  /** Its first argument, a file descriptor. */
  int descriptor() {
    return leadingNumber(arguments);
  }

  /** Its last argument, a number. */
  long lastNumber() {
    return Long.parseLong(arguments.substring(arguments.lastIndexOf(", ") + 2));
  }

  private static int leadingNumber(String text) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 ? -1 : Integer.parseInt(text.substring(0, end));
  }

  /** Its arguments in quotation marks: paths, or what is written. */
  List<byte[]> strings() {
    List<byte[]> strings = new ArrayList<>();
    int from = arguments.indexOf('"');
    while (from >= 0) {
      int to = arguments.indexOf('"', from + 1);
      strings.add(bytes(arguments, from + 1, to));
      from = arguments.indexOf('"', to + 1);
    }
    return strings;
  }

  /** One of its paths. */
  String path(int index) {
    return new String(strings().get(index), StandardCharsets.UTF_8);
  }

  /** Bytes that are written as {@code \x61\x62}. */
  private static byte[] bytes(String hex, int from, int to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((to - from) / 4);
    for (int at = from; at < to; at += 4) {
      bytes.write(
          Character.digit(hex.charAt(at + 2), 16) << 4 | Character.digit(hex.charAt(at + 3), 16));
    }
    return bytes.toByteArray();
  }
}
