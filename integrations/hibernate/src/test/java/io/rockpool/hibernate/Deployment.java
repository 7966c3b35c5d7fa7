package io.rockpool.hibernate;

import io.rockpool.jcache.RockpoolCachingProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.cache.Caching;
import javax.tools.ToolProvider;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

/** A version of an application: its classes, compiled apart and loaded by a loader of their own. */
final class Deployment {
  private final Path classes;
  private final Path directory;
  private final String regions;

  /**
   * Compiles sources of the package {@code shop}.
   *
   * @param sources the source of each class, by its simple name
   * @param directory the directory of the database and the store
   * @param regions the region factory
   */
  Deployment(Map<String, String> sources, Path directory, String regions) throws IOException {
    this.directory = directory;
    this.regions = regions;
    this.classes = Files.createTempDirectory(directory, "classes");
    Path root = Files.createDirectories(classes.resolve("shop"));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Files.writeString(
          root.resolve(source.getKey() + ".java"),
          """
          package shop;
          import jakarta.persistence.*;
          import java.util.*;
          import org.hibernate.annotations.*;
          import org.hibernate.annotations.Cache;
          """
              + source.getValue());
    }
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "-proc:none",
                    "-nowarn",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path")),
                sources.keySet().stream().map(it -> root.resolve(it + ".java").toString()))
            .toList();
    if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new))
        != 0) {
      throw new AssertionError("The sources do not compile.");
    }
  }

  /** Runs the application, from its start to its end. */
  <R> R run(List<String> entities, Function<SessionFactory, R> work) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    System.setProperty("rockpool.directory", directory.resolve("store").toString());
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, Deployment.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      Configuration configuration =
          new Configuration(new BootstrapServiceRegistryBuilder().applyClassLoader(loader).build())
              .setProperty("hibernate.connection.url", "jdbc:h2:" + directory.resolve("database"))
              .setProperty("hibernate.hbm2ddl.auto", "update")
              .setProperty("hibernate.generate_statistics", "true")
              .setProperty("hibernate.cache.use_query_cache", "true")
              .setProperty("hibernate.cache.region.factory_class", regions);
      if (!regions.equals("rockpool")) {
        configuration
            .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
            .setProperty("hibernate.javax.cache.provider", RockpoolCachingProvider.class.getName());
      }
      for (String entity : entities) {
        configuration.addAnnotatedClass(loader.loadClass("shop." + entity));
      }
      try (SessionFactory factory = configuration.buildSessionFactory()) {
        return work.apply(factory);
      } finally {
        Caching.getCachingProvider(RockpoolCachingProvider.class.getName()).close();
      }
    } finally {
      thread.setContextClassLoader(before);
      System.clearProperty("rockpool.directory");
    }
  }
}
