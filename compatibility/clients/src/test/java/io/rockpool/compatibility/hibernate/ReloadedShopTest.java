package io.rockpool.compatibility.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.jcache.RockpoolCachingProvider;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import javax.cache.Caching;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hibernate's second-level cache with Rockpool in the parent of the application's class loader, as
 * in a servlet container or under Spring Boot's devtools. As with devtools, the parent has other
 * classes of the same names.
 */
final class ReloadedShopTest {
  private static final String APPLICATION = ReloadedShop.class.getName();

  @TempDir Path directory;
  private final Thread thread = Thread.currentThread();
  private final ClassLoader context = thread.getContextClassLoader();

  /** Defines the classes of the application before its parent does. */
  private static final class Application extends URLClassLoader {
    Application() {
      super(
          new URL[] {ReloadedShop.class.getProtectionDomain().getCodeSource().getLocation()},
          ReloadedShop.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith(APPLICATION)) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }
  }

  @BeforeEach
  void nameTheStore() {
    System.setProperty("rockpool.directory", directory.resolve("store").toString());
  }

  @AfterEach
  void reset() {
    thread.setContextClassLoader(context);
    System.clearProperty("rockpool.directory");
  }

  @Test
  void eachStartHasItsOwnClasses() throws Exception {
    assertThat(start()).startsWith("none, then GREENGREEN[RED, GREEN] with ");
    String warm = "GREENGREEN[RED, GREEN]";
    // The query, whose results name no class: they are those of one run without rockpool-hibernate.
    String started = warm + ", then " + warm + " with 0 statements, 1";
    assertThat(start()).isEqualTo(started);
    assertThat(start()).isEqualTo(started);
  }

  @SuppressWarnings("unchecked") // of the same interface in each loader
  private String start() throws Exception {
    try (URLClassLoader application = new Application()) {
      Class<?> type = application.loadClass(APPLICATION);
      assertThat(type).isNotSameAs(ReloadedShop.class);
      thread.setContextClassLoader(application);
      try {
        return ((UnaryOperator<String>) type.getConstructor().newInstance())
            .apply("jdbc:h2:" + directory.resolve("database"));
      } finally {
        Caching.getCachingProvider(RockpoolCachingProvider.class.getName()).close();
      }
    }
  }
}
