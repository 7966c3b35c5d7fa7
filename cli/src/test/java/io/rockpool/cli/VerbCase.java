package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder with a store, a backup of it, and an export, on which a verb is run. */
record VerbCase(Path folder, @Nullable Path keyFile) {
  private static final int ENTRIES = 2_000;

  private static final Set<String> PATHS = Set.of("STORE", "TARGET", "EXPORT", "OUT");

  /** What follows a verb. STORE, TARGET and EXPORT are good; OUT is new, beside the store. */
  static final Map<String, String> VERBS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("ls", "STORE"),
              Map.entry("info", "STORE"),
              Map.entry("get", "STORE names 7"),
              Map.entry("scan", "STORE names"),
              Map.entry("count", "STORE names"),
              Map.entry("stat", "STORE"),
              Map.entry("top", "STORE"),
              Map.entry("ui", "STORE --idle 1ms"),
              Map.entry("verify", "STORE --deep"),
              Map.entry("reclaim", "STORE --write"),
              Map.entry("compact", "STORE --write"),
              Map.entry("drop", "STORE other --write"),
              Map.entry("rekey", "STORE --write"),
              Map.entry("backup", "STORE OUT"),
              Map.entry("backups", "TARGET"),
              Map.entry("verify-backup", "TARGET --scratch FOLDER"),
              Map.entry("restore", "TARGET OUT"),
              Map.entry("salvage", "STORE OUT"),
              Map.entry("export", "STORE names OUT"),
              Map.entry("import", "STORE EXPORT --as imported --write")));

  private static Map<Integer, String> content() {
    return IntStream.range(0, ENTRIES)
        .boxed()
        .collect(Collectors.toMap(i -> i, i -> "v".repeat(50)));
  }

  /** Makes the folder; with a key file, the store is encrypted. */
  static VerbCase make(Path folder, @Nullable Path keyFile) throws IOException {
    VerbCase made = new VerbCase(folder, keyFile);
    Files.createDirectories(folder);
    try (Rockpool pool = made.open()) {
      pool.map("names", Integer.class, String.class).putAll(content());
      pool.map("other", Integer.class, String.class).putAll(content());
    }
    try (Rockpool pool = made.open()) {
      pool.map("names", Integer.class, String.class).put(-1, "in the log");
      pool.backups().make(TargetVerb.backups(folder.resolve("target").toString()));
    }
    made.run("export", keyFile).assertDone();
    Files.move(folder.resolve("out"), folder.resolve("export"));
    return made;
  }

  VerbCase copyTo(Path to) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(folder.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return new VerbCase(to, keyFile);
  }

  private Rockpool open() {
    var builder = Rockpool.at(folder.resolve("store"));
    return (keyFile == null
            ? builder
            : builder.encryption(Encryption.with(KeyProviders.file(keyFile))))
        .open();
  }

  /** The arguments of a verb as usual. */
  List<Object> arguments(String verb) {
    List<Object> arguments = new ArrayList<>(List.of(verb));
    for (String part : VERBS.get(verb).split(" ", -1)) {
      arguments.add(
          PATHS.contains(part)
              ? folder.resolve(part.toLowerCase(Locale.ROOT))
              : part.equals("FOLDER") ? folder : part);
    }
    return arguments;
  }

  CommandRun run(String verb, @Nullable Path withKeys) {
    List<Object> arguments = arguments(verb);
    if (withKeys != null) {
      arguments.add("--key-file=" + withKeys);
    }
    return CommandRun.of(arguments.toArray());
  }

  /** Whatever a verb did, it says so as documented. */
  static void assertPlain(String what, CommandRun ran) {
    String said = what + "\n" + ran.out() + ran.err();
    assertThat(ran.code()).as(said).isBetween(RockpoolCommand.DONE, RockpoolCommand.REFUSED);
    assertThat(ran.out() + ran.err()).as(said).doesNotContain("\tat ", "Exception");
    if (ran.code() == RockpoolCommand.REFUSED) {
      assertThat(ran.err()).as(said).startsWith("rockpool: ").doesNotContain("null");
      assertThat(ran.err().lines()).as(said).hasSize(1);
    } else if (ran.code() != RockpoolCommand.USAGE) {
      assertThat(ran.err().lines()).as(said).allMatch(line -> line.startsWith("rockpool: "));
    }
  }

  /** Everything but what {@code drop} dropped and {@code import} may have made is as it was. */
  void assertNothingLost(String verb) {
    try (Rockpool pool = open()) {
      assertThat(pool.map("names", Integer.class, String.class)).as(verb).hasSize(ENTRIES + 1);
      assertThat(pool.map("names", Integer.class, String.class)).containsAllEntriesOf(content());
      if (!verb.equals("drop")) {
        assertThat(pool.map("other", Integer.class, String.class)).as(verb).isEqualTo(content());
      }
      assertThat(pool.verify().isClean()).as(verb).isTrue();
    }
  }
}
