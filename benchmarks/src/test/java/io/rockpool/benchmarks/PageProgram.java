package io.rockpool.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The programs of a page: its blocks of Java, each with its own imports and types. A block of text
 * that follows a block of Java is what that prints. They are compiled one by one, and run in order
 * in one process and one working directory.
 */
final class PageProgram {
  private static final String PACKAGE = "page";

  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```java\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?");

  /** A type at the first column, which ends with its line or with a brace at the first column. */
  private static final Pattern TYPE =
      Pattern.compile(
          "(?ms)^(?:@\\w[^\n]*\n)*(?:class|record|interface|enum) (\\w+)"
              + "(?:[^\n]*\\}$|.*?^\\}$)");

  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*\n");

  /** One block of Java, and what it is to print. */
  record Program(String code, String output) {
    String imports() {
      return IMPORT.matcher(code).results().map(line -> line.group()).collect(Collectors.joining());
    }

    /** The types by their names, in the order of the block. */
    Map<String, String> types() {
      Map<String, String> types = new HashMap<>();
      Matcher type = TYPE.matcher(body());
      while (type.find()) {
        types.put(type.group(1), type.group());
      }
      return types;
    }

    private String body() {
      return IMPORT.matcher(code).replaceAll("");
    }

    String statements() {
      return TYPE.matcher(body()).replaceAll("");
    }
  }

  private final List<Program> programs = new ArrayList<>();

  private PageProgram(List<Program> programs) {
    this.programs.addAll(programs);
  }

  PageProgram(Path page) throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(page));
    while (block.find()) {
      programs.add(new Program(block.group(1), block.group(2) == null ? "" : block.group(2)));
    }
  }

  List<Program> programs() {
    return List.copyOf(programs);
  }

  /** The program of one block. */
  PageProgram only(int block) {
    return new PageProgram(programs.subList(block, block + 1));
  }

  /** The blocks from one on. */
  PageProgram from(int block) {
    return new PageProgram(programs.subList(block, programs.size()));
  }

  /** What the page says that its programs print. */
  String expectedOutput() {
    return programs.stream().map(Program::output).collect(Collectors.joining());
  }

  /** The compiler's errors for a block alone; empty if it compiles. */
  static String errors(Program program, Path directory) throws IOException {
    return compile(List.of(write(program, 0, new HashMap<>(), directory)), directory);
  }

  /**
   * Runs all blocks.
   *
   * @param directory an empty one: the working directory
   * @param adapt changes a block before it is compiled
   * @return what they print
   */
  String run(Path directory, UnaryOperator<String> adapt, List<String> flags)
      throws IOException, InterruptedException {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Map<String, String> types = new HashMap<>();
    StringBuilder main =
        new StringBuilder("package page;\nclass All {\n  public static void main(String[] args)")
            .append(" throws Exception {\n");
    List<Path> sources = new ArrayList<>();
    for (int i = 0; i < programs.size(); i++) {
      Program program = programs.get(i);
      sources.add(write(new Program(adapt.apply(program.code()), ""), i, types, classes));
      main.append("    Block").append(i).append(".run();\n");
    }
    sources.add(Files.writeString(classes.resolve("All.java"), main.append("  }\n}\n")));
    String errors = compile(sources, classes);
    if (!errors.isEmpty()) {
      throw new IllegalStateException(errors);
    }
    return start(directory, classes, flags);
  }

  private static String start(Path directory, Path classes, List<String> flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(
        List.of("-cp", classes + File.pathSeparator + System.getProperty("java.class.path")));
    command.add(PACKAGE + ".All");
    Path output = directory.resolve("output.txt");
    Path errors = directory.resolve("errors.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(Files.createDirectories(directory.resolve("work")).toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("The programs did not end: " + Files.readString(errors));
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(Files.readString(output) + Files.readString(errors));
    }
    return Files.readString(output);
  }

  /** Writes a block as a class; a type that an earlier block has declared is left out. */
  private static Path write(Program program, int number, Map<String, String> known, Path directory)
      throws IOException {
    StringBuilder source = new StringBuilder("package page;\n").append(program.imports());
    String main = "";
    for (Map.Entry<String, String> type : program.types().entrySet()) {
      String before = known.putIfAbsent(type.getKey(), type.getValue());
      if (before == null) {
        source.append(type.getValue()).append('\n');
      } else if (!before.equals(type.getValue())) {
        throw new IllegalStateException(type.getKey() + " has two declarations.");
      }
      if (type.getValue().contains("static void main(")) {
        main = type.getKey() + ".main(new String[0]);";
      }
    }
    source
        .append("class Block" + number + " {\n  static void run() throws Exception {\n")
        .append(program.statements())
        .append(main)
        .append("\n  }\n}\n");
    return Files.writeString(directory.resolve("Block" + number + ".java"), source, UTF_8);
  }

  private static String compile(List<Path> sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-parameters",
              "-cp",
              System.getProperty("java.class.path"),
              "-d",
              classes.toString());
      return compiler
              .getTask(
                  errors, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call()
          ? ""
          : errors.toString();
    }
  }
}
