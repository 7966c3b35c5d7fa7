package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every verb has its manual page, and it says what the command's help says. */
final class ManualTest {
  private static final Path PAGES = Path.of("../docs/man/man1");

  @Test
  void thePagesAreThoseOfTheCommand() throws IOException {
    Map<String, String> pages = ManualPage.all(new CommandLine(new RockpoolCommand()));
    assertThat(pages).hasSizeGreaterThan(20).containsKeys("rockpool.1", "rockpool-scan.1");
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.createDirectories(PAGES);
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(PAGES.resolve(page.getKey()), page.getValue());
      }
    }
    try (Stream<Path> files = Files.list(PAGES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(pages.keySet());
    }
    for (Map.Entry<String, String> page : pages.entrySet()) {
      assertThat(Files.readString(PAGES.resolve(page.getKey())))
          .as(page.getKey() + "; write it with -Drockpool.test.writePages=true")
          .isEqualTo(page.getValue());
    }
  }

  @Test
  void everyVerbHasASentenceAndEachOfItsOptionsADescription() {
    new CommandLine(new RockpoolCommand())
        .getSubcommands()
        .forEach(
            (name, verb) -> {
              assertThat(verb.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
              assertThat(verb.getCommandSpec().args())
                  .as(name)
                  .allSatisfy(each -> assertThat(each.description()).isNotEmpty());
            });
  }
}
