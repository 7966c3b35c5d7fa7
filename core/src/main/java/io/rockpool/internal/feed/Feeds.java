package io.rockpool.internal.feed;

import io.rockpool.change.ChangeFeed;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.catalog.NameHolder;
import io.rockpool.internal.catalog.OpenByName;
import io.rockpool.internal.change.ChangeLog;
import io.rockpool.internal.change.LogEpochs;
import io.rockpool.structure.TableKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open change feeds of one store. Writes to {@code open} hold the catalog's lock; reads do not.
 */
public final class Feeds implements NameHolder {
  private final Engine engine;
  private final Catalog catalog;
  private final Codecs codecs;
  private final OpenByName<Open> open;

  /** The loader of classes that the types do not name; null for the store's. */
  private final @Nullable ClassLoader loader;

  /**
   * The arguments of an opening. Equal requests return the same object.
   *
   * @param loader the loader of classes that the types do not name; null for the store's
   */
  private record Request(String name, List<TypeRef<?>> types, @Nullable ClassLoader loader) {}

  private record Open(Request request, StoredFeed<?, ?> feed) {}

  /** Registers with {@code catalog}; no feed is open yet. */
  public Feeds(Engine engine, Catalog catalog, Codecs codecs) {
    this(engine, catalog, codecs, new OpenByName<>(), null);
    catalog.register(this);
  }

  private Feeds(
      Engine engine,
      Catalog catalog,
      Codecs codecs,
      OpenByName<Open> open,
      @Nullable ClassLoader loader) {
    this.engine = engine;
    this.catalog = catalog;
    this.codecs = codecs;
    this.open = open;
    this.loader = loader;
  }

  /** Returns the same feeds for an application with its own class loader. */
  public Feeds in(ClassLoader application) {
    return new Feeds(engine, catalog, codecs.withClassLoader(application), open, application);
  }

  private Request request(String name, List<TypeRef<?>> types) {
    return new Request(name, types, HandleLoader.of(loader, types));
  }

  /**
   * Empties the logs of a restored store; see {@link LogEpochs}. To be called before any is used.
   */
  public void startEpochs() {
    LogEpochs.start(engine);
  }

  /**
   * Opens the feed of a cache or collection with at most one type of keys.
   *
   * @throws IllegalStateException if the name has no feed
   * @throws NameConflictException if the name holds other types
   */
  public <K, V> ChangeFeed<K, V> open(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    Request request = request(name, List.of(keyType, valueType));
    @SuppressWarnings("unchecked") // equal types make an equal feed
    StoredFeed<K, V> there = (StoredFeed<K, V>) find(request);
    if (there != null) {
      return there;
    }
    String type = entry(name).identity().type();
    return open(request, ChangeDecoder.of(type, name, keyType, valueType, codecs));
  }

  /** Opens the feed of a table; otherwise like the other {@code open}. */
  public <H, S, V> ChangeFeed<TableKey<H, S>, V> open(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType) {
    Request request = request(name, List.of(hashKeyType, sortKeyType, valueType));
    @SuppressWarnings("unchecked") // equal types make an equal feed
    StoredFeed<TableKey<H, S>, V> there = (StoredFeed<TableKey<H, S>, V>) find(request);
    return there == null
        ? open(request, ChangeDecoder.ofTable(hashKeyType, sortKeyType, valueType, codecs))
        : there;
  }

  private @Nullable StoredFeed<?, ?> find(Request request) {
    catalog.loseEnded(request.name());
    for (Open there : open.of(request.name())) {
      if (there.request().equals(request)) {
        return there.feed();
      }
    }
    return null;
  }

  private Entry entry(String name) {
    Entry entry = catalog.find(name);
    if (entry == null) {
      throw new IllegalStateException(
          "The name \"" + name + "\" holds nothing; open it with the option changes first.");
    }
    return entry;
  }

  private <K, V> ChangeFeed<K, V> open(Request request, ChangeDecoder<K, V> decoder) {
    return catalog.locked(
        () -> {
          String name = request.name();
          Entry entry = entry(name);
          refuseOther(name, entry.identity(), decoder.identity());
          ChangeLog log = catalog.changeLog(entry);
          if (log == null) {
            throw new IllegalStateException(
                "The name \""
                    + name
                    + "\" has no change feed; open it with the option changes first.");
          }
          StoredFeed<K, V> feed =
              new StoredFeed<>(new FeedReader<>(name, engine, log, decoder, catalog::isFeedLost));
          open.add(name, new Open(request, feed));
          return feed;
        });
  }

  private static void refuseOther(String name, Identity there, Identity wanted) {
    if (!wanted.reads(there)) {
      throw new NameConflictException(
          "The name \""
              + name
              + "\" holds "
              + there
              + ", and its feed was opened as that of "
              + wanted
              + ". Open it with the types and codecs of the name.",
          name);
    }
  }

  @Override
  public Set<String> openNames() {
    return open.names();
  }

  @Override
  public @Nullable Space openSpace(String name) {
    List<Open> there = open.of(name);
    return there.isEmpty() ? null : there.get(0).feed().reader().space();
  }

  @Override
  public void spaceChanged(String name) {
    open.all().stream()
        .map(Open::feed)
        .filter(feed -> name.equals(feed.reader().space().name()) || name.equals(feed.name()))
        .forEach(feed -> feed.reader().wake());
  }

  @Override
  public void lose(String name, String why) {
    open.remove(name, any -> true).forEach(lost -> lost.feed().reader().close(why));
  }

  /** Closes all feeds: every later use throws. */
  public void close() {
    catalog.locked(
        () -> {
          openNames().forEach(name -> lose(name, "is closed: its store is."));
          return open;
        });
  }
}
