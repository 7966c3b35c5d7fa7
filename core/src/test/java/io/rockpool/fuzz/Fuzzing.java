package io.rockpool.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs Jazzer on every target, each in a process of its own, and ends with an error at the first
 * input that does more than being read or refused. {@code mvn -Pfuzz -pl core process-test-classes}
 * runs it for ten minutes.
 *
 * <p>What it finds to reach more of the code is in {@code target/fuzz} afterwards, as the corpus in
 * the resources is written: copy it there to keep it.
 */
public final class Fuzzing {
  private static final int INPUT_SECONDS = 20;

  private Fuzzing() {}

  /** One argument: how long, in seconds, in all. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int seconds = Integer.parseInt(arguments[0]) / FuzzTarget.values().length;
    for (FuzzTarget target : FuzzTarget.values()) {
      Path directory = Files.createDirectories(Path.of("target", "fuzz", target.corpusName()));
      for (byte[] input : target.corpus()) {
        Files.write(directory.resolve(name(input)), input);
      }
      int exit = fuzz(target, seconds, directory.toAbsolutePath());
      if (exit != 0) {
        System.err.println("Jazzer found something in " + target + ", see above.");
        System.exit(exit);
      }
      keep(directory);
    }
  }

  private static int fuzz(FuzzTarget target, int seconds, Path corpus)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A record of a few bytes that asks for more memory than this is a finding.
    command.add("-Xmx512m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target.fuzzed().getName());
    command.add("--instrumentation_includes=io.rockpool.**");
    command.add("--custom_hook_includes=io.rockpool.**");
    command.add("-max_total_time=" + seconds);
    command.add("-timeout=" + INPUT_SECONDS);
    command.add(corpus.toString());
    return new ProcessBuilder(command)
        .directory(corpus.getParent().toFile())
        .inheritIO()
        .start()
        .waitFor();
  }

  private static void keep(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        lines.add(HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
      Files.write(
          directory.resolveSibling(directory.getFileName() + ".hex"),
          lines,
          StandardCharsets.US_ASCII);
    }
  }

  /** As libFuzzer names files, so that each input is there once. */
  private static String name(byte[] input) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(input));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
