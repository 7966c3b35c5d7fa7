package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Elements that expired or whose tags were invalidated, and the state of queues. */
@Timeout(120)
final class EndedElementsTest {
  @TempDir Path parent;
  private Path store = Path.of("");
  private Path copy = Path.of("");

  /** A value of a class that no name declares. */
  record Note(String text) {}

  @BeforeEach
  void name() {
    store = parent.resolve("store");
    copy = parent.resolve("copy");
  }

  private static PersistentCache<String, String> pages(Rockpool pool) {
    return pool.cache("pages", String.class, String.class);
  }

  private void fillCache() throws InterruptedException {
    try (Rockpool pool = Rockpool.open(store)) {
      var pages = pages(pool);
      pages.put("gone", "v", Set.of("a", "b"));
      pages.put("stays", "v", Set.of("b"));
      pages.put("plain", "v");
      pages.put("short", "v", Duration.ofMillis(1));
      pages.invalidateTag("a");
      pages.put("again", "v", Set.of("a"));
      Thread.sleep(5);
      // Of a live store, too: nothing but the copy has been told of the invalidation.
      try (Rockpool copied = Rockpool.at(store).openCopy()) {
        assertThat(keys(pages(copied))).containsExactlyInAnyOrder("stays", "plain", "again");
        assertThat(pages(copied).get("gone")).isNull();
      }
    }
  }

  private static List<String> keys(PersistentCache<String, String> cache) {
    return cache.keys().toList();
  }

  @Test
  void theyAreNotShownNorCounted() throws Exception {
    fillCache();
    assertThat(CommandRun.out("scan", store, "pages", "--keys-only", "--format=json").lines())
        .containsExactlyInAnyOrder(
            "{\"key\":\"stays\"}", "{\"key\":\"plain\"}", "{\"key\":\"again\"}");
    assertThat(CommandRun.out("count", store, "pages")).contains("3");
    assertThat(CommandRun.of("get", store, "pages", "gone").code()).isEqualTo(RockpoolCommand.NO);
    assertThat(CommandRun.of("get", store, "pages", "again").code()).isZero();
    assertThat(CommandRun.of("export", store, "pages", "-", "--values").out().lines())
        .hasSize(5)
        .noneMatch(line -> line.contains("gone") || line.contains("short"));
  }

  @Test
  void recordsOfThemAreNotExported_andTheOthersKeepTheirTags() throws Exception {
    fillCache();
    Path file = parent.resolve("pages.jsonl");
    CommandRun.out("export", store, "pages", file);
    assertThat(Files.readAllLines(file)).hasSize(5);
    Path cut = Files.write(parent.resolve("cut"), Files.readAllLines(file).subList(0, 3));
    assertThat(CommandRun.of("import", copy, cut, "--write").err()).contains("ends before");
    CommandRun.out("import", copy, file, "--write", "--resume");
    CommandRun.out("import", copy, file, "--write", "--as", "other");
    try (Rockpool pool = Rockpool.open(copy)) {
      var pages = pages(pool);
      assertThat(keys(pages)).containsExactlyInAnyOrder("stays", "plain", "again");
      assertThat(pages.get("stays")).isEqualTo("v");
      pages.invalidateTag("b");
      assertThat(keys(pages)).containsExactlyInAnyOrder("plain", "again");
      pages.put("stays", "w", Set.of("b"));
      assertThat(pages.get("stays")).isEqualTo("w");
      assertThat(keys(pool.cache("other", String.class, String.class))).hasSize(3);
      assertThat(pool.verify().isClean()).isTrue();
    }
    assertThat(CommandRun.out("count", copy, "pages")).contains("3");
  }

  @Test
  void valuesOfClassesThatNoNameDeclaresAreReadAfterAnImport() {
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("any", String.class, Object.class).put("k", new Note("n"));
      pool.cache("objects", String.class, Object.class).put("k", new Note("n"));
    }
    for (String name : List.of("any", "objects")) {
      CommandRun.out("export", store, name, parent.resolve(name));
      CommandRun.out("import", copy, parent.resolve(name), "--write");
    }
    try (Rockpool pool = Rockpool.open(copy)) {
      assertThat(pool.map("any", String.class, Object.class)).containsEntry("k", new Note("n"));
      assertThat(pool.cache("objects", String.class, Object.class).get("k"))
          .isEqualTo(new Note("n"));
    }
  }

  private static PersistentQueue<String> mails(Rockpool pool) {
    return pool.queue("mails", String.class, o -> o.maxDeliveries(2).deadLetters("dead"));
  }

  private void fillQueue() {
    try (Rockpool pool = Rockpool.open(store)) {
      var mails = mails(pool);
      mails.sendAll(List.of("one", "two", "three", "four"), SendOptions.defaults());
      mails.receive(1).get(0).reject("no such address");
      mails.receive(1).get(0).acknowledge();
      assertThat(mails.receive(1)).hasSize(1);
      mails.send("in a group", SendOptions.defaults().group("g"));
      mails.send("later", SendOptions.defaults().delay(Duration.ofDays(1)));
      mails.send("urgent", SendOptions.defaults().priority(9).header("to", "ann"));
      mails.send("short", SendOptions.defaults().timeToLive(Duration.ofDays(1)));
    }
  }

  @Test
  void messagesOfAQueueAreShownAndCounted() {
    fillQueue();
    assertThat(CommandRun.out("count", store, "mails")).contains("6");
    assertThat(CommandRun.out("scan", store, "mails", "--format=json").lines())
        .hasSize(6)
        .anyMatch(
            line -> line.matches(".*\"priority\":9,.*\"to\":\"ann\".*\"message\":\"urgent\"}"))
        .anyMatch(line -> line.contains("\"group\":\"g\""))
        .anyMatch(line -> line.contains("\"message\":\"short\",\"expires\""));
    assertThat(CommandRun.out("scan", store, "dead", "--format=json"))
        .contains("\"died in\":\"mails\",\"cause\":\"no such address\",\"message\":\"one\"}");
    CommandRun values = CommandRun.of("export", store, "mails", "-", "--values");
    assertThat(values.err()).contains("6 elements cannot be imported");
  }

  @Test
  void aQueueIsExportedAndImportedAsRecords() throws IOException {
    fillQueue();
    for (String name : List.of("mails", "dead")) {
      CommandRun.out("export", store, name, parent.resolve(name));
      CommandRun.out("import", copy, parent.resolve(name), "--write");
    }
    try (Rockpool pool = Rockpool.open(copy)) {
      var mails = mails(pool);
      assertThat(mails.size()).isEqualTo(6);
      assertThat(pool.verify().isClean()).as("%s", pool.verify().findings()).isTrue();
      assertThat(mails.receive(10).stream().map(each -> each.message()))
          .startsWith("urgent")
          .contains("three", "four", "in a group", "short");
      assertThat(mails.deadLetters().size()).isEqualTo(1);
    }
  }
}
