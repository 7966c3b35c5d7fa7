package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.text.Format;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was done with an instance, or read by a codec, makes no difference to what is read. */
@Slow
class JdkHistoryTest {
  record Box(Object held, String beside) {}

  enum Color {
    RED {
      @Override
      int number() {
        return 1;
      }
    },
    BLUE;

    int number() {
      return 2;
    }
  }

  static class OwnList extends ArrayList<Object> {
    private static final long serialVersionUID = 1L;
  }

  static class OwnMap extends HashMap<Object, Object> {
    private static final long serialVersionUID = 1L;
  }

  static class Plain {
    Object held = Color.RED;

    @Override
    public boolean equals(Object other) {
      return other instanceof Plain that && held == that.held;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Written by code of its own. */
  public static class Own extends Plain implements Externalizable {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(7);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readInt();
    }
  }

  /** The classes whose instances keep, and write, what they were asked for. */
  private static final Set<String> REMEMBERING =
      Set.of(
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetSocketAddress",
          "java.text.CompactNumberFormat",
          "java.text.DecimalFormat",
          "java.text.DecimalFormatSymbols",
          "java.text.MessageFormat",
          "java.text.SimpleDateFormat",
          "java.util.GregorianCalendar",
          "java.util.JapaneseImperialCalendar",
          "sun.util.BuddhistCalendar");

  private static Codec<Object> codec() {
    return Codecs.builder()
        .allowPackage("io.rockpool.codec")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  private static List<Object> instances() throws Exception {
    List<Object> all = JdkRoundTripTest.instances();
    all.addAll(List.of(Color.RED, Color.BLUE, EnumSet.of(Color.RED), new Color[] {Color.BLUE}));
    all.add(new EnumMap<>(Map.of(Color.RED, Color.BLUE)));
    all.addAll(List.of(new OwnList(), new OwnMap(), new Plain(), new Own()));
    GregorianCalendar set = new GregorianCalendar(2024, Calendar.JANUARY, 31);
    set.set(Calendar.MONTH, Calendar.FEBRUARY); // which becomes March when it is asked
    all.add(set);
    return all;
  }

  /** As a structure does that is read first after it was opened. */
  @Test
  void bytesDoNotDependOnWhatWasReadBefore() throws Exception {
    Codec<Object> writer = codec();
    Codec<Object> readFirst = codec();
    Codec<Object> later = codec();
    List<String> wrong = new ArrayList<>();
    for (Object value : instances()) {
      byte[] bytes = encode(writer, value);
      if (bytes == null) {
        continue;
      }
      Object back = held(readFirst, bytes);
      byte[] again = encode(readFirst, value);
      if (!Arrays.equals(encode(writer, value), again)) {
        wrong.add(value.getClass().getName() + ": other bytes");
      }
      for (Codec<Object> reader : List.of(writer, readFirst, later)) {
        if (!JdkRoundTripTest.same(value, held(reader, again))
            || !JdkRoundTripTest.same(value, held(reader, encode(readFirst, back)))) {
          wrong.add(value.getClass().getName() + ": another value");
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void whatWasUsedIsReadAsTheSame() throws Exception {
    Codec<Object> writer = codec();
    Codec<Object> reader = codec();
    Codec<Object> later = codec();
    List<String> wrong = new ArrayList<>();
    Set<String> remembering = new TreeSet<>();
    for (Object value : instances()) {
      byte[] unused = encode(writer, value);
      if (unused == null) {
        continue;
      }
      use(value);
      byte[] used = encode(writer, value);
      Object back = held(reader, unused);
      use(back);
      byte[] readAndUsed = encode(reader, back);
      if (!Arrays.equals(unused, used) || !Arrays.equals(unused, readAndUsed)) {
        remembering.add(value.getClass().getName());
      }
      for (byte[] bytes : List.of(used, readAndUsed)) {
        if (!JdkRoundTripTest.same(held(later, unused), held(later, bytes))) {
          wrong.add(value.getClass().getName());
        }
      }
    }
    assertThat(wrong).isEmpty();
    remembering.remove("java.util.Hashtable"); // ordered by its capacity, which is not kept
    assertThat(REMEMBERING).containsAll(remembering);
  }

  private static byte @Nullable [] encode(Codec<Object> codec, Object value) {
    try {
      return codec.encode(new Box(value, "beside"));
    } catch (UnencodableValueException e) {
      return null;
    }
  }

  private static Object held(Codec<Object> codec, byte[] bytes) {
    return ((Box) codec.decode(bytes, 0, bytes.length)).held();
  }

  /** Asks an instance for all that it may compute when it is asked. */
  @SuppressWarnings({"ReturnValueIgnored", "unchecked"})
  static void use(Object value) throws IllegalAccessException {
    value.hashCode();
    value.toString();
    value.equals(new Object());
    if (value instanceof Collection<?> all) {
      all.forEach(String::valueOf);
      all.toArray();
    }
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, of) -> map.get(key));
      map.entrySet().toArray();
    }
    if (value instanceof Comparable<?> comparable) {
      ((Comparable<Object>) comparable).compareTo(value);
    }
    if (value instanceof ZoneRules rules) {
      rules.getValidOffsets(LocalDateTime.MAX.minusYears(1));
      rules.nextTransition(Instant.EPOCH.plusSeconds(1L << 33));
    }
    if (value instanceof Format format) {
      try {
        format.format(format.getClass().getName().contains("Message") ? new Object[] {7} : 7);
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        // A pattern for something else.
      }
    }
    for (Method method : value.getClass().getMethods()) {
      boolean asks = method.getName().matches("(get|is|to)[A-Z].*");
      if (asks && method.getParameterCount() == 0 && isCallable(method)) {
        try {
          method.invoke(value);
        } catch (InvocationTargetException e) {
          // It has nothing to say.
        }
      }
    }
  }

  private static boolean isCallable(Method method) {
    return method.getDeclaringClass() != Object.class
        && Modifier.isPublic(method.getDeclaringClass().getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && (method.getDeclaringClass().getName().startsWith("java.")
            || method.getDeclaringClass().getName().startsWith("io.rockpool"));
  }
}
