package io.rockpool.internal.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalFileTest {
  private static final int HALF_BYTES = 512;

  @TempDir Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void append(JournalFile.Half half, long sequence, int count, String changes) {
    byte[] padded = bytes("<" + changes + ">");
    half.append(sequence, count, padded, 1, changes.length());
  }

  private List<String> read() {
    return JournalFile.read(directory).stream()
        .map(
            frame ->
                frame.sequence()
                    + "+"
                    + frame.count()
                    + " "
                    + new String(frame.changes(), StandardCharsets.US_ASCII))
        .toList();
  }

  @Test
  void framesAreReadInTheOrderOfTheirSequencesWhicheverHalfIsOlder() {
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 7, 2, "one");
      append(journal.first(), 9, 1, "two");
      append(journal.second(), 10, 1, "three");
      assertThat(read()).containsExactly("7+2 one", "9+1 two", "10+1 three");
      journal.first().clear();
      append(journal.first(), 11, 1, "four");
      assertThat(read()).containsExactly("10+1 three", "11+1 four");
      journal.second().clear();
      assertThat(read()).containsExactly("11+1 four");
    }
  }

  @Test
  void theBytesAreAsDocumented() throws IOException {
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 258, 3, "abc");
    }
    byte[] file = Files.readAllBytes(JournalFile.path(directory));
    assertThat(file).hasSize(2 * HALF_BYTES);
    assertThat(HexFormat.of().formatHex(file, 0, 27))
        .isEqualTo(
            "0f000000" + "c1923e26" + "0201000000000000" + "03000000" + "616263" + "00000000");
  }

  @Test
  void whatIsOlderThanTheFrameBeforeItIsNoFrame() {
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 1, 1, "old a");
      append(journal.first(), 2, 1, "old b");
      journal.first().clear();
      assertThat(read()).isEmpty();
      append(journal.first(), 3, 1, "new a");
      assertThat(read()).containsExactly("3+1 new a");
    }
  }

  @Test
  void aFrameThatIsDamagedAnywhereEndsItsHalf() throws IOException {
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 1, 1, "first");
      append(journal.first(), 2, 1, "second");
    }
    Path file = JournalFile.path(directory);
    byte[] whole = Files.readAllBytes(file);
    int second = 20 + "first".length();
    for (int bit = second * 8; bit < (second + 20 + "second".length()) * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);
      assertThat(read()).as("bit %s", bit).containsExactly("1+1 first");
    }
  }

  @Test
  void aFileThatIsCutOffAnywhereHasItsFirstFrames() throws IOException {
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 1, 1, "first");
      append(journal.first(), 2, 1, "second");
    }
    Path file = JournalFile.path(directory);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(List.of("1+1 first", "2+1 second")).containsAll(read());
    }
    Files.delete(file);
    assertThat(read()).isEmpty();
  }

  @Test
  void aNewOneIsEmptyWhateverWasThere() throws IOException {
    Files.write(JournalFile.path(directory), new byte[5 * HALF_BYTES]);
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 1, 1, "one");
    }
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      assertThat(Files.readAllBytes(JournalFile.path(directory)))
          .isEqualTo(new byte[2 * HALF_BYTES]);
      assertThat(journal.first().hasRoom(HALF_BYTES - JournalFile.FRAME_BYTES)).isTrue();
      assertThat(journal.first().hasRoom(HALF_BYTES - JournalFile.FRAME_BYTES + 1)).isFalse();
    }
  }

  @Test
  void aFrameMayFillItsHalf() {
    String changes = "x".repeat(HALF_BYTES - JournalFile.FRAME_BYTES);
    try (JournalFile journal = JournalFile.create(directory, HALF_BYTES)) {
      append(journal.first(), 1, 1, changes);
      append(journal.second(), 2, 1, changes);
      assertThat(read()).containsExactly("1+1 " + changes, "2+1 " + changes);
    }
  }
}
