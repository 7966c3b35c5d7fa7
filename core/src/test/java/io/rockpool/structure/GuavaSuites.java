package io.rockpool.structure;

import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.features.SetFeature;
import io.rockpool.Rockpool;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import junit.extensions.TestSetup;
import junit.framework.Test;
import junit.framework.TestSuite;

/**
 * Guava's suites for collections, on each engine. One store serves all tests of a suite: each
 * collection gets a name of its own in it.
 */
final class GuavaSuites {
  /**
   * What a map is said to support. Left out: nulls, which are refused; {@code SERIALIZABLE}, as it
   * lives in its store; {@code KNOWN_ORDER}; {@code FAILS_FAST_ON_CONCURRENT_MODIFICATION}, as its
   * iterators are weakly consistent; {@code REJECTS_DUPLICATES_AT_CREATION}, as it is created
   * empty.
   */
  static final List<Feature<?>> MAP_FEATURES =
      List.of(
          MapFeature.GENERAL_PURPOSE,
          CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
          CollectionSize.ANY);

  /** What a set is said to support; left out as for {@link #MAP_FEATURES}. */
  static final List<Feature<?>> SET_FEATURES =
      List.of(SetFeature.GENERAL_PURPOSE, CollectionSize.ANY);

  private GuavaSuites() {}

  /** Opens a new collection of a suite; each has another name. */
  interface Opener<C> {
    C open(Rockpool pool, String name);
  }

  /** The suites that {@code suite} makes of a source of new collections, one for each engine. */
  static <C extends PersistentStructure> Test onEachEngine(
      Opener<C> opener, Function<Source<C>, Test> suite) {
    return on(List.of(Kind.values()), opener, suite);
  }

  /**
   * As {@link #onEachEngine}, on some of them: for suites of very many tests. On a server all kinds
   * are the same.
   */
  static <C extends PersistentStructure> Test on(
      List<Kind> kinds, Opener<C> opener, Function<Source<C>, Test> suite) {
    List<Kind> tested = isOnServer() ? List.of(Kind.MEMORY) : kinds;
    TestSuite all = new TestSuite("on " + tested);
    for (Kind kind : tested) {
      Source<C> source = new Source<>(kind, opener);
      all.addTest(new WithStore(suite.apply(source), source));
    }
    return all;
  }

  /** Whether a server is in place of the engines of this module; it takes no snapshots. */
  static boolean isOnServer() {
    return TestServer.provided().isPresent();
  }

  /** Gives an empty collection each time; those that a test uses at once are different. */
  static final class Source<C extends PersistentStructure> implements Supplier<C> {
    /**
     * A test of iterators asks for thousands, one after the other. No test compares more than a
     * few.
     */
    private static final int MOST_AT_ONCE = 20;

    private final Kind kind;
    private final Opener<C> opener;
    private StoreUnderTest store;
    private Path directory;
    private int opened;

    private Source(Kind kind, Opener<C> opener) {
      this.kind = kind;
      this.opener = opener;
    }

    /** What to call a suite of these. */
    String named(String type) {
      return type + " on " + kind;
    }

    @Override
    public C get() {
      open();
      C collection = opener.open(store.pool(), "guava/" + opened++ % MOST_AT_ONCE);
      collection.clear();
      return collection;
    }

    /**
     * To be run after each test: what it has opened serves the next one, cleared. To drop it would
     * take far longer, since a store forces that to the disk.
     */
    void reuseAll() {
      opened = 0;
    }

    /** Opens the store, unless that is done: some suites ask for a collection as they are made. */
    private void open() {
      if (store == null) {
        try {
          directory = Files.createTempDirectory("guava");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        store = new StoreUnderTest(kind, directory);
      }
    }

    private void close() throws IOException {
      store.close();
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(Source::delete);
      }
    }

    private static void delete(Path file) {
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class WithStore extends TestSetup {
    private final Source<?> source;

    WithStore(Test suite, Source<?> source) {
      super(suite);
      this.source = source;
    }

    @Override
    protected void setUp() {
      source.open();
    }

    @Override
    protected void tearDown() throws IOException {
      source.close();
    }
  }
}
