package io.rockpool.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test class that leaves something behind: a thread of Rockpool's, or an open file under
 * the directory for temporary files. A store that is open has files, among them the one by which
 * its directory is locked. Registers itself for every test; {@link LeavesOpen} excuses a class, and
 * {@code -Drockpool.leftovers=warn} has all leftovers printed only.
 */
public final class LeftoversExtension implements BeforeAllCallback, AfterAllCallback {
  private static final Namespace NAMESPACE = Namespace.create(LeftoversExtension.class);
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final String TEMPORARY = System.getProperty("java.io.tmpdir");
  private static final String MODE = "rockpool.leftovers";

  /** Threads may take a while to end, and executors without work to let theirs go. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getStore(NAMESPACE).put(context.getUniqueId(), open());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Set<?> before = context.getStore(NAMESPACE).get(context.getUniqueId(), Set.class);
    if (before == null || context.getRequiredTestClass().isAnnotationPresent(LeavesOpen.class)) {
      return;
    }
    Set<String> left = left(before);
    if (left.isEmpty()) {
      return;
    }
    String message = context.getRequiredTestClass().getName() + " leaves behind: " + left;
    if ("warn".equals(System.getProperty(MODE))) {
      System.err.println(message);
    } else {
      throw new AssertionError(
          message + ". Close what was opened, or annotate the class with @LeavesOpen.");
    }
  }

  /** What is open and was not before, once nothing more of it goes by itself. */
  static Set<String> left(Set<?> before) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    Set<String> left = open();
    left.removeAll(before);
    while (!left.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      left = open();
      left.removeAll(before);
    }
    return left;
  }

  /** All threads of Rockpool's, and all open files under the directory for temporary ones. */
  static Set<String> open() {
    Set<String> open = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("rockpool-")) {
        open.add("the thread \"" + thread.getName() + "\" " + System.identityHashCode(thread));
      }
    }
    if (Files.isDirectory(DESCRIPTORS)) {
      addFiles(open);
    }
    return open;
  }

  private static void addFiles(Set<String> open) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        String file = target(descriptor);
        // Jars are those of agents and class loaders, which no store opens.
        if (file.startsWith(TEMPORARY) && !file.endsWith(".jar")) {
          open.add("descriptor " + descriptor.getFileName() + " of " + file);
        }
      }
    } catch (IOException e) {
      throw new AssertionError("The open files cannot be listed.", e);
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile, as the one by which this looks is
    }
  }
}
