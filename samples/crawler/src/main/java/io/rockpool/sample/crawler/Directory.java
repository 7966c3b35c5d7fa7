package io.rockpool.sample.crawler;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;

/**
 * One directory of the running JDK, as it was read.
 *
 * @param subdirectories the paths of what lies below it
 * @param summary what it holds itself
 */
record Directory(List<String> subdirectories, PackageSummary summary) {
  /** Where all modules are. */
  static final String ROOT = "/modules";

  private static final FileSystem JDK = FileSystems.getFileSystem(URI.create("jrt:/"));

  /** The tag of a class's name among the constants of a class file; JVMS 4.4. */
  private static final int CONSTANT_CLASS = 7;

  static Directory read(String path) throws IOException {
    List<String> subdirectories = new ArrayList<>();
    SortedSet<String> uses = new TreeSet<>();
    int classes = 0;
    long bytes = 0;
    try (DirectoryStream<Path> children = Files.newDirectoryStream(JDK.getPath(path))) {
      for (Path child : children) {
        if (Files.isDirectory(child)) {
          subdirectories.add(child.toString());
        } else if (isClass(child)) {
          byte[] classFile = Files.readAllBytes(child);
          classes++;
          bytes += classFile.length;
          addUses(new ClassReader(classFile), uses);
        }
      }
    }
    return new Directory(subdirectories, new PackageSummary(classes, bytes, List.copyOf(uses)));
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("module-info.class");
  }

  /** Adds the packages of the classes that a class mentions, but for its own. */
  private static void addUses(ClassReader reader, SortedSet<String> uses) {
    String own = packageOf(reader.getClassName());
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int constant = 1; constant < reader.getItemCount(); constant++) {
      int offset = reader.getItem(constant);
      // The second half of a long constant is no constant, and has no offset.
      if (offset == 0 || reader.readByte(offset - 1) != CONSTANT_CLASS) {
        continue;
      }
      Type type = Type.getObjectType(reader.readUTF8(offset, buffer));
      if (type.getSort() == Type.ARRAY) {
        type = type.getElementType();
      }
      if (type.getSort() == Type.OBJECT) {
        String used = packageOf(type.getInternalName());
        if (!used.equals(own)) {
          uses.add(used);
        }
      }
    }
  }

  private static String packageOf(String internalName) {
    return internalName.substring(0, Math.max(0, internalName.lastIndexOf('/'))).replace('/', '.');
  }
}
