package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every public operation of structures with values, over a value that cannot be decoded: one that
 * gives the old value to nobody works, and any other throws before it writes and says what to call.
 */
final class UndecodableWritesTest {
  private static final String K = CallArguments.EXPIRING;

  /** Compare the old value, count on it, or hand it to a function: their results do not show it. */
  private static final Set<String> NEED_OLD_VALUE =
      Set.of(
          "compareAndSet",
          "containsValue",
          "equals",
          "forEach",
          "hashCode",
          "remove(Object, Object)",
          "replace(Object, Object, Object)",
          "replace(Object, Object, Object, Duration)",
          "replaceAll",
          "toString");

  /** End the structure, or wait. */
  private static final Set<String> WITHOUT = Set.of("close", "notify", "notifyAll", "wait");

  private static final Set<Class<?>> VIEWS =
      Set.of(ConcurrentNavigableMap.class, NavigableMap.class);

  private final AtomicBoolean broken = new AtomicBoolean();

  /** Numbers, none of which can be decoded while {@link #broken}. */
  private final class Numbers implements Codec<Long> {
    @Override
    public String id() {
      return "numbers";
    }

    @Override
    public byte[] encode(Long value) {
      return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    @Override
    public Long decode(byte[] bytes, int offset, int length) {
      long value = ByteBuffer.wrap(bytes, offset, length).getLong();
      if (broken.get() && value == 1) {
        throw new UndecodableValueException("Its class is gone.", null);
      }
      return value;
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  /** A structure: how it is filled, and what it has. */
  enum Type {
    MAP(PersistentMap.class, "putAll", "removeAll"),
    SORTED_MAP(PersistentSortedMap.class, "putAll", "removeAll"),
    TABLE(PersistentTable.class, "put", "remove"),
    VALUE(PersistentValue.class, "set", "clear");

    private final Class<?> api;
    private final String overwriting;
    private final String removing;

    Type(Class<?> api, String overwriting, String removing) {
      this.api = api;
      this.overwriting = overwriting;
      this.removing = removing;
    }

    PersistentStructure filled(Rockpool pool, String name, StructureOptions options) {
      TypeRef<String> text = TypeRef.of(String.class);
      TypeRef<Long> number = TypeRef.of(Long.class);
      switch (this) {
        case MAP -> {
          PersistentMap<String, Long> map = pool.map(name, text, number, o -> options);
          map.putAll(Map.of(K, 1L, "j", 7L));
          return map;
        }
        case SORTED_MAP -> {
          PersistentSortedMap<String, Long> map = pool.sortedMap(name, text, number, o -> options);
          map.putAll(Map.of(K, 1L, "j", 7L));
          return map;
        }
        case TABLE -> {
          PersistentTable<String, String, Long> table =
              pool.table(name, text, text, number, o -> options);
          table.putAll("h", Map.of(K, 1L, "j", 7L));
          return table;
        }
        default -> {
          PersistentValue<Long> value = pool.value(name, number, o -> options);
          value.set(1L);
          return value;
        }
      }
    }

    @SuppressWarnings("unchecked") // made above
    static Object state(PersistentStructure structure) {
      if (structure instanceof Map<?, ?> map) {
        return Map.copyOf(map);
      }
      return structure instanceof PersistentValue<?> value
          ? value.getOptional()
          : Map.copyOf(((PersistentTable<String, String, Long>) structure).row("h"));
    }

    CallArguments arguments() {
      CallArguments arguments = new CallArguments();
      return switch (this) {
        case TABLE -> arguments.ofMaps().put("H", "h").put("S", K).put("K", K).put("E", K);
        case VALUE -> arguments.put("T", 5L);
        default -> arguments.ofMaps().put("K", K).put("E", K);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void writesThatReturnNoOldValueWorkAndOthersThrowFirst(Type type) {
    List<String> found = new ArrayList<>();
    List<String> worked = new ArrayList<>();
    StructureOptions options =
        StructureOptions.defaults()
            .codecs(Codecs.builder().register(TypeRef.of(Long.class), new Numbers()).build());
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.builder().build()).open()) {
      for (Method first : operations(type.api)) {
        List<List<Method>> paths = new ArrayList<>();
        paths.add(List.of(first));
        if (VIEWS.contains(first.getReturnType())) {
          operations(first.getReturnType()).forEach(next -> paths.add(List.of(first, next)));
        }
        for (List<Method> path : paths) {
          int choices = type.arguments().choices(path.get(path.size() - 1));
          for (int choice = 0; choice < choices; choice++) {
            run(type, type.filled(pool, "name", options), path, choice, found, worked);
          }
        }
      }
    }
    assertThat(String.join("\n", found)).isEmpty();
    assertThat(worked).contains(type.overwriting, type.removing);
  }

  private static List<Method> operations(Class<?> type) {
    return OneMoment.operationsOf(type).stream()
        .filter(method -> !WITHOUT.contains(method.getName()))
        .toList();
  }

  private void run(
      Type type,
      PersistentStructure structure,
      List<Method> path,
      int choice,
      List<String> found,
      List<String> worked) {
    Method last = path.get(path.size() - 1);
    String name = path.stream().map(UndecodableWritesTest::signature).toList() + " " + choice;
    Object before = Type.state(structure);
    UndecodableValueException thrown = null;
    broken.set(true);
    try {
      call(type, structure, path, choice);
    } catch (UndecodableValueException e) {
      thrown = e;
    } finally {
      broken.set(false);
    }
    Object after = Type.state(structure);
    if (thrown == null) {
      if (!after.equals(before)) {
        worked.add(last.getName());
      }
    } else if (!after.equals(before) && !last.getName().equals("replaceAll")) { // entry by entry
      found.add(name + " threw and left " + after);
    } else if (!mayThrow(last)) {
      found.add(name + " threw " + thrown.getMessage());
    } else if (!thrown.getMessage().contains(type.overwriting + ' ')
        || !thrown.getMessage().contains(type.removing + ' ')) {
      found.add(name + " does not say what to call: " + thrown.getMessage());
    }
    structure.clear();
  }

  private static @Nullable Object call(
      Type type, PersistentStructure structure, List<Method> path, int choice) {
    Object target = structure;
    try {
      for (Method method : path) {
        int tried = method.equals(path.get(path.size() - 1)) ? choice : 0;
        method.setAccessible(true); // a public type may inherit it from one that is not
        target = method.invoke(target, type.arguments().of(method, tried, 0).toArray());
      }
      return target;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UndecodableValueException undecodable) {
        throw undecodable;
      }
      return null; // for another reason, such as an argument that does not fit
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(path.toString(), e);
    }
  }

  /** Whether the operation has a use for the old value: it returns, compares or computes it. */
  private static boolean mayThrow(Method method) {
    String returned = method.getGenericReturnType().getTypeName();
    return returned.matches("V|T|java\\.lang\\.Object|.*[<, ](\\? \\w+ )?[VT]>.*|.*Entry.*")
        || returned.contains("CheckResult")
        || Arrays.stream(method.getParameterTypes()).anyMatch(UndecodableWritesTest::isCode)
        || NEED_OLD_VALUE.contains(method.getName())
        || NEED_OLD_VALUE.contains(signature(method));
  }

  private static boolean isCode(Class<?> parameter) {
    return parameter.getPackageName().equals("java.util.function");
  }

  private static String signature(Method method) {
    return method.getName()
        + '('
        + String.join(
            ", ", Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList())
        + ')';
  }
}
