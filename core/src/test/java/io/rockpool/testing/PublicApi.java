package io.rockpool.testing;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module: its public types outside of packages named {@code internal}, each
 * with the members that users can reach. A module's API is checked in, so that each change of it is
 * a decision.
 */
public final class PublicApi {
  private static final String INTERNAL = ".internal.";

  /** The packages in front of a type's name. */
  private static final String PACKAGES = "\\b([a-z]\\w*\\.)+(?=[A-Z])";

  private PublicApi() {}

  /**
   * Compares the API of a module with {@code docs/api/<module>.txt}; with {@code
   * -Drockpool.test.writePages=true} writes that file.
   *
   * @param any a class of the module
   */
  public static void check(String module, Class<?> any) throws Exception {
    Path file = DocumentExamples.root().resolve("docs/api/" + module + ".txt");
    List<String> api = of(any);
    assertThat(api).isNotEmpty();
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.write(file, api);
    } else {
      List<String> before = Files.readAllLines(file);
      assertThat(changes(before, api))
          .as(
              "The public API of %s is not what %s lists. If users need the change, run this test"
                  + " with -Drockpool.test.writePages=true and commit the file. Otherwise hide it.",
              module, file)
          .isEmpty();
    }
  }

  private static List<String> changes(List<String> before, List<String> after) {
    Set<String> removed = membersWithTypes(before);
    Set<String> added = membersWithTypes(after);
    added.removeAll(membersWithTypes(before));
    removed.removeAll(membersWithTypes(after));
    return Stream.concat(
            removed.stream().map(line -> "removed: " + line),
            added.stream().map(line -> "added: " + line))
        .toList();
  }

  private static Set<String> membersWithTypes(List<String> api) {
    Set<String> lines = new TreeSet<>();
    String type = "";
    for (String line : api) {
      type = line.startsWith("  ") ? type : line;
      lines.add(line.equals(type) ? type : type + line);
    }
    return lines;
  }

  /** The public types of the module of {@code any}, sorted, each followed by its members. */
  public static List<String> of(Class<?> any)
      throws IOException, URISyntaxException, ClassNotFoundException {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : types(any)) {
      lines.add(header(type));
      members(type).forEach(member -> lines.add("  " + member));
    }
    return lines;
  }

  /**
   * Returns the public types of a module outside of packages named {@code internal}.
   *
   * @param any a class of the module
   */
  public static List<Class<?>> types(Class<?> any)
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root = Path.of(any.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> types = new ArrayList<>();
    for (String name : classNames(root)) {
      Class<?> type = Class.forName(name, false, any.getClassLoader());
      if (isPublic(type)) {
        types.add(type);
      }
    }
    return types;
  }

  private static Collection<String> classNames(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return !type.getName().contains(INTERNAL)
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && isVisible(type.getModifiers())
        && (outer == null || isPublic(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String header(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    boolean plain = kind.equals("class") || kind.equals("interface");
    String modifiers =
        !kind.equals("class")
            ? ""
            : Modifier.isAbstract(type.getModifiers())
                ? "abstract "
                : Modifier.isFinal(type.getModifiers()) ? "final " : "";
    Set<String> supertypes = new TreeSet<>();
    if (plain) {
      collectSupertypes(type, supertypes);
    }
    return modifiers
        + kind
        + " "
        + type.getName().replace('$', '.')
        + variables(type.getTypeParameters()).strip()
        + (supertypes.isEmpty() ? "" : " : " + String.join(", ", supertypes));
  }

  private static void collectSupertypes(Class<?> type, Set<String> names) {
    supertypes(type)
        .forEach(
            parent -> {
              if (isHidden(parent)) {
                collectSupertypes(parent, names);
              } else if (parent != Object.class) {
                names.add(parent.getSimpleName());
              }
            });
  }

  private static Stream<Class<?>> supertypes(Class<?> type) {
    return Stream.concat(
        Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
  }

  private static boolean isHidden(Class<?> type) {
    return type.getName().startsWith("io.rockpool.") && !isPublic(type);
  }

  /** The members of a type, with those that it inherits from types that users cannot see. */
  private static Collection<String> members(Class<?> type) {
    Map<String, String> members = new TreeMap<>();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isReachable(constructor, type)) {
        members.put(
            " " + Arrays.toString(constructor.getParameterTypes()),
            modifiers(constructor.getModifiers(), type)
                + variables(constructor.getTypeParameters())
                + "new"
                + signature(constructor));
      }
    }
    collect(type, type, members);
    return members.values();
  }

  private static void collect(Class<?> owner, Class<?> type, Map<String, String> members) {
    for (Field field : type.getDeclaredFields()) {
      if (isReachable(field, owner)) {
        members.put(
            field.getName(),
            modifiers(field.getModifiers(), owner)
                + name(field.getGenericType())
                + " "
                + field.getName());
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isReachable(method, owner) && !isOfEveryObject(method)) {
        members.putIfAbsent(
            method.getName() + " " + Arrays.toString(method.getParameterTypes()),
            (method.isDefault() ? "default " : modifiers(method.getModifiers(), owner))
                + variables(method.getTypeParameters())
                + name(method.getGenericReturnType())
                + " "
                + method.getName()
                + signature(method));
      }
    }
    supertypes(type).filter(PublicApi::isHidden).forEach(parent -> collect(owner, parent, members));
  }

  private static boolean isReachable(Member member, Class<?> owner) {
    int modifiers = member.getModifiers();
    return !member.isSynthetic()
        && (Modifier.isPublic(modifiers)
            || (Modifier.isProtected(modifiers) && !Modifier.isFinal(owner.getModifiers())));
  }

  private static boolean isOfEveryObject(Method method) {
    return Set.of("equals", "hashCode", "toString").contains(method.getName())
        || (method.getDeclaringClass().isEnum()
            && Set.of("values", "valueOf").contains(method.getName()));
  }

  /** The modifiers that matter to users, except those that follow from the owner. */
  private static String modifiers(int modifiers, Class<?> owner) {
    return (Modifier.isProtected(modifiers) ? "protected " : "")
        + (Modifier.isStatic(modifiers) && !owner.isEnum() ? "static " : "")
        + (Modifier.isAbstract(modifiers) && !owner.isInterface() ? "abstract " : "");
  }

  private static String variables(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(
                variable ->
                    Arrays.stream(variable.getBounds())
                        .filter(bound -> bound != Object.class)
                        .map(PublicApi::name)
                        .reduce((a, b) -> a + " & " + b)
                        .map(bounds -> variable.getName() + " extends " + bounds)
                        .orElse(variable.getName()))
            .collect(joining(", ", "<", "> "));
  }

  private static String signature(Executable executable) {
    String thrown =
        Arrays.stream(executable.getGenericExceptionTypes())
            .map(PublicApi::name)
            .collect(joining(", "));
    return Arrays.stream(executable.getGenericParameterTypes())
            .map(PublicApi::name)
            .collect(joining(", ", "(", ")"))
        + (thrown.isEmpty() ? "" : " throws " + thrown);
  }

  private static String name(Type type) {
    return type.getTypeName().replaceAll(PACKAGES, "").replace('$', '.');
  }
}
