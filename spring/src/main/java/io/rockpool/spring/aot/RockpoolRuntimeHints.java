package io.rockpool.spring.aot;

import io.rockpool.engine.rocksdb.RocksDbEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * What of the libraries below is found by name: RocksDB's native code for this machine, on which an
 * image is built that runs on its like; RocksDB's classes, which that code calls back; and the
 * classes of which Caffeine chooses a cache's. Apache Fory brings hints of its own.
 */
final class RockpoolRuntimeHints implements RuntimeHintsRegistrar {
  private static final String ROCKSDB = "org.rocksdb";
  private static final String CAFFEINE = "com.github.benmanes.caffeine.cache";

  /** Caffeine names what it generates by a letter for each feature. */
  private static final Pattern GENERATED = Pattern.compile("[A-Z]{2,}");

  /** What the native code makes and fills of the JDK's. */
  private static final Class<?>[] MADE_BY_NATIVE_CODE = {
    java.util.ArrayList.class,
    java.util.HashMap.class,
    java.util.List.class,
    java.util.Map.class,
    java.nio.ByteBuffer.class,
    Byte.class,
    Integer.class,
    Long.class,
    String.class,
    IllegalArgumentException.class
  };

  private static final MemberCategory[] ALL = {
    MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
    MemberCategory.INVOKE_DECLARED_METHODS,
    MemberCategory.ACCESS_DECLARED_FIELDS
  };

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    if (ClassUtils.isPresent(ROCKSDB + ".RocksDB", RocksDbEngine.class.getClassLoader())) {
      registerRocksDb(hints, classLoader);
    }
    classes(CAFFEINE, classLoader, GENERATED.asMatchPredicate())
        .forEach(type -> hints.reflection().registerType(type, ALL));
    hints
        .reflection()
        .registerType(
            org.springframework.cache.interceptor.SimpleKey.class,
            MemberCategory.ACCESS_DECLARED_FIELDS);
  }

  private static void registerRocksDb(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern(RocksDbEngine.nativeLibrary());
    for (Class<?> type : MADE_BY_NATIVE_CODE) {
      hints.jni().registerType(type, ALL);
    }
    classes(ROCKSDB, classLoader, name -> true)
        .forEach(type -> hints.jni().registerType(type, ALL));
  }

  /** The classes of a package whose simple names are as said, by their files. */
  private static Stream<TypeReference> classes(
      String packageName, @Nullable ClassLoader classLoader, Predicate<String> named) {
    String pattern = "classpath*:" + packageName.replace('.', '/') + "/*.class";
    try {
      Resource[] files = new PathMatchingResourcePatternResolver(classLoader).getResources(pattern);
      return Arrays.stream(files)
          .map(file -> String.valueOf(file.getFilename()).replace(".class", ""))
          .filter(named)
          .map(name -> TypeReference.of(packageName + "." + name));
    } catch (IOException e) {
      throw new UncheckedIOException("The classes of " + packageName + " cannot be listed.", e);
    }
  }
}
