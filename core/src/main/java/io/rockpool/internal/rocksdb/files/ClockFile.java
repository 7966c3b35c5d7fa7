package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code clock} of a store: the time of its last opening or close, in milliseconds since
 * the epoch in decimal, and a line feed. Shows at the next opening that the clock was ahead. Not
 * forced to disk, and no error if it cannot be read or written: it only serves a warning.
 */
public final class ClockFile {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);
  private static final Pattern TEXT = Pattern.compile("\\d{1,18}\n");

  /** Clocks of machines that take turns, and leap seconds, differ by less. */
  private static final Duration TOLERATED = Duration.ofMinutes(1);

  private static final Set<OpenOption> WRITE =
      Set.of(
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);

  private ClockFile() {}

  /** Logs one warning if the clock was ahead at the last opening or close; notes the time. */
  public static void opened(Path directory, Instant now) {
    Instant last = read(directory);
    if (last != null && last.minus(TOLERATED).isAfter(now)) {
      LOG.warn(
          "The store at {} was last used at {}, which is {} after now, {}. The clock was ahead, or"
              + " is behind. What was written before lives longer by that: times to live, locks,"
              + " timers and delayed messages. See \"Clock\" in bad-days.md.",
          directory,
          last,
          Duration.between(now, last),
          now);
    }
    note(directory, now);
  }

  /** Notes the time. */
  public static void note(Path directory, Instant now) {
    String text = Math.max(0, now.toEpochMilli()) + "\n";
    Path file = file(directory);
    try (SeekableByteChannel out = Files.newByteChannel(file, WRITE, FileModes.file(file))) {
      int unused = out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      LOG.debug("The time is not noted in {}.", directory, e);
    }
  }

  private static @Nullable Instant read(Path directory) {
    try {
      String text = Files.readString(file(directory), StandardCharsets.ISO_8859_1);
      return TEXT.matcher(text).matches()
          ? Instant.ofEpochMilli(Long.parseLong(text.strip()))
          : null;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      LOG.debug("The time of the last use of {} cannot be read.", directory, e);
      return null;
    }
  }

  private static Path file(Path directory) {
    return directory.resolve(StoreDirectory.CLOCK);
  }
}
