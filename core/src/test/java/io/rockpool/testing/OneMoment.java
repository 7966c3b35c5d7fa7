package io.rockpool.testing;

import io.rockpool.Rockpool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs every public operation of an object that has an entry which expires, under a clock that
 * passes the expiry at the operation's first look, its second, and so on. Its answer and what it
 * leaves have to be those of a whole run before the expiry, or of a whole run after it.
 *
 * <p>Operations come from the public API by reflection, arguments from {@link CallArguments}. An
 * operation with an argument that is not in that table fails.
 */
public final class OneMoment {
  /** How long the entry lives. New entries live for longer than any look. */
  public static final Duration LIFE = Duration.ofSeconds(10);

  private static final Duration BETWEEN_RUNS = Duration.ofDays(40);

  /** Types whose operations are called, too, if another operation returns one. */
  private static final Set<Class<?>> VIEWS =
      Set.of(
          ConcurrentMap.class,
          ConcurrentNavigableMap.class,
          NavigableMap.class,
          Set.class,
          NavigableSet.class,
          Collection.class);

  /** More looks than any operation takes. */
  private static final int MANY_LOOKS = 200;

  /** What is made anew for each run, with an entry that ends {@link #LIFE} after the beginning. */
  public interface World extends AutoCloseable {
    /** What is called. */
    Object subject();

    /** What there is, at this moment. */
    Object state();

    @Override
    void close();
  }

  /** Makes a world. */
  public interface Maker {
    World make(Rockpool pool);
  }

  private final Rockpool pool;
  private final SteppingClock clock;
  private final Maker maker;
  private final CallArguments arguments;
  private final Set<Class<?>> views = new LinkedHashSet<>(VIEWS);
  private final Set<String> refused = new LinkedHashSet<>();
  private final List<String> found = new ArrayList<>();
  private String lost = "";
  private boolean waits = true;
  private boolean inTransaction;
  private int runs;

  /** Runs operations of what {@code maker} makes in a store with this clock. */
  public OneMoment(Rockpool pool, SteppingClock clock, CallArguments arguments, Maker maker) {
    this.pool = pool;
    this.clock = clock;
    this.arguments = arguments;
    this.maker = maker;
  }

  /** Leaves out operations of these names; the caller says why. */
  public OneMoment without(Collection<String> names) {
    refused.addAll(names);
    return this;
  }

  /** Calls the operations of these types as well, if an operation returns one. */
  public OneMoment into(Class<?>... types) {
    views.addAll(List.of(types));
    return this;
  }

  /** Calls no operations of what operations return. */
  public OneMoment withoutViews() {
    views.clear();
    return this;
  }

  /** Leaves out operations that may wait for ever. */
  public OneMoment withoutWaiting() {
    waits = false;
    return this;
  }

  /** Disregards a part of what there is: a regular expression. */
  public OneMoment disregarding(String part) {
    lost = part;
    return this;
  }

  /** Runs each operation in a transaction. */
  public OneMoment inTransaction() {
    inTransaction = true;
    return this;
  }

  /** Runs all operations of a type; returns what disagreed, for people. */
  public List<String> run(Class<?> type) {
    operations(type).forEach(method -> runAll(List.of(method)));
    return found;
  }

  /** How many runs there were. */
  public int runs() {
    return runs;
  }

  private List<Method> operations(Class<?> type) {
    return operationsOf(type).stream()
        .filter(method -> !Modifier.isStatic(method.getModifiers()) || isOwn(method))
        .filter(method -> !refused.contains(method.getName()))
        .filter(method -> waits || !waits(method))
        .toList();
  }

  /** The public operations of a type, also those that it inherits from one that is not public. */
  public static List<Method> operationsOf(Class<?> type) {
    // A class has bridges to the public methods of a superclass that is not public.
    Map<String, Method> methods = new TreeMap<>();
    for (Class<?> owner = type; owner != null && owner != Object.class; ) {
      Arrays.stream(owner.getDeclaredMethods())
          .filter(method -> Modifier.isPublic(method.getModifiers()))
          .forEach(method -> add(method, methods));
      owner = owner.getSuperclass();
    }
    List.of(type.getMethods()).forEach(method -> add(method, methods));
    return List.copyOf(methods.values());
  }

  private static void add(Method method, Map<String, Method> methods) {
    if (!method.isSynthetic() && method.getDeclaringClass() != Object.class) {
      methods.putIfAbsent(method.getName() + Arrays.toString(method.getParameterTypes()), method);
    }
  }

  private static boolean isOwn(Method method) {
    return method.getDeclaringClass().getName().startsWith("io.rockpool.")
        && Arrays.asList(method.getExceptionTypes()).isEmpty();
  }

  private static boolean waits(Method method) {
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    return List.of(method.getExceptionTypes()).contains(InterruptedException.class)
        && !parameters.contains(Duration.class)
        && !parameters.contains(TimeUnit.class);
  }

  /**
   * A path of operations: each is called on what the one before returned. Only the last one is
   * tried with all arguments.
   */
  private void runAll(List<Method> path) {
    int choices = arguments.choices(path.get(path.size() - 1));
    for (int choice = 0; choice < choices; choice++) {
      run(path, choice);
    }
    Class<?> returned = path.get(path.size() - 1).getReturnType();
    if (path.size() == 1 && views.contains(returned)) {
      for (Method next : operations(returned)) {
        runAll(List.of(path.get(0), next));
      }
    }
  }

  private void run(List<Method> path, int choice) {
    String before = outcome(path, choice, 0, false).text;
    String after = outcome(path, choice, 0, true).text;
    for (int look = 1; look < MANY_LOOKS; look++) {
      Outcome outcome = outcome(path, choice, look, false);
      if (outcome.looks < look) {
        return;
      }
      if (!outcome.text.equals(before) && !outcome.text.equals(after)) {
        found.add(
            String.format(
                "%s, choice %d, look %d:%n    %s%n    before the expiry: %s%n    after it: %s",
                name(path), choice, look, outcome.text, before, after));
        return;
      }
    }
    found.add(name(path) + " looks at the clock " + MANY_LOOKS + " times");
  }

  private static String name(List<Method> path) {
    StringBuilder name = new StringBuilder();
    for (Method method : path) {
      name.append('.').append(method.getName()).append('(');
      name.append(
          String.join(
              ", ", Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList()));
      name.append(')');
    }
    return name.toString();
  }

  private record Outcome(String text, int looks) {}

  private Outcome outcome(List<Method> path, int choice, int look, boolean afterwards) {
    runs++;
    long begun = clock.nowMillis() + BETWEEN_RUNS.toMillis();
    long past = begun + LIFE.toMillis() + 1;
    clock.setMillis(begun);
    Answers answers = new Answers(begun);
    try (World world = maker.make(pool)) {
      if (afterwards) {
        clock.setMillis(past);
      }
      clock.watch(look, past);
      String answer;
      int looks;
      try {
        answer =
            inTransaction
                ? pool.atomically(tx -> call(world, path, choice, answers))
                : call(world, path, choice, answers);
      } finally {
        looks = clock.unwatch();
      }
      clock.setMillis(past);
      String state = answers.of(world.state()).replaceAll(lost, "");
      clock.setMillis(past + Duration.ofDays(30).toMillis());
      return new Outcome(
          answer + " and there is " + state + ", later " + answers.of(world.state()), looks);
    }
  }

  private String call(World world, List<Method> path, int choice, Answers answers) {
    Object target = world.subject();
    List<@Nullable Object> given = List.of();
    try {
      for (int i = 0; i < path.size(); i++) {
        Method method = path.get(i);
        given = arguments.of(method, i == path.size() - 1 ? choice : 0, clock.nowMillis());
        method.setAccessible(true); // a public type may inherit it from one that is not
        target = method.invoke(target, given.toArray());
        if (target == null) {
          break;
        }
      }
      return answers.of(target) + answers.filled(given);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error && !(cause instanceof StackOverflowError)) {
        throw error;
      }
      return cause.getClass().getSimpleName();
    } catch (IllegalStateException | UnsupportedOperationException e) { // from reading an answer
      return e.getClass().getSimpleName();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new AssertionError(name(path) + " cannot be called with " + given, e);
    }
  }
}
