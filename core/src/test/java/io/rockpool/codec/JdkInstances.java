package io.rockpool.codec;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.HijrahDate;
import java.time.chrono.JapaneseDate;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Instances of the JDK's serializable classes, in the states that were found to matter. */
final class JdkInstances {
  private JdkInstances() {}

  /** The public serializable classes of java.base that can be instantiated. */
  static List<Class<?>> serializableClasses() throws IOException {
    return publicTypes().stream()
        .filter(Serializable.class::isAssignableFrom)
        .filter(type -> !type.isInterface() && !Modifier.isAbstract(type.getModifiers()))
        .toList();
  }

  /** The public types of java.base, with interfaces and abstract classes. */
  static List<Class<?>> publicTypes() throws IOException {
    return publicTypes("java.base", "java");
  }

  /** The public types of a package of the JDK, and of those within it. */
  static List<Class<?>> publicTypes(String module, String folder) throws IOException {
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      return files
          .filter(file -> file.toString().endsWith(".class") && !isPreview(file))
          .map(file -> root.relativize(file).toString())
          .filter(name -> !name.contains("-info"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .<Class<?>>map(name -> load(name.replace('/', '.')))
          .filter(JdkInstances::isPublic)
          .toList();
    }
  }

  /** Whether only programs with {@code --enable-preview} may use a class. */
  private static boolean isPreview(Path file) {
    Path outermost =
        file.resolveSibling(file.getFileName().toString().replaceFirst("\\$.*", ".class"));
    try {
      return Files.readString(outermost, StandardCharsets.ISO_8859_1)
          .contains("jdk/internal/javac/PreviewFeature;");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An instance of a class by what constructor or factory it has, or null. */
  static Object make(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants().length == 0 ? null : type.getEnumConstants()[0];
    }
    Object[][] arguments = {
      {},
      {"7"},
      {"UTF-8"},
      {7},
      {7L},
      {1.5},
      {"a", "b"},
      {new Object[0]},
      {List.of()},
      {Map.of()},
      {new Exception("x")},
      {"x", 1},
      {"x", new Exception("y")}
    };
    for (Object[] given : arguments) {
      for (Constructor<?> constructor : type.getConstructors()) {
        if (constructor.getParameterCount() == given.length) {
          try {
            return constructor.newInstance(given);
          } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // Another constructor, or other arguments, may do.
          }
        }
      }
    }
    return null;
  }

  /** States that a constructor alone does not bring about. */
  @SuppressWarnings({"JavaUtilDate", "JdkObsolete", "deprecation"})
  static List<Object> special() throws Exception {
    List<Object> all = new ArrayList<>(JdkValues.all());
    LocalDateTime overlap = LocalDateTime.of(2024, 10, 27, 2, 30);
    ZoneId paris = ZoneId.of("Europe/Paris");
    all.add(ZonedDateTime.ofLocal(overlap, paris, ZoneOffset.ofHours(1)));
    all.add(ZonedDateTime.ofLocal(overlap, paris, ZoneOffset.ofHours(2)));
    all.add(Locale.forLanguageTag("zh-Hant-TW-u-ca-roc-x-private"));
    all.add(Locale.forLanguageTag("sr-Latn"));
    all.add(new Locale("ja", "JP", "JP"));
    all.add(new Locale("x", "y", "z"));
    all.add(new Locale("", "", "variant"));
    all.addAll(List.of(HijrahDate.of(1445, 3, 2), JapaneseDate.of(2024, 2, 29)));
    all.addAll(List.of(MinguoDate.of(113, 1, 1), ThaiBuddhistDate.of(2567, 1, 1)));
    all.addAll(List.of(Period.of(1, -2, 3), MonthDay.of(2, 29), OffsetTime.MAX));
    all.add(JapaneseDate.of(2024, 2, 29).atTime(java.time.LocalTime.NOON));
    all.add(HijrahDate.of(1445, 3, 2).getChronology());
    all.add(JapaneseDate.of(2024, 2, 29).getEra());
    GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo"));
    calendar.setTimeInMillis(123_456_789L);
    calendar.setFirstDayOfWeek(Calendar.WEDNESDAY);
    all.add(calendar);
    all.add(Calendar.getInstance(Locale.forLanguageTag("th-TH-u-ca-buddhist")));
    all.add(Calendar.getInstance(Locale.forLanguageTag("ja-JP-u-ca-japanese")));
    all.add(TimeZone.getTimeZone("America/New_York"));
    all.add(TimeZone.getTimeZone("GMT+3"));
    all.add(new SimpleTimeZone(3_600_000, "mine", 2, -1, 1, 7_200_000, 9, -1, 1, 7_200_000));
    Properties defaults = new Properties();
    defaults.setProperty("a", "default");
    Properties properties = new Properties(defaults);
    properties.setProperty("b", "own");
    all.add(properties);
    all.add(Pattern.compile("a.b", Pattern.DOTALL | Pattern.CASE_INSENSITIVE));
    all.add(StandardCharsets.UTF_8);
    all.add(InetAddress.getByAddress("host", new byte[] {127, 0, 0, 1}));
    all.add(InetAddress.getByAddress(new byte[16]));
    all.add(new InetSocketAddress(InetAddress.getByAddress(new byte[] {1, 2, 3, 4}), 80));
    all.add(new DecimalFormat("#,##0.00;(#)"));
    all.add(new SimpleDateFormat("yyyy", Locale.FRANCE));
    all.add(new java.math.MathContext(7, java.math.RoundingMode.DOWN));
    all.add(new java.io.File("a/b"));
    PriorityQueue<Integer> descending = new PriorityQueue<>(Comparator.reverseOrder());
    descending.addAll(List.of(1, 5, 3));
    all.add(descending);
    all.add(new PriorityQueue<>(List.of(3, 1, 2)));
    PriorityBlockingQueue<Integer> blocking =
        new PriorityBlockingQueue<>(3, Comparator.reverseOrder());
    blocking.addAll(List.of(1, 5, 3));
    all.add(blocking);
    all.add(new ArrayBlockingQueue<>(5, false, List.of(1, 2)));
    all.add(new LinkedBlockingQueue<>(List.of(1, 2)));
    LinkedBlockingDeque<Object> bounded = new LinkedBlockingDeque<>(4);
    bounded.add("x");
    all.add(bounded);
    all.add(new LinkedTransferQueue<>(List.of(1)));
    all.add(Map.entry("k", "v"));
    all.add(Stream.of("a", null, "c").toList());
    all.add(Stream.of((Object) null).toList());
    all.add(Stream.of(null, null).toList());
    all.add(Collections.nCopies(3, "x"));
    all.add(Collections.nCopies(0, "x"));
    all.add(Collections.nCopies(2, null));
    all.add(Collections.nCopies(5_000, null));
    all.add(Collections.nCopies(5_000, "x"));
    all.add(Collections.nCopies(5_000, new Object[0].length).stream().toList());
    all.add(Collections.unmodifiableCollection(new ArrayList<>(List.of(1))));
    all.add(Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of(1, 2))));
    all.add(Collections.unmodifiableNavigableSet(new TreeSet<>(List.of(1))));
    all.add(Collections.unmodifiableSortedSet(new TreeSet<>(List.of(1))));
    all.add(Collections.synchronizedList(new ArrayList<>(List.of(1))));
    all.add(Collections.synchronizedSet(new TreeSet<>(List.of(1))));
    all.add(Collections.synchronizedSortedMap(new TreeMap<>(Map.of(1, 2))));
    all.add(Collections.synchronizedNavigableMap(new TreeMap<>(Map.of(1, 2))));
    all.add(Collections.checkedList(new ArrayList<>(List.of("x")), String.class));
    all.add(Collections.checkedMap(new TreeMap<>(Map.of("x", 1)), String.class, Integer.class));
    Set<Object> fromMap = Collections.newSetFromMap(new TreeMap<>());
    fromMap.add("x");
    all.add(fromMap);
    all.add(Collections.emptySortedMap());
    all.add(Collections.reverseOrder());
    all.add(Comparator.naturalOrder());
    all.add(new ConcurrentSkipListMap<>(Map.of(1, 2)).keySet());
    all.add(new AtomicIntegerArray(new int[] {1, 2}));
    all.add(new AtomicReference<>("x"));
    all.add(new AtomicReferenceArray<>(new String[] {"x", null}));
    LongAdder adder = new LongAdder();
    adder.add(5);
    all.add(adder);
    all.add(Optional.empty());
    all.add(Clock.systemUTC());
    all.add(Clock.fixed(Instant.EPOCH, paris));
    all.add(Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
    all.add(Clock.tickSeconds(paris));
    all.add(new List<?>[] {List.of("a"), null, Arrays.asList("b", null)});
    all.add(new Map<?, ?>[] {Map.of("a", 1)});
    all.add(new ArrayList<?>[][] {{new ArrayList<>(List.of(1))}, {}});
    all.add(new Comparable<?>[] {"a", 1});
    all.add(new int[][] {{1}, {}});
    all.add(java.time.temporal.ValueRange.of(1, 5));
    all.add(java.time.temporal.WeekFields.ISO);
    all.add(paris.getRules());
    all.add(paris.getRules().nextTransition(Instant.EPOCH));
    all.add(java.time.chrono.IsoChronology.INSTANCE);
    all.add(new java.net.URL("http://a.invalid/"));
    all.add(String.class);
    all.add(new java.util.regex.PatternSyntaxException("a", "b", 1));
    all.add(new java.io.UncheckedIOException(new IOException("x")));
    all.add(new java.text.MessageFormat("{0,number} {1}"));
    all.add(thrown());
    return all;
  }

  static Throwable thrown() {
    IllegalStateException e = new IllegalStateException("x", new IOException("y"));
    e.addSuppressed(new Exception("z", e));
    return e;
  }
}
