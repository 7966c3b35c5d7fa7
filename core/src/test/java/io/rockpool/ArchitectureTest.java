package io.rockpool;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may import whom. What is not listed here is not allowed. */
final class ArchitectureTest {
  private static final String ROOT = "io.rockpool";

  private static final List<String> INTERNAL =
      List.of(
          "internal.engine",
          "internal.scan",
          "internal.format",
          "internal.catalog",
          "internal.concurrent",
          "internal.logging");

  /** What each part of the embedded engine may use beside the parts below it. */
  private static final List<String> ENGINE_PARTS =
      List.of(
          "store",
          "engine",
          "internal.engine",
          "internal.bytes",
          "internal.format",
          "internal.concurrent",
          "internal.logging",
          "error");

  /** Every package of core but the front door, and what of core it may use beside itself. */
  private static final Map<String, List<String>> ARROWS =
      Map.ofEntries(
          Map.entry("error", List.of()),
          Map.entry(
              "codec",
              List.of("internal.bytes", "internal.concurrent", "internal.logging", "error")),
          Map.entry("internal.bytes", List.of("error")),
          Map.entry("store", List.of("error")),
          Map.entry("engine", List.of("store", "internal.concurrent", "error")),
          Map.entry(
              "internal.engine",
              List.of("store", "engine", "internal.concurrent", "internal.logging", "error")),
          // Names have levels.
          Map.entry("encryption", List.of("engine", "internal.logging", "error")),
          Map.entry(
              "internal.encryption",
              List.of(
                  "encryption",
                  "store",
                  "engine",
                  "internal.bytes",
                  "internal.concurrent",
                  "internal.engine",
                  "internal.format",
                  "internal.logging",
                  // Locks the file of data keys.
                  "internal.rocksdb.files",
                  "error")),
          Map.entry("internal.logging", List.of("error")),
          Map.entry("backup", List.of("internal.rocksdb.files", "error")),
          Map.entry(
              "internal.backup",
              List.of(
                  "backup",
                  "internal.concurrent",
                  "internal.format",
                  "internal.logging",
                  "internal.rocksdb.files",
                  // Adds a log to the database of a restored store.
                  "internal.rocksdb.natives",
                  "error")),
          Map.entry("internal.format", List.of("engine", "internal.bytes", "error")),
          Map.entry("internal.concurrent", List.of()),
          Map.entry("internal.scan", List.of("engine")),
          // Interfaces of what the public packages hide; these implement them, so both see each
          // other.
          Map.entry(
              "internal.access",
              List.of(
                  "cache",
                  "queue",
                  "codec",
                  "engine",
                  "internal.catalog",
                  "internal.engine",
                  "error")),
          Map.entry(
              "internal.access.structure",
              List.of(
                  "structure", "codec", "engine", "internal.access", "internal.catalog", "error")),
          Map.entry(
              "internal.catalog",
              List.of(
                  "change",
                  "store",
                  "engine",
                  "internal.change",
                  "internal.format",
                  "internal.concurrent",
                  "codec",
                  "error")),
          Map.entry(
              "engine.memory",
              List.of("store", "engine", "internal.engine", "internal.format", "error")),
          Map.entry(
              "engine.rocksdb",
              join(
                  ENGINE_PARTS,
                  "backup",
                  "internal.backup",
                  "internal.rocksdb.files",
                  "internal.rocksdb.natives",
                  "internal.rocksdb.rows",
                  "internal.rocksdb.upkeep",
                  "internal.rocksdb.verify")),
          Map.entry("internal.rocksdb.files", ENGINE_PARTS),
          Map.entry("internal.rocksdb.natives", join(ENGINE_PARTS, "internal.rocksdb.files")),
          Map.entry(
              "internal.rocksdb.rows",
              join(ENGINE_PARTS, "internal.rocksdb.files", "internal.rocksdb.natives")),
          Map.entry(
              "internal.rocksdb.upkeep",
              join(
                  ENGINE_PARTS,
                  "internal.rocksdb.files",
                  "internal.rocksdb.natives",
                  "internal.rocksdb.rows")),
          Map.entry(
              "internal.rocksdb.verify",
              join(
                  ENGINE_PARTS,
                  "internal.rocksdb.files",
                  "internal.rocksdb.natives",
                  "internal.rocksdb.rows")),
          Map.entry(
              "internal.rocksdb.salvage",
              List.of("internal.format", "internal.rocksdb.files", "internal.rocksdb.natives")),
          Map.entry(
              "structure",
              join(
                  INTERNAL,
                  "change",
                  "internal.access.structure",
                  "store",
                  "engine",
                  "codec",
                  "error")),
          Map.entry("change", List.of("error")),
          Map.entry(
              "internal.change",
              List.of(
                  "change",
                  "store",
                  "engine",
                  "internal.engine",
                  "internal.format",
                  "internal.concurrent",
                  "error")),
          Map.entry(
              "internal.feed",
              List.of(
                  "change",
                  "structure", // the key of a table's change is its TableKey
                  "engine",
                  "internal.catalog",
                  "internal.change",
                  "internal.concurrent",
                  "internal.format",
                  "internal.logging",
                  "codec",
                  "error")),
          Map.entry(
              "queue",
              List.of("internal.concurrent", "internal.logging", "store", "codec", "error")),
          Map.entry(
              "internal.queue",
              List.of(
                  "queue",
                  "store",
                  "engine",
                  "internal.bytes",
                  "internal.catalog",
                  "internal.concurrent",
                  "internal.format",
                  "internal.logging",
                  "codec",
                  "error")),
          Map.entry(
              "cache",
              join(
                  INTERNAL,
                  "change",
                  "internal.change",
                  "internal.access",
                  "store",
                  "engine",
                  "codec",
                  "error")));

  /** The packages that know each library. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.of(
          "org.rocksdb..", List.of("io.rockpool.internal.rocksdb.natives"),
          "javax.management", List.of("io.rockpool.internal.rocksdb.natives"),
          "com.sun.management", List.of("io.rockpool"),
          "com.github.benmanes.caffeine..",
              List.of("io.rockpool.cache", "io.rockpool.internal.rocksdb.rows"),
          "org.apache.fory..", List.of("io.rockpool.codec"),
          "javax.crypto..", List.of("io.rockpool.encryption", "io.rockpool.internal.encryption"));

  /** What any package may use. */
  private static final List<String> EVERYWHERE =
      List.of("java..", "org.jspecify.annotations", "org.slf4j");

  /**
   * Where the machine's own clock may be read, so that all else is tested without sleeping: the
   * builders' default clocks, the durations in a cache's statistics, which no decision uses, how
   * long the store's reclaiming rests, in proportion to its work, and whether a scan's first step
   * took long, which changes what later ones cost and nothing that they find; and how long another
   * process is waited for; and the pace of a backup. Codecs ask the JDK's clocks for their classes
   * alone.
   */
  private static final Map<String, List<String>> CLOCKS =
      Map.of(
          "java.time.Clock.systemUTC",
          List.of("io.rockpool.codec"),
          "java.time.Clock.tickSeconds",
          List.of("io.rockpool.codec"),
          "java.time.InstantSource.system",
          List.of("io.rockpool", "io.rockpool.engine.memory", "io.rockpool.engine.rocksdb"),
          "java.lang.System.nanoTime",
          List.of(
              "io.rockpool",
              "io.rockpool.cache",
              "io.rockpool.internal.backup",
              "io.rockpool.internal.engine",
              "io.rockpool.internal.rocksdb.natives",
              "io.rockpool.internal.rocksdb.upkeep",
              "io.rockpool.queue"));

  /**
   * How many classes of a package may use each other in a circle; of any other package, none. Lower
   * a number when a circle has become smaller.
   */
  private static final Map<String, Integer> CIRCLES =
      Map.of(
          "", 4,
          "cache", 4,
          "engine", 3,
          "engine.memory", 5,
          "internal.concurrent", 2,
          "internal.rocksdb.natives", 3,
          "internal.rocksdb.rows", 4,
          "internal.rocksdb.verify", 4,
          "structure", 17);

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages(ROOT);

  @Test
  void coreIsSeen() {
    assertThat(CORE).isNotEmpty();
  }

  @Test
  void everyPackageHasItsArrows() {
    String[] known =
        Stream.concat(Stream.of(ROOT), ARROWS.keySet().stream().map(ArchitectureTest::full))
            .toArray(String[]::new);
    classes().should().resideInAnyPackage(known).check(CORE);
  }

  static Set<String> arrows() {
    return ARROWS.keySet();
  }

  @ParameterizedTest
  @MethodSource("arrows")
  void aPackageUsesOnlyWhatItsArrowsAllow(String name) {
    String[] allowed =
        Stream.concat(Stream.of(name), ARROWS.get(name).stream())
            .map(ArchitectureTest::full)
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> forbidden =
        JavaClass.Predicates.resideInAPackage(ROOT + "..")
            .and(JavaClass.Predicates.resideOutsideOfPackages(allowed));
    noClasses()
        .that()
        .resideInAPackage(full(name))
        .should()
        .dependOnClassesThat(forbidden)
        .allowEmptyShould(true)
        .check(CORE);
  }

  static Stream<String> packages() {
    return Stream.concat(Stream.of(""), ARROWS.keySet().stream());
  }

  @ParameterizedTest
  @MethodSource("packages")
  void classesHaveNoNewCircle(String name) {
    Map<String, Set<String>> uses = uses(JavaClass::getName, full(name)::equals);
    int most = Circles.of(uses).stream().mapToInt(Set::size).max().orElse(0);
    assertThat(most)
        .as(Circles.of(uses).toString())
        .isLessThanOrEqualTo(CIRCLES.getOrDefault(name, 0));
  }

  /** A public package and the interfaces of what it hides see each other. */
  @Test
  void packagesHaveNoOtherCircles() {
    assertThat(Circles.of(uses(JavaClass::getPackageName, name -> true)))
        .containsExactlyInAnyOrder(
            Set.of(full("cache"), full("internal.access")),
            Set.of(full("structure"), full("internal.access.structure")));
  }

  /**
   * What each class or package uses, among the classes of some packages. A sealed type uses the
   * types that it permits.
   */
  private static Map<String, Set<String>> uses(
      Function<JavaClass, String> unit, Predicate<String> packages) {
    Map<String, Set<String>> uses = new HashMap<>();
    for (JavaClass from : CORE) {
      Stream<JavaClass> used =
          from.getDirectDependenciesFromSelf().stream()
              .map(dependency -> dependency.getTargetClass().getBaseComponentType());
      for (JavaClass to : Stream.concat(used, permitted(from)).toList()) {
        if (packages.test(from.getPackageName()) && packages.test(to.getPackageName())) {
          uses.computeIfAbsent(unit.apply(outer(from)), name -> new HashSet<>())
              .add(unit.apply(outer(to)));
        }
      }
    }
    return uses;
  }

  private static Stream<JavaClass> permitted(JavaClass type) {
    Class<?>[] permitted = type.reflect().getPermittedSubclasses();
    return permitted == null
        ? Stream.empty()
        : Stream.of(permitted).map(each -> CORE.get(each.getName()));
  }

  private static JavaClass outer(JavaClass inner) {
    return inner.getEnclosingClass().map(ArchitectureTest::outer).orElse(inner);
  }

  static Set<String> libraries() {
    return LIBRARIES.keySet();
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void aLibraryIsKnownToItsPackages(String library) {
    noClasses()
        .that()
        .resideOutsideOfPackages(LIBRARIES.get(library).toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(CORE);
  }

  @Test
  void noOtherLibraryIsUsed() {
    String[] allowed =
        Stream.of(Stream.of(ROOT + ".."), EVERYWHERE.stream(), LIBRARIES.keySet().stream())
            .flatMap(packages -> packages)
            .toArray(String[]::new);
    classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(CORE);
  }

  /**
   * A name says which type is meant, also in a search. Samples and benchmarks are programs of their
   * own.
   */
  @Test
  void noNameOfATypeStandsTwice() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path source : DocumentStyleTest.sources()) {
      String path = DocumentStyleTest.root().relativize(source).toString().replace('\\', '/');
      String name = source.getFileName().toString();
      if (!path.matches("(samples|benchmarks)/.*") && !name.matches("(package|module)-info.java")) {
        found.computeIfAbsent(name, any -> new ArrayList<>()).add(path);
      }
    }
    assertThat(found).hasSizeGreaterThan(900);
    assertThat(found.values()).filteredOn(places -> places.size() > 1).isEmpty();
  }

  /** It counts while other threads change the map: it may be true of a map that is never empty. */
  @Test
  void nothingDependsOnAnEstimatedEmptiness() {
    noClasses().should().callMethod(ConcurrentHashMap.class, "isEmpty").check(CORE);
  }

  @Test
  void timeComesFromAnInstantSource() {
    noClasses()
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "reads the machine's clock outside of " + CLOCKS,
                access -> readsClock(access.getTarget()) && !mayReadClock(access)))
        .check(CORE);
  }

  private static boolean readsClock(AccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    return (owner.equals("java.lang.System")
            && (name.equals("currentTimeMillis") || name.equals("nanoTime")))
        || (owner.equals("java.util.Date") && target.getFullName().endsWith("<init>()"))
        || (owner.equals("java.time.InstantSource") && name.equals("system"))
        || (owner.equals("java.time.Clock")
            && (name.startsWith("system")
                || (name.startsWith("tick") && !target.getFullName().contains("java.time.Clock,"))))
        || (owner.startsWith("java.time.")
            && name.equals("now")
            && !target.getFullName().endsWith("(java.time.Clock)"));
  }

  private static boolean mayReadClock(JavaAccess<?> access) {
    String call = access.getTargetOwner().getName() + "." + access.getTarget().getName();
    return CLOCKS.getOrDefault(call, List.of()).contains(access.getOriginOwner().getPackageName());
  }

  private static String full(String name) {
    return name.isEmpty() ? ROOT : ROOT + "." + name;
  }

  private static List<String> join(List<String> first, String... rest) {
    return Stream.concat(first.stream(), Stream.of(rest)).toList();
  }
}
