package io.rockpool.jcache;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;

/** Every operation of a cache on one key, by name. */
final class Operations {
  static final String KEY = "k";
  static final String NEW = "new";
  static final String OLD = "old";
  private static final String OTHER = "other";

  private Operations() {}

  /** The operation of a name; {@code invoke get set} calls those methods of its entry. */
  static Consumer<Cache<String, String>> named(String name) {
    return named(name, Set.of(KEY));
  }

  /** As above, where an operation on many keys is on these. */
  static Consumer<Cache<String, String>> named(String name, Set<String> keys) {
    if (name.startsWith("invoke")) {
      List<String> words = List.of(name.split(" "));
      EntryProcessor<String, String, Object> processor = processor(words);
      return words.get(0).equals("invoke")
          ? cache -> cache.invoke(KEY, processor)
          : cache -> cache.invokeAll(keys, processor).values().forEach(EntryProcessorResult::get);
    }
    return switch (name) {
      case "get" -> cache -> cache.get(KEY);
      case "getAll" -> cache -> cache.getAll(keys);
      case "containsKey" -> cache -> cache.containsKey(KEY);
      case "put" -> cache -> cache.put(KEY, NEW);
      case "putAll" -> cache -> cache.putAll(all(keys, NEW));
      case "getAndPut" -> cache -> cache.getAndPut(KEY, NEW);
      case "putIfAbsent" -> cache -> cache.putIfAbsent(KEY, NEW);
      case "remove" -> cache -> cache.remove(KEY);
      case "remove equal" -> cache -> cache.remove(KEY, OLD);
      case "remove other" -> cache -> cache.remove(KEY, OTHER);
      case "getAndRemove" -> cache -> cache.getAndRemove(KEY);
      case "replace equal" -> cache -> cache.replace(KEY, OLD, NEW);
      case "replace other" -> cache -> cache.replace(KEY, OTHER, NEW);
      case "replace" -> cache -> cache.replace(KEY, NEW);
      case "getAndReplace" -> cache -> cache.getAndReplace(KEY, NEW);
      case "removeAll of keys" -> cache -> cache.removeAll(keys);
      case "removeAll" -> Cache::removeAll;
      case "clear" -> Cache::clear;
      case "iterate" -> cache -> cache.forEach(entry -> {});
      case "iterate and remove" -> Operations::iterateAndRemove;
      case "loadAll keeping" -> cache -> loadAll(cache, keys, false);
      case "loadAll replacing" -> cache -> loadAll(cache, keys, true);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** The same value for every key. */
  static Map<String, String> all(Set<String> keys, String value) {
    return keys.stream().collect(Collectors.toMap(key -> key, key -> value));
  }

  private static void iterateAndRemove(Cache<String, String> cache) {
    for (Iterator<?> iterator = cache.iterator(); iterator.hasNext(); ) {
      iterator.next();
      iterator.remove();
    }
  }

  private static void loadAll(Cache<String, String> cache, Set<String> keys, boolean replacing) {
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(keys, replacing, done);
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new CacheException(e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A processor that does to its entry what the words after the first say. */
  private static EntryProcessor<String, String, Object> processor(List<String> words) {
    return (entry, arguments) -> {
      words.stream().skip(1).forEach(word -> process(entry, word));
      return null;
    };
  }

  private static void process(MutableEntry<String, String> entry, String word) {
    switch (word) {
      case "get" -> entry.getValue();
      case "exists" -> entry.exists();
      case "set" -> entry.setValue(NEW);
      case "remove" -> entry.remove();
      case "fail" -> throw new IllegalStateException("as told");
      default -> throw new IllegalArgumentException(word);
    }
  }
}
