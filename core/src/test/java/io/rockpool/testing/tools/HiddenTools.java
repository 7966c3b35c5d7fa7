package io.rockpool.testing.tools;

import java.io.File;
import java.io.PrintWriter;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * What a module is without a tool: each test class that uses it is run in a JVM where it is hidden,
 * and must be skipped. A test of each module with such classes calls {@link #check}.
 */
public final class HiddenTools {
  private static final String LAUNCHER = "org.junit.platform.launcher.";

  private HiddenTools() {}

  /**
   * Hides each tool that test classes use, one after the other, and runs what needs it.
   *
   * @param anyTest a class of the module's tests
   * @param except simple names of classes that refer to a user of a tool and never use it
   * @return how many test classes or methods were skipped
   */
  public static int check(Class<?> anyTest, String... except) throws Exception {
    Path classes = Path.of(anyTest.getProtectionDomain().getCodeSource().getLocation().toURI());
    ClassLoader loader = anyTest.getClassLoader();
    Map<String, Set<Tool>> users = ToolUsers.in(classes, loader);
    Set<String> unannotated = new TreeSet<>();
    int skipped = 0;
    for (Tool tool : Tool.values()) {
      List<String> selected = new ArrayList<>();
      for (Map.Entry<String, Set<Tool>> user : users.entrySet()) {
        Class<?> top = Class.forName(user.getKey(), false, loader);
        if (isTest(top) && !Arrays.asList(except).contains(top.getSimpleName())) {
          List<String> annotated = annotated(top, tool);
          selected.addAll(annotated);
          if (annotated.isEmpty() && user.getValue().contains(tool)) {
            unannotated.add(top.getName() + ": @Needs(" + tool + ")");
          }
        }
      }
      if (!selected.isEmpty()) {
        skipped += run(tool, selected);
      }
    }
    if (!unannotated.isEmpty()) {
      throw new AssertionError(
          "These test classes use tools and have no annotation:\n"
              + String.join("\n", unannotated));
    }
    return skipped;
  }

  private static boolean isTest(Class<?> type) {
    return !Modifier.isAbstract(type.getModifiers())
        && types(type).anyMatch(each -> tests(each).findAny().isPresent());
  }

  private static Stream<Class<?>> types(Class<?> top) {
    return Stream.concat(
        Stream.of(top), Arrays.stream(top.getDeclaredClasses()).flatMap(HiddenTools::types));
  }

  private static Stream<Method> tests(Class<?> type) {
    return ReflectionSupport.findMethods(
        type,
        method -> AnnotationSupport.isAnnotated(method, Testable.class),
        HierarchyTraversalMode.TOP_DOWN)
        .stream();
  }

  /** The class if it needs the tool, or else its methods and nested classes that do. */
  private static List<String> annotated(Class<?> type, Tool tool) {
    if (needs(type, tool)) {
      return List.of(type.getName());
    }
    List<String> all = new ArrayList<>();
    tests(type)
        .filter(method -> needs(method, tool))
        .forEach(method -> all.add(name(type, method)));
    for (Class<?> nested : type.getDeclaredClasses()) {
      all.addAll(annotated(nested, tool));
    }
    return all;
  }

  private static String name(Class<?> type, Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getName)
        .collect(Collectors.joining(",", type.getName() + '#' + method.getName() + '(', ")"));
  }

  private static boolean needs(AnnotatedElement element, Tool tool) {
    return AnnotationSupport.findAnnotation(element, Needs.class).stream()
        .anyMatch(needs -> Arrays.asList(needs.value()).contains(tool));
  }

  /** The jar of the launcher is not on the class path of all modules, but where tests run. */
  private static String launcherJar() throws ReflectiveOperationException, URISyntaxException {
    Class<?> launcher = Class.forName(LAUNCHER + "core.LauncherFactory");
    return Path.of(launcher.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Runs them in a JVM of their own; its last line says what became of them. */
  private static int run(Tool tool, List<String> selected) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Drockpool.test.hide=" + tool.id(),
            "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + launcherJar(),
            HiddenTools.class.getName()));
    command.addAll(selected);
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int exit = child.waitFor();
    String last = output.substring(output.lastIndexOf('\n') + 1);
    if (exit != 0 || !last.equals(selected.size() + " skipped")) {
      throw new AssertionError(
          "Without "
              + tool
              + ", "
              + selected.size()
              + " classes and methods must be skipped, but the run says:\n"
              + output);
    }
    return selected.size();
  }

  /**
   * Runs classes and methods with the launcher, and prints how many were skipped.
   *
   * @param selected names of classes, or of methods with their parameters
   */
  public static void main(String[] selected) throws ReflectiveOperationException {
    int skipped = 0;
    for (String each : selected) {
      if (isSkipped(each)) {
        skipped++;
      } else {
        System.out.println("Not skipped: " + each);
      }
    }
    System.out.println(skipped + " skipped");
    System.exit(0);
  }

  private static boolean isSkipped(String selected) throws ReflectiveOperationException {
    boolean isMethod = selected.indexOf('#') > 0;
    Object selector =
        Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors")
            .getMethod(isMethod ? "selectMethod" : "selectClass", String.class)
            .invoke(null, selected);
    Class<?> builderType = Class.forName(LAUNCHER + "core.LauncherDiscoveryRequestBuilder");
    Object builder = builderType.getMethod("request").invoke(null);
    Object unused =
        builderType
            .getMethod("selectors", List.class)
            .invoke(builder, Collections.singletonList(selector));
    Object request = builderType.getMethod("build").invoke(builder);
    Class<?> listenerType = Class.forName(LAUNCHER + "listeners.SummaryGeneratingListener");
    Object listener = listenerType.getConstructor().newInstance();
    Class<?> listeners = Class.forName(LAUNCHER + "TestExecutionListener");
    Object array = Array.newInstance(listeners, 1);
    Array.set(array, 0, listener);
    Object launcher =
        Class.forName(LAUNCHER + "core.LauncherFactory").getMethod("create").invoke(null);
    Class.forName(LAUNCHER + "Launcher")
        .getMethod(
            "execute", Class.forName(LAUNCHER + "LauncherDiscoveryRequest"), array.getClass())
        .invoke(launcher, request, array);
    Object summary = listenerType.getMethod("getSummary").invoke(listener);
    Class.forName(LAUNCHER + "listeners.TestExecutionSummary")
        .getMethod("printFailuresTo", PrintWriter.class)
        .invoke(summary, new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    return count(summary, "TestsStarted") == 0
        && count(summary, "TotalFailure") == 0
        && count(summary, "TestsSkipped") + count(summary, "ContainersSkipped") > 0;
  }

  private static long count(Object summary, String what) throws ReflectiveOperationException {
    return (Long)
        Class.forName(LAUNCHER + "listeners.TestExecutionSummary")
            .getMethod("get" + what + "Count")
            .invoke(summary);
  }
}
