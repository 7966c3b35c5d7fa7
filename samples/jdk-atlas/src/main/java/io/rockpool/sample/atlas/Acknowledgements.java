package io.rockpool.sample.atlas;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The application's own record of what the cache has acknowledged, kept outside of the cache: one
 * line for each put that returned, with the time spent until then. A run that reaches its end
 * removes it, so what the next run finds is what a killed run left.
 */
final class Acknowledgements implements AutoCloseable {
  private final Path file;
  private final List<String> keys;
  private final Duration earlier;
  private final FileChannel channel;

  private Acknowledgements(Path file, List<String> keys, Duration earlier) throws IOException {
    this.file = file;
    this.keys = keys;
    this.earlier = earlier;
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  /** Opens the record, with what a killed run left in it. */
  static Acknowledgements open(Path file) throws IOException {
    String text = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    // A line without its end was being written at the kill, and not acknowledged.
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    if (whole.length() < text.length()) {
      Files.writeString(file, whole, StandardCharsets.UTF_8);
    }
    List<String> keys = new ArrayList<>();
    long earlierMillis = 0;
    for (String line : whole.lines().toList()) {
      int space = line.indexOf(' ');
      earlierMillis = Long.parseLong(line.substring(0, space));
      keys.add(line.substring(space + 1));
    }
    return new Acknowledgements(file, List.copyOf(keys), Duration.ofMillis(earlierMillis));
  }

  /** What killed runs had acknowledged. */
  List<String> keys() {
    return keys;
  }

  /** The time that killed runs had spent. */
  Duration earlier() {
    return earlier;
  }

  /** Adds a line. It is the operating system's when this returns, so a kill does not lose it. */
  void add(String key, Duration spent) throws IOException {
    String line = earlier.plus(spent).toMillis() + " " + key + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Removes the record: the run has reached its end. */
  void finish() throws IOException {
    close();
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
