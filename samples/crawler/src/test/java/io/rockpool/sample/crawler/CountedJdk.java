package io.rockpool.sample.crawler;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a crawl has to come to, found another way: one walk, and class files read by hand. */
final class CountedJdk {
  private static final FileSystem JDK = FileSystems.getFileSystem(URI.create("jrt:/"));

  private CountedJdk() {}

  static Map<String, PackageSummary> directories() throws IOException {
    Map<String, PackageSummary> directories = new HashMap<>();
    try (Stream<Path> paths = Files.walk(JDK.getPath("/modules"))) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        if (Files.isDirectory(path)) {
          directories.put(path.toString(), new PackageSummary(0, 0, List.of()));
        } else if (path.toString().endsWith(".class") && !path.endsWith("module-info.class")) {
          byte[] classFile = Files.readAllBytes(path);
          Set<String> uses = packages(classFile);
          // Module and package are a class's directory.
          Path inModule = path.subpath(2, path.getNameCount());
          uses.remove(inModule.getParent().toString().replace('/', '.'));
          directories.merge(
              path.getParent().toString(),
              new PackageSummary(1, classFile.length, List.copyOf(uses)),
              CountedJdk::sum);
        }
      }
    }
    return directories;
  }

  /** How many directories use each package. */
  static Map<String, Integer> users(Collection<PackageSummary> directories) {
    Map<String, Integer> users = new HashMap<>();
    directories.forEach(
        directory -> directory.uses().forEach(used -> users.merge(used, 1, Integer::sum)));
    return users;
  }

  private static PackageSummary sum(PackageSummary one, PackageSummary other) {
    Set<String> uses = new TreeSet<>(one.uses());
    uses.addAll(other.uses());
    return new PackageSummary(
        one.classes() + other.classes(), one.bytes() + other.bytes(), List.copyOf(uses));
  }

  /** The packages of the classes among a class file's constants; JVMS 4.4. */
  private static Set<String> packages(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    in.skipNBytes(8);
    int count = in.readUnsignedShort();
    Map<Integer, String> texts = new HashMap<>();
    List<Integer> classes = new ArrayList<>();
    for (int constant = 1; constant < count; constant++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.put(constant, in.readUTF());
        case 7 -> classes.add(in.readUnsignedShort());
        case 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          constant++;
        }
        default -> throw new IOException("A constant has the tag " + tag + ".");
      }
    }
    Set<String> packages = new TreeSet<>();
    for (int index : classes) {
      String name = texts.get(index).replaceFirst("^\\[+L(.*);$", "$1");
      if (!name.startsWith("[")) {
        packages.add(name.substring(0, Math.max(0, name.lastIndexOf('/'))).replace('/', '.'));
      }
    }
    return packages;
  }
}
