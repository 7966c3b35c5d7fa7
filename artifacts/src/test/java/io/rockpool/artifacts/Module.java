package io.rockpool.artifacts;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A module of the build, as its description has it. */
record Module(Path directory, Element pom) {
  /** The root of the repository. */
  static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("bom/pom.xml"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  /** All modules of the build, in the order of their declaration. */
  static Set<Module> all() {
    Set<Module> found = new LinkedHashSet<>();
    collect(root(), found);
    return found;
  }

  /** The modules that a release uploads. */
  static List<Module> published() {
    return all().stream().filter(Module::isPublished).toList();
  }

  /** The modules that a release uploads with a jar. */
  static List<Module> publishedJars() {
    return published().stream().filter(Module::hasJar).toList();
  }

  private static void collect(Path directory, Set<Module> found) {
    Module module = of(directory);
    found.add(module);
    module.at(".//modules/module").stream()
        .distinct()
        .map(directory::resolve)
        .filter(path -> found.stream().noneMatch(it -> it.directory.equals(path)))
        .forEach(path -> collect(path, found));
  }

  private static Module of(Path directory) {
    try {
      File file = directory.resolve("pom.xml").toFile();
      return new Module(
          directory,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file)
              .getDocumentElement());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("Cannot read the description in " + directory, e);
    }
  }

  /**
   * The texts of the elements at a path such as {@code parent/artifactId}, or below {@code .//}.
   */
  List<String> at(String path) {
    String[] names = path.replace(".//", "").split("/", 0);
    List<Element> found = List.of(pom);
    if (path.startsWith(".//")) {
      found = new ArrayList<>();
      var all = pom.getElementsByTagName(names[0]);
      for (int i = 0; i < all.getLength(); i++) {
        found.add((Element) all.item(i).getParentNode());
      }
    }
    for (String name : names) {
      found = found.stream().distinct().flatMap(it -> children(it, name)).toList();
    }
    return found.stream().map(it -> it.getTextContent().strip()).toList();
  }

  private static Stream<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node it = parent.getFirstChild(); it != null; it = it.getNextSibling()) {
      if (it instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found.stream();
  }

  String artifactId() {
    return at("artifactId").get(0);
  }

  boolean hasJar() {
    return at("packaging").isEmpty();
  }

  private boolean isPublished() {
    if (at("properties/maven.deploy.skip").contains("true")) {
      return false;
    }
    List<String> parent = at("parent/artifactId");
    return parent.isEmpty()
        || all().stream()
            .filter(it -> it.artifactId().equals(parent.get(0)))
            .allMatch(Module::isPublished);
  }

  /** The jars that the build made of this module, for each classifier. */
  List<Path> jars() {
    try (Stream<Path> files = Files.list(directory.resolve("target"))) {
      String start = artifactId() + "-" + version();
      return files
          .filter(it -> it.getFileName().toString().startsWith(start))
          .filter(it -> it.toString().endsWith(".jar"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file name of the jar with the classes. */
  String jar() {
    return artifactId() + "-" + version() + ".jar";
  }

  String version() {
    return Stream.of("version", "parent/version")
        .map(this::at)
        .filter(it -> !it.isEmpty())
        .findFirst()
        .orElseThrow()
        .get(0);
  }

  @Override
  public String toString() {
    return artifactId();
  }
}
