package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk has of these calls, which are written as strace writes them. */
class DiskTest {
  private static final Path ROOT = Path.of("/store");

  @TempDir Path parent;
  private final List<String> log = new ArrayList<>();

  private void call(String call) {
    log.add("7 1700000000.000000 " + call);
  }

  private static String hex(String text) {
    StringBuilder hex = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.US_ASCII)) {
      hex.append("\\x%02x".formatted(each));
    }
    return hex.toString();
  }

  private void open(int descriptor, String path, String flags) {
    call("openat(AT_FDCWD, \"%s\", %s) = %d".formatted(hex(path), flags, descriptor));
  }

  private void write(int descriptor, String text) {
    int length = text.length();
    call("write(%d, \"%s\", %d) = %d".formatted(descriptor, hex(text), length, length));
  }

  private Disk disk() {
    Disk disk = new Disk(ROOT);
    TracedCall.of(log.stream()).forEach(disk::apply);
    return disk;
  }

  private Path forced() throws IOException {
    Path to = parent.resolve("forced");
    disk().writeForced(to);
    return to;
  }

  @Test
  void whatWasForcedIsThereUnderANameThatWasForced() throws IOException {
    open(3, "/store/file", "O_WRONLY|O_CREAT, 0644");
    write(3, "forced");
    call("fdatasync(3) = 0");
    write(3, ", and not");
    assertThat(forced()).isEmptyDirectory();
    open(4, "/store", "O_RDONLY");
    call("fsync(4) = 0");
    assertThat(forced().resolve("file")).hasContent("forced");
  }

  @Test
  void whatWasCutOffIsZeroWhereTheFileGrowsAgain() throws IOException {
    open(3, "/store/file", "O_WRONLY|O_CREAT, 0644");
    write(3, "abcdef");
    call("ftruncate(3, 2) = 0");
    write(3, "gh");
    call("ftruncate(3, 10) = 0");
    call("pwrite64(3, \"%s\", 1, 1) = 1".formatted(hex("x")));
    call("fdatasync(3) = 0");
    open(4, "/store", "O_RDONLY");
    call("fsync(4) = 0");
    assertThat(forced().resolve("file")).hasContent("ax\0\0\0\0gh\0\0");
  }

  @Test
  void aForceIsOfWhatWasWrittenBeforeItBegan() throws IOException {
    open(3, "/store/file", "O_WRONLY|O_CREAT, 0644");
    open(4, "/store", "O_RDONLY");
    call("fsync(4) = 0");
    call("pwrite64(3, \"%s\", 2, 0) = 2".formatted(hex("ab")));
    log.add("8 1700000000.000000 fsync(3 <unfinished ...>");
    call("pwrite64(3, \"%s\", 1, 1) = 1".formatted(hex("c")));
    log.add("8 1700000000.000000 <... fsync resumed>) = 0");
    assertThat(forced().resolve("file")).hasContent("ab");
    call("fsync(3) = 0");
    assertThat(forced().resolve("file")).hasContent("ac");
  }

  @Test
  void aNumberIsAnothersAsSoonAsItsFileIsBeingClosed() throws IOException {
    open(3, "/elsewhere", "O_WRONLY|O_CREAT, 0644");
    log.add("8 1700000000.000000 close(3 <unfinished ...>");
    open(3, "/store/file", "O_WRONLY|O_CREAT, 0644");
    log.add("8 1700000000.000000 <... close resumed>) = 0");
    write(3, "text");
    call("fsync(3) = 0");
    open(4, "/store", "O_RDONLY");
    call("fsync(4) = 0");
    assertThat(forced().resolve("file")).hasContent("text");
  }

  @Test
  void aNameIsGoneOnceThatIsForced() throws IOException {
    open(4, "/store", "O_RDONLY");
    open(3, "/store/new", "O_WRONLY|O_CREAT, 0644");
    write(3, "text");
    call("fsync(3) = 0");
    call("fsync(4) = 0");
    call("rename(\"%s\", \"%s\") = 0".formatted(hex("/store/new"), hex("/store/file")));
    assertThat(forced().resolve("new")).hasContent("text");
    call("fsync(4) = 0");
    Path disk = parent.resolve("renamed");
    disk().writeForced(disk);
    assertThat(disk.resolve("file")).hasContent("text");
    assertThat(disk.resolve("new")).doesNotExist();
  }

  @Test
  void ofWhatWasNotForcedThereMayBeTheBeginning() throws IOException {
    open(3, "/store/file", "O_WRONLY|O_CREAT|O_APPEND, 0644");
    open(4, "/store", "O_RDONLY");
    call("fsync(4) = 0");
    write(3, "forced");
    call("fsync(3) = 0");
    write(3, " more");
    write(3, " and more");
    for (int seed = 0; seed < 20; seed++) {
      Path to = parent.resolve("some-" + seed);
      disk().writeSome(to, new Random(seed));
      String found = Files.readString(to.resolve("file"));
      assertThat(found).startsWith("forced");
      assertThat("forced more and more").startsWith(found);
    }
  }
}
