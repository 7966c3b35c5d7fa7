package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.encryption.KeyProviders;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Every verb with a damaged file, a wrong key and bad arguments: one line says why. */
@Timeout(600)
@Slow
final class HostileInputTest {
  /** What names a file that may be made, so it must not be in the working directory. */
  private static final Set<String> PATHS = Set.of("DIR", "TARGET", "OUT", "FILE");

  @TempDir Path parent;

  static Set<String> verbs() {
    return VerbCase.VERBS.keySet();
  }

  /** Each file of a store, of its backups, and an export, in turn; the next damage for the next. */
  @ParameterizedTest
  @ValueSource(strings = {"store", "target", "export"})
  void aDamagedFile(String damagedPart) throws IOException {
    VerbCase good = VerbCase.make(parent.resolve("good"), null);
    List<Path> files;
    try (Stream<Path> all = Files.walk(good.folder().resolve(damagedPart))) {
      files = all.filter(Files::isRegularFile).map(good.folder()::relativize).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    List<String> damages = List.of("removed", "cut", "overwritten");
    for (int number = 0; number < files.size(); number++) {
      String file = files.get(number).toString();
      String damage = damages.get(number % damages.size());
      VerbCase bad = good.copyTo(parent.resolve("bad-" + number));
      damage(bad.folder().resolve(file), damage);
      for (String verb : verbs()) {
        if (VerbCase.VERBS.get(verb).toLowerCase(Locale.ROOT).contains(damagedPart)) {
          VerbCase tried = isChanging(verb) ? bad.copyTo(parent.resolve(verb + number)) : bad;
          VerbCase.assertPlain(verb + " with " + file + " " + damage, tried.run(verb, null));
          DirectoryTree.delete(tried.folder().resolve("out"));
        }
      }
    }
  }

  /** What a verb says when a byte of a table is not what it was, if it must read that block. */
  private static Set<Integer> codesWithFlippedByte(String verb) {
    return switch (verb) {
      case "verify", "salvage" -> Set.of(RockpoolCommand.NO);
      case "get", "scan", "count", "export", "compact" ->
          Set.of(RockpoolCommand.DONE, RockpoolCommand.REFUSED);
      case "rekey" -> Set.of(RockpoolCommand.REFUSED); // it is not encrypted
      default -> Set.of(RockpoolCommand.DONE);
    };
  }

  /** It affects its place alone, and messages name the store's file, not that of a copy. */
  @ParameterizedTest
  @MethodSource("verbs")
  void aFlippedByteOfATable(String verb) throws IOException {
    VerbCase good = VerbCase.make(parent.resolve("good"), null);
    good.run("compact", null).assertDone();
    for (int part = 1; part < 7; part++) {
      VerbCase bad = good.copyTo(parent.resolve("bad-" + part));
      Path table = largestTable(bad.folder().resolve("store/db"));
      byte[] bytes = Files.readAllBytes(table);
      bytes[bytes.length * part / 8] ^= 1;
      Files.write(table, bytes);
      CommandRun ran = bad.run(verb, null);
      VerbCase.assertPlain(verb + " with a flipped byte", ran);
      assertThat(ran.code()).as(ran.out() + ran.err()).isIn(codesWithFlippedByte(verb));
      assertThat(ran.out() + ran.err()).doesNotContain("rockpool-temporary");
      if (!verb.equals("rekey") && ran.code() == RockpoolCommand.REFUSED) {
        assertThat(ran.err()).contains(table.toString(), "copy what is readable");
      }
    }
  }

  private static Path largestTable(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static boolean isChanging(String verb) {
    return VerbCase.VERBS.get(verb).contains("--write");
  }

  private static void damage(Path file, String damage) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (damage) {
      case "removed" -> Files.delete(file);
      case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      default -> {
        new Random(1).nextBytes(bytes);
        Files.write(file, bytes);
      }
    }
  }

  @Test
  void aWrongKey() throws IOException {
    Path key = Files.writeString(parent.resolve("key"), KeyProviders.newKey("may"));
    Path wrong = Files.writeString(parent.resolve("wrong-key"), KeyProviders.newKey("may"));
    Path text = Files.writeString(parent.resolve("text"), "no key");
    VerbCase made = VerbCase.make(parent.resolve("folder"), key);
    for (String verb : verbs()) {
      if (Set.of("backups", "restore").contains(verb)) {
        continue; // these have no keys
      }
      for (Path given : Arrays.asList(wrong, text, parent.resolve("none"), parent, null)) {
        CommandRun ran = made.run(verb, given);
        String what = verb + " with key file " + given;
        VerbCase.assertPlain(what, ran);
        assertThat(ran.code()).as(what + ran.out()).isEqualTo(RockpoolCommand.REFUSED);
        assertThat(ran.err()).as(what).containsIgnoringCase("key");
        assertThat(made.folder().resolve("out")).as(what).doesNotExist();
      }
    }
    made.assertNothingLost("");
  }

  /** Each argument and option of each verb in turn, with texts that mean nothing there. */
  @ParameterizedTest
  @MethodSource("verbs")
  void aBadArgument(String verb) throws IOException {
    VerbCase good = VerbCase.make(parent.resolve("good"), null);
    CommandLine command = new CommandLine(new RockpoolCommand()).getSubcommands().get(verb);
    int number = 0;
    for (String bad : List.of("", "-1", "99999999999999999999", "a\u0000\u202e\n")) {
      for (ArgSpec argument : command.getCommandSpec().args()) {
        if (argument.isOption() && argument.arity().max() == 0) {
          continue;
        }
        VerbCase tried = isChanging(verb) ? good.copyTo(parent.resolve("case-" + number++)) : good;
        List<Object> arguments = tried.arguments(verb);
        boolean isFile = PATHS.contains(argument.paramLabel()) && bad.matches("-?\\d+");
        String text = isFile ? tried.folder().resolve(bad).toString() : bad;
        if (argument instanceof PositionalParamSpec positional) {
          for (int at = 1; at < arguments.size(); at++) {
            if (positional.index().contains(at - 1)) {
              arguments.set(at, text);
            }
          }
        } else {
          arguments.add(((OptionSpec) argument).longestName() + "=" + text);
        }
        CommandRun ran = CommandRun.of(arguments.toArray());
        VerbCase.assertPlain(arguments.toString(), ran);
        assertThat(ran.err()).as(arguments.toString()).doesNotContain("\u202e", "\u0000");
        if (isChanging(verb) && ran.code() == RockpoolCommand.REFUSED) {
          tried.assertNothingLost(verb);
        }
        DirectoryTree.delete(tried.folder().resolve("out"));
      }
    }
    good.assertNothingLost(verb);
  }
}
