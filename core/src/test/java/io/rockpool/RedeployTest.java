package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.runtime.ObjectMethods;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application that has Rockpool among its own jars, such as a WAR, is undeployed: after its
 * store is closed, nothing in the process keeps its class loader.
 */
@Slow
@Timeout(300)
final class RedeployTest {
  private static final int ROUNDS = 5;
  private static final int MOST_COLLECTIONS = 400;

  @TempDir Path directory;

  /**
   * The classes that start threads, or give threads something to keep. {@link
   * RedeployedApplication} uses what they do: a class that comes here must be used there.
   */
  private static final Set<String> WITH_THREADS =
      Set.of(
          "BackgroundThread", // evictions, sync, warm restarts, shipping, rotation of keys, …
          "Drainer",
          "FeedSubscription",
          "LeaseExtender",
          "OutsideTransaction",
          "QueueListener",
          "QueueWorker",
          "Refreshes",
          "ChangeLog",
          "HeldLocks",
          "Leaks",
          "PerThread");

  @Test
  void allThatStartsThreadsIsKnown() throws IOException {
    Pattern threads =
        Pattern.compile(
            "new Thread\\(|\\.newThread\\(|new ScheduledThreadPool|Executors\\.|new Timer\\("
                + "|Cleaner\\.create|addShutdownHook|registerMBean|new ThreadLocal|ThreadLocal\\."
                + "withInitial|new InheritableThreadLocal|parallelStream|new ForkJoinPool");
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        boolean starts =
            Files.readString(file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("*") && !line.startsWith("//"))
                .anyMatch(line -> threads.matcher(line).find());
        if (starts) {
          found.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(WITH_THREADS);
  }

  @ParameterizedTest(name = "encrypted {0}")
  @ValueSource(booleans = {false, true})
  void aClosedStoreKeepsNoLoaderAndNoThread(boolean encrypted) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Child server =
        Child.start(Server.class, List.of("-XX:SoftRefLRUPolicyMSPerMB=0"), directory, encrypted)) {
      for (String line = server.readLine(); line != null; line = server.readLine()) {
        lines.add(line);
      }
      assertThat(server.waitFor()).as("exit").isZero();
    }
    assertThat(lines).as("%s", lines).hasSize(ROUNDS).allMatch("collected, threads: []"::equals);
  }

  /** A server that deploys and undeploys an application. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      for (int round = 0; round < ROUNDS; round++) {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        WeakReference<ClassLoader> loader = deployAndUndeploy(arguments);
        replaceHandlesOfJdk();
        Set<String> threads = startedSince(before);
        for (int i = 0; i < MOST_COLLECTIONS && !(loader.get() == null && threads.isEmpty()); i++) {
          System.gc();
          serializeAnything();
          Thread.sleep(50); // for the JDK's threads that take from queues what was collected
          threads = startedSince(before);
        }
        System.out.println((loader.get() == null ? "collected" : "kept") + ", threads: " + threads);
      }
    }

    private static Set<String> startedSince(Set<Thread> before) {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> !before.contains(thread))
          .map(Thread::getName)
          .filter(name -> !name.equals("process reaper")) // the JDK's, ends after a minute
          .collect(Collectors.toSet());
    }

    /**
     * The JDK keeps a serialized class, which was collected already, until the next use of its
     * caches.
     */
    private static void serializeAnything() throws IOException, ClassNotFoundException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new ObjectOutputStream(bytes).writeObject(1);
      Object unused =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    private record Other(Server component) {}

    /** The JDK's own method handles for records keep the type of the last component of any. */
    private static void replaceHandlesOfJdk() throws Exception {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodHandle component =
          lookup.findVirtual(Other.class, "component", MethodType.methodType(Server.class));
      for (Method method :
          List.of(
              Object.class.getMethod("equals", Object.class),
              Object.class.getMethod("hashCode"),
              Object.class.getMethod("toString"))) {
        MethodType type =
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .insertParameterTypes(0, Other.class);
        try {
          Object unused =
              ObjectMethods.bootstrap(
                  lookup, method.getName(), type, Other.class, "component", component);
        } catch (Throwable e) {
          throw new LinkageError(method.getName(), e);
        }
      }
    }

    private static WeakReference<ClassLoader> deployAndUndeploy(String[] arguments)
        throws IOException, ReflectiveOperationException {
      Thread thread = Thread.currentThread();
      ClassLoader context = thread.getContextClassLoader();
      try (URLClassLoader loader = new WarLoader()) {
        thread.setContextClassLoader(loader);
        Class<?> application = loader.loadClass(RedeployedApplication.class.getName());
        assertThat(application.getClassLoader()).isSameAs(loader);
        application
            .getMethod("run", String.class, boolean.class)
            .invoke(null, arguments[0], Boolean.parseBoolean(arguments[1]));
        return new WeakReference<>(loader);
      } catch (InvocationTargetException e) {
        throw new LinkageError("the application", e.getCause());
      } finally {
        thread.setContextClassLoader(context);
      }
    }
  }

  /** Loads all but the JDK's classes itself. */
  private static final class WarLoader extends URLClassLoader {
    WarLoader() throws MalformedURLException {
      super(urls(), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls() throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        urls.add(Path.of(path).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }
  }
}
