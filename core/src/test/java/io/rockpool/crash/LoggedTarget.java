package io.rockpool.crash;

import io.rockpool.cache.BatchWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A target in a file, which has each change in a line and survives its process. As a writer it
 * fails at random: before anything is written, after a part, or after all.
 */
final class LoggedTarget implements BatchWriter<String, String> {
  /** Stands alone in a line: from here on, changes before it may be written again. */
  private static final String UNSURE = "unsure";

  /** For a seed: never fails. */
  static final long RELIABLE = -1;

  private final FileChannel file;
  private final SplittableRandom random;
  private final boolean reliable;

  LoggedTarget(Path file, long seed) {
    try {
      this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      append(UNSURE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.random = new SplittableRandom(seed);
    this.reliable = seed == RELIABLE;
  }

  private void append(String line) throws IOException {
    int unused = file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void writeAll(Map<String, String> entries) throws IOException {
    write(new ArrayList<>(entries.keySet()), entries, entries.keySet());
  }

  @Override
  public void deleteAll(Set<String> keys) throws IOException {
    write(new ArrayList<>(keys), Map.of(), keys);
  }

  private synchronized void write(List<String> keys, Map<String, String> values, Set<String> left)
      throws IOException {
    int fate = reliable ? 9 : random.nextInt(10);
    if (fate == 0) {
      throw new IOException("nothing is written");
    }
    int number = fate == 1 ? random.nextInt(keys.size()) : keys.size();
    for (String key : keys.subList(0, number)) {
      append(key + " " + values.getOrDefault(key, BehindVictim.REMOVED));
      if (fate == 1) {
        left.remove(key);
      }
    }
    if (fate == 1) {
      throw new IOException("a part is written");
    }
    if (fate == 2) {
      append(UNSURE);
      throw new IOException("all is written, but not known to be");
    }
  }

  void close() throws IOException {
    file.close();
  }

  /**
   * What a target has.
   *
   * @param content the values by key
   * @param repeated changes that were written twice in a row without need
   * @param changes how many lines were read
   */
  record Content(Map<String, String> content, List<String> repeated, int changes) {}

  static Content read(Path file) throws IOException {
    Map<String, String> last = new HashMap<>();
    Set<String> sure = new HashSet<>();
    List<String> repeated = new ArrayList<>();
    int changes = 0;
    for (String line : Files.readAllLines(file)) {
      if (line.equals(UNSURE)) {
        sure.clear();
        continue;
      }
      changes++;
      String key = line.substring(0, line.indexOf(' '));
      String state = line.substring(key.length() + 1);
      boolean same = state.equals(last.put(key, state));
      if (!sure.add(key) && same && !state.equals(BehindVictim.REMOVED)) {
        repeated.add(line);
      }
    }
    last.values().removeIf(BehindVictim.REMOVED::equals);
    return new Content(last, repeated, changes);
  }
}
