package io.rockpool.testing.tools;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds by the constants of class files which test classes use which tools, directly or through
 * other classes. A class that calls {@link Tool#orSkip} answers for all that it uses.
 */
final class ToolUsers {
  private static final String OURS = "io/rockpool/";
  private static final String TOOL = "io/rockpool/testing/tools/Tool";

  /** Of the samples: the caller names the server. */
  private static final String LOCAL_SERVER = "io/rockpool/sample/testing/LocalServer";

  /** They name all tools, and use none. */
  private static final Set<String> LISTS =
      Set.of(TOOL, "io/rockpool/testing/tools/Programs", LOCAL_SERVER, LOCAL_SERVER + "$Kind");

  private final ClassLoader loader;
  private final Map<String, Used> files = new HashMap<>();

  private ToolUsers(ClassLoader loader) {
    this.loader = loader;
  }

  /** What a class file refers to: other classes of ours, and tools. */
  private record Used(Set<String> classes, Set<Tool> tools, boolean isGuarded) {}

  /** The tools of the classes of a directory, by the names of top-level classes. */
  static Map<String, Set<Tool>> in(Path directory, ClassLoader loader) throws IOException {
    ToolUsers users = new ToolUsers(loader);
    Map<String, Set<Tool>> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".class")).toList()) {
        String name = directory.relativize(file).toString().replace('\\', '/');
        String top = name.substring(0, name.length() - ".class".length()).replaceFirst("\\$.*", "");
        if (!top.endsWith("-info")) {
          all.computeIfAbsent(top.replace('/', '.'), each -> EnumSet.noneOf(Tool.class))
              .addAll(users.reachable(name.substring(0, name.length() - ".class".length())));
        }
      }
    }
    return all;
  }

  private Set<Tool> reachable(String from) throws IOException {
    Set<Tool> tools = EnumSet.noneOf(Tool.class);
    Set<String> seen = new HashSet<>(List.of(from));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      Used used = used(open.remove());
      if (!used.isGuarded) {
        tools.addAll(used.tools);
        used.classes.stream().filter(seen::add).forEach(open::add);
      }
    }
    return tools;
  }

  private Used used(String name) throws IOException {
    Used known = files.get(name);
    if (known == null) {
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        known =
            in == null || LISTS.contains(name)
                ? new Used(Set.of(), Set.of(), false)
                : read(new DataInputStream(in));
      }
      files.put(name, known);
    }
    return known;
  }

  /** Reads the table of constants; see chapter 4.4 of the specification of the JVM. */
  private static Used read(DataInputStream in) throws IOException {
    in.skipNBytes(8);
    int count = in.readUnsignedShort();
    String[] texts = new String[count];
    int[][] pairs = new int[count][];
    Set<Integer> members = new HashSet<>();
    Set<Integer> types = new HashSet<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 3, 4 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // these take two places
        }
        case 7 -> {
          pairs[i] = new int[] {in.readUnsignedShort(), 0};
          types.add(i);
        }
        case 8, 16, 19, 20 -> in.skipNBytes(2);
        case 9, 10, 11 -> {
          pairs[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
          members.add(i);
        }
        case 12, 17, 18 -> pairs[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
        case 15 -> in.skipNBytes(3);
        default -> throw new IOException("An unknown constant in a class file: " + tag);
      }
    }
    Set<String> classes = new HashSet<>();
    for (int type : types) {
      String whole = texts[pairs[type][0]];
      if (whole.startsWith(OURS)) {
        classes.add(whole);
      } else if (whole.startsWith("[L" + OURS)) {
        classes.add(whole.substring(2, whole.length() - 1));
      }
    }
    Set<Tool> tools = EnumSet.noneOf(Tool.class);
    boolean isGuarded = false;
    for (int member : members) {
      if (texts[pairs[pairs[member][0]][0]].equals(TOOL)) {
        String called = texts[pairs[pairs[member][1]][0]];
        isGuarded |= called.equals("orSkip");
        Arrays.stream(Tool.values()).filter(it -> it.name().equals(called)).forEach(tools::add);
      }
    }
    return new Used(classes, tools, isGuarded);
  }
}
