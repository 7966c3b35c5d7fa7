package io.rockpool.testing;

import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Opens a store in a temporary directory before each test, and closes it and deletes the directory
 * afterwards. Use it as an instance field with {@code @RegisterExtension}. The store is open when
 * {@code @BeforeEach} methods run, and still open when {@code @AfterEach} methods do.
 *
 * @param <T> the engine, or the pool
 */
public final class StoreExtension<T extends AutoCloseable>
    implements BeforeEachCallback, AfterEachCallback {
  private final Function<Path, T> opener;
  private @Nullable Path directory;
  private @Nullable T store;

  /** Opens the embedded engine with its default options. */
  public static StoreExtension<RocksDbEngine> ofEngine() {
    return ofEngine(options -> options);
  }

  /** Opens the embedded engine with the options that {@code options} sets. */
  public static StoreExtension<RocksDbEngine> ofEngine(
      UnaryOperator<RocksDbOptions.Builder> options) {
    return new StoreExtension<>(
        directory ->
            RocksDbEngine.open(directory, options.apply(RocksDbOptions.builder()).build()));
  }

  /** Opens the store by {@code opener}, in the directory that it is given. */
  public StoreExtension(Function<Path, T> opener) {
    this.opener = opener;
  }

  /** The open store. */
  public T get() {
    return Objects.requireNonNull(store, "store");
  }

  /** Closes the store and opens it again in the same directory. */
  public T reopen() throws Exception {
    get().close();
    store = opener.apply(Objects.requireNonNull(directory, "directory"));
    return get();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("store");
    store = opener.apply(directory);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (store != null) {
      store.close();
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
