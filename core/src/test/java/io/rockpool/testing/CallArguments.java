package io.rockpool.testing;

import io.rockpool.cache.ValueLoader;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.Check;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.ElementListener;
import io.rockpool.structure.EntryListener;
import io.rockpool.structure.ExpiryCondition;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoreAggregate;
import io.rockpool.structure.ScoreCondition;
import io.rockpool.structure.TableFilter;
import io.rockpool.structure.TableKey;
import io.rockpool.structure.TableListener;
import io.rockpool.structure.TableRecord;
import io.rockpool.structure.ValueListener;
import io.rockpool.structure.WeightedSet;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Arguments for operations of the public API, by the types of their parameters. A type has one
 * argument or several; of the latter, each is tried. Keys and elements are {@code k}, which
 * expires, and its neighbors; values are numbers.
 */
public final class CallArguments {
  /** The key or element that expires. */
  public static final String EXPIRING = "k";

  /** Longer than any test's entry lives. */
  private static final Duration LONG = Duration.ofHours(1);

  private static final List<String> KEYS = List.of(EXPIRING, "l", "j");

  /** The arguments for a type, at a time. */
  private interface Choices {
    List<?> at(long nowMillis);
  }

  private final Map<String, Choices> byType = new HashMap<>();

  /** The table of all types that have arguments everywhere. */
  public CallArguments() {
    addPlain();
    addFunctions();
    addOfStructures();
  }

  private void addPlain() {
    put("boolean", true, false);
    put("int", 1, 2);
    put("long", 0L, 1L);
    put("double", 1.0);
    put("Object", EXPIRING, 1L);
    put("Object[]", (Object) new Object[0]);
    put("T[]", (Object) new Object[0]);
    put("String", "text");
    put("TimeUnit", TimeUnit.MILLISECONDS);
    put("Duration", LONG);
    byType.put("Instant", now -> List.of(Instant.ofEpochMilli(now).plus(LONG)));
    put("Executor", (Executor) Runnable::run);
    byType.put("Collection", now -> List.of(new ArrayList<>(List.of(EXPIRING, "z"))));
    byType.put("Collection<Object>", now -> List.of(new ArrayList<>(List.of(EXPIRING, "z"))));
    put("Set<String>", Set.of("tag"));
    put("Collection<String>", List.of("tag"));
  }

  private void addFunctions() {
    put(
        "BiFunction",
        (BiFunction<Object, Object, Object>) (a, b) -> 5L,
        (BiFunction<Object, Object, Object>) CallArguments::nothing);
    put("BiFunction<Set>", (BiFunction<Object, Object, Object>) (a, b) -> Set.of("tag"));
    put("Function", (Function<Object, Object>) a -> 5L);
    put("UnaryOperator", (UnaryOperator<Object>) a -> 5L, (UnaryOperator<Object>) a -> null);
    put("BinaryOperator", (BinaryOperator<Object>) (a, b) -> b);
    put("LongBinaryOperator", (LongBinaryOperator) Long::sum);
    put("LongUnaryOperator", (LongUnaryOperator) a -> a + 1);
    put("ToLongBiFunction", (ToLongBiFunction<Object, Object>) (a, b) -> 1);
    put("IntFunction", (IntFunction<Object[]>) Object[]::new);
    put("Predicate", (Predicate<Object>) a -> true);
    put("Consumer", (Consumer<Object>) a -> {});
    put("BiConsumer", (BiConsumer<Object, Object>) (a, b) -> {});
    put("ValueLoader", (ValueLoader<Object, Object>) CallArguments::load);
    put(
        "Function<CompletionStage>",
        (Function<Object, CompletionStage<Object>>) a -> CompletableFuture.completedStage(5L));
  }

  private static Object nothing(Object first, Object second) {
    return null;
  }

  private static Object load(Object key) {
    return key instanceof Set<?> keys
        ? Map.copyOf(keys.stream().collect(Collectors.toMap(k -> k, k -> 5L)))
        : 5L;
  }

  private void addOfStructures() {
    put("ExpiryCondition", (Object[]) ExpiryCondition.values());
    put("ScoreCondition", (Object[]) ScoreCondition.values());
    put("ScoreAggregate", ScoreAggregate.SUM);
    put("DequeEnd", (Object[]) DequeEnd.values());
    put("EntryListener", (EntryListener<Object, Object>) (key, before, after) -> {});
    put("ElementListener", (ElementListener<Object>) (element, added) -> {});
    put("ValueListener", (ValueListener<Object>) (before, after) -> {});
    put("TableListener", (TableListener<Object, Object, Object>) (h, s, before, after) -> {});
    put("Range", Range.all());
    put("TableFilter", TableFilter.all());
    put("Check", Check.present(), Check.absent(), Check.equalTo(1L), Check.always());
    put(
        "Mutations",
        new Mutations<>().put(EXPIRING, 5L),
        new Mutations<>().remove(EXPIRING).put("l", 6L));
    put("Collection<TableKey>", List.of(new TableKey<>("h", EXPIRING)));
    put("Collection<TableRecord>", List.of(new TableRecord<>("h", EXPIRING, 5L)));
    put("SendOptions", SendOptions.defaults());
    put("UnaryOperator<SendOptions>", UnaryOperator.<SendOptions>identity());
  }

  /** Adds, or replaces, the arguments for a type. */
  public CallArguments put(String type, Object... choices) {
    byType.put(type, now -> List.of(choices));
    return this;
  }

  /** Adds an argument that is made for each call. */
  public CallArguments per(String type, Supplier<?> argument) {
    byType.put(type, now -> List.of(argument.get()));
    return this;
  }

  /** The arguments of a map: keys and numbers. */
  public CallArguments ofMaps() {
    put("Map", Map.of(EXPIRING, 5L, "l", 6L));
    byType.put("Stream", now -> List.of(Stream.of(Map.entry(EXPIRING, 5L))));
    return put("V", 1L, 5L).keys("K");
  }

  /** The arguments of a collection of texts. */
  public CallArguments ofElements() {
    byType.put("Stream", now -> List.of(Stream.of(EXPIRING)));
    put("Map", Map.of(EXPIRING, 5.0, "l", 6.0));
    return keys("E").keys("K");
  }

  /** Lets keys be what a type variable stands for; of two, the second is behind all keys. */
  public CallArguments keys(String variable) {
    put(variable, KEYS.toArray());
    return put(variable + "2", "zz");
  }

  /** The arguments of operations with other sets. */
  public CallArguments sets(Supplier<? extends Set<String>> other) {
    for (String type : List.of("Set", "ScoredSetView", "PersistentScoredSet", "PersistentSet")) {
      per(type, other);
    }
    per("List<Set>", () -> List.of(other.get()));
    per("List<PersistentScoredSet>", () -> List.of(other.get()));
    return per("List<WeightedSet>", () -> List.of(WeightedSet.of(other.get())));
  }

  /** The arguments of operations with other deques. */
  public CallArguments deques(Supplier<PersistentDeque<String>> other) {
    per("PersistentDeque", other);
    return per("List", () -> List.of(other.get()));
  }

  /** How many lists of arguments an operation has. */
  public int choices(Method method) {
    int choices = 1;
    for (List<?> some : all(method, 0)) {
      choices *= some.size();
    }
    return choices;
  }

  /** The arguments of an operation. */
  public List<@Nullable Object> of(Method method, int choice, long nowMillis) {
    List<@Nullable Object> arguments = new ArrayList<>();
    int left = choice;
    for (List<?> some : all(method, nowMillis)) {
      arguments.add(some.get(left % some.size()));
      left /= some.size();
    }
    return arguments;
  }

  private List<List<?>> all(Method method, long nowMillis) {
    boolean waits = List.of(method.getExceptionTypes()).contains(InterruptedException.class);
    List<List<?>> all = new ArrayList<>();
    List<String> before = new ArrayList<>();
    for (Type type : method.getGenericParameterTypes()) {
      String name = type.getTypeName().replaceAll("\\b([a-z]\\w*\\.)+(?=[A-Z])", "");
      all.add(
          waits && name.equals("Duration")
              ? List.of(Duration.ZERO)
              : of(name, before, method, nowMillis));
      before.add(name);
    }
    return all;
  }

  private List<?> of(String name, List<String> before, Method method, long nowMillis) {
    String inner =
        name.replaceAll(
            "^(\\w+)<.*?(TableKey|TableRecord|String|SendOptions|CompletionStage|Double|WeightedSet|Delivery|PersistentScoredSet|Set)\\b.*>$",
            "$1<$2>");
    String raw = name.replaceAll("<.*", "");
    for (String key : List.of(before.contains(name) ? name + "2" : name, name, inner, raw)) {
      Choices choices = byType.get(key);
      if (choices != null) {
        return choices.at(nowMillis);
      }
    }
    throw new AssertionError(
        "No argument of the type " + name + " is in the table for " + method + "; add one.");
  }
}
