package io.rockpool.codec;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The JDK's value and collection types. They are always allowed, because decoding one only creates
 * an object that holds data. {@code Class} objects are of classes that are allowed. {@code URL}
 * (which looks up hosts), proxies, lambdas and references are not among them.
 */
final class JdkTypes {
  private static final Set<String> LANG =
      Set.of(
          "Boolean",
          "Byte",
          "Character",
          "Class",
          "Double",
          "Enum",
          "Float",
          "Integer",
          "Long",
          "Number",
          "Object",
          "Record",
          "Short",
          "String",
          "String$CaseInsensitiveComparator",
          "StackTraceElement",
          "StringBuffer",
          "StringBuilder");

  private static final Set<String> UTIL =
      Set.of(
          "AbstractCollection",
          "AbstractList",
          "AbstractMap",
          "AbstractMap$SimpleEntry",
          "AbstractMap$SimpleImmutableEntry",
          "AbstractQueue",
          "AbstractSequentialList",
          "AbstractSet",
          "ArrayDeque",
          "ArrayList",
          "ArrayList$SubList",
          "Arrays$ArrayList",
          "BitSet",
          "Calendar",
          "CollSer",
          "Collections$CheckedCollection",
          "Collections$CheckedList",
          "Collections$CheckedMap",
          "Collections$CheckedNavigableMap",
          "Collections$CheckedNavigableSet",
          "Collections$CheckedQueue",
          "Collections$CheckedRandomAccessList",
          "Collections$CheckedSet",
          "Collections$CheckedSortedMap",
          "Collections$CheckedSortedSet",
          "Collections$CopiesList",
          "Collections$EmptyList",
          "Collections$EmptyMap",
          "Collections$EmptySet",
          "Collections$ReverseComparator",
          "Collections$ReverseComparator2",
          "Collections$SingletonList",
          "Collections$SingletonMap",
          "Collections$SingletonSet",
          "Collections$SetFromMap",
          "Collections$UnmodifiableCollection",
          "Collections$UnmodifiableList",
          "Collections$UnmodifiableMap",
          "Collections$UnmodifiableMap$UnmodifiableEntrySet",
          "Collections$UnmodifiableNavigableMap",
          "Collections$UnmodifiableNavigableMap$EmptyNavigableMap",
          "Collections$UnmodifiableNavigableSet",
          "Collections$UnmodifiableNavigableSet$EmptyNavigableSet",
          "Collections$UnmodifiableRandomAccessList",
          "Collections$UnmodifiableSequencedCollection",
          "Collections$UnmodifiableSequencedMap",
          "Collections$UnmodifiableSequencedSet",
          "Collections$UnmodifiableSet",
          "Collections$UnmodifiableSortedMap",
          "Collections$UnmodifiableSortedSet",
          "Collections$SynchronizedCollection",
          "Collections$SynchronizedList",
          "Collections$SynchronizedMap",
          "Collections$SynchronizedNavigableMap",
          "Collections$SynchronizedNavigableSet",
          "Collections$SynchronizedRandomAccessList",
          "Collections$SynchronizedSet",
          "Collections$SynchronizedSortedMap",
          "Collections$SynchronizedSortedSet",
          "Comparators$NaturalOrderComparator",
          "Currency",
          "Date",
          "EnumMap",
          "EnumSet",
          "EnumSet$SerializationProxy",
          "GregorianCalendar",
          "HashMap",
          "HashSet",
          "Hashtable",
          "IdentityHashMap",
          "ImmutableCollections$List12",
          "ImmutableCollections$ListN",
          "ImmutableCollections$Map1",
          "ImmutableCollections$MapN",
          "ImmutableCollections$Set12",
          "ImmutableCollections$SetN",
          "ImmutableCollections$SubList",
          "JapaneseImperialCalendar",
          "JumboEnumSet",
          "KeyValueHolder",
          "LinkedHashMap",
          "LinkedHashSet",
          "LinkedList",
          "Locale",
          "Map$Entry",
          "Optional",
          "OptionalDouble",
          "OptionalInt",
          "OptionalLong",
          "PriorityQueue",
          "Properties",
          "RegularEnumSet",
          "SimpleTimeZone",
          "Stack",
          "TimeZone",
          "TreeMap",
          "TreeSet",
          "UUID",
          "Vector",
          "regex.Pattern");

  private static final Set<String> CONCURRENT =
      Set.of(
          "ArrayBlockingQueue",
          "ConcurrentHashMap",
          "ConcurrentHashMap$CollectionView",
          "ConcurrentHashMap$KeySetView",
          "ConcurrentHashMap$Segment",
          "ConcurrentLinkedDeque",
          "ConcurrentLinkedQueue",
          "ConcurrentSkipListMap",
          "ConcurrentSkipListSet",
          "CopyOnWriteArrayList",
          "CopyOnWriteArraySet",
          "LinkedBlockingDeque",
          "LinkedBlockingQueue",
          "LinkedTransferQueue",
          "PriorityBlockingQueue",
          "locks.AbstractOwnableSynchronizer",
          "locks.AbstractQueuedSynchronizer",
          "locks.AbstractQueuedSynchronizer$ConditionObject",
          "locks.ReentrantLock",
          "locks.ReentrantLock$NonfairSync",
          "locks.ReentrantLock$Sync",
          "TimeUnit",
          "atomic.AtomicBoolean",
          "atomic.AtomicInteger",
          "atomic.AtomicIntegerArray",
          "atomic.AtomicLong",
          "atomic.AtomicLongArray",
          "atomic.AtomicReference",
          "atomic.AtomicReferenceArray",
          "atomic.DoubleAdder",
          "atomic.DoubleAdder$SerializationProxy",
          "atomic.LongAdder",
          "atomic.LongAdder$SerializationProxy",
          "atomic.Striped64");

  private static final Set<String> OTHERS =
      Set.of(
          "java.io.File",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.math.MathContext",
          "java.math.RoundingMode",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetAddress",
          "java.net.InetSocketAddress",
          "java.net.SocketAddress",
          "java.net.URI",
          "java.nio.charset.Charset",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp",
          "java.text.DateFormat",
          "java.text.ChoiceFormat",
          "java.text.MessageFormat",
          "java.text.CompactNumberFormat",
          "java.text.DateFormatSymbols",
          "java.text.DecimalFormat",
          "java.text.DecimalFormatSymbols",
          "java.text.Format",
          "java.text.NumberFormat",
          "java.text.SimpleDateFormat",
          "sun.util.BuddhistCalendar",
          "sun.util.calendar.ZoneInfo");

  /** Classes that only the JDK's own serialization restores correctly. */
  private static final Set<String> WRITTEN_BY_JDK =
      Set.of(
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetAddress",
          "java.net.InetSocketAddress",
          "java.text.ChoiceFormat",
          "java.text.MessageFormat",
          "java.text.CompactNumberFormat",
          "java.text.DateFormatSymbols",
          "java.text.DecimalFormat",
          "java.text.DecimalFormatSymbols",
          "java.text.SimpleDateFormat",
          "java.util.Calendar",
          "java.util.GregorianCalendar",
          "java.util.JapaneseImperialCalendar",
          "java.util.Properties",
          "java.util.SimpleTimeZone",
          "java.util.concurrent.atomic.DoubleAdder",
          "java.util.concurrent.atomic.LongAdder",
          "sun.util.BuddhistCalendar");

  /** The charsets that every JDK has. The classes of others differ between JDKs. */
  private static final Set<Class<?>> CHARSETS =
      Set.of(
          StandardCharsets.UTF_8.getClass(),
          StandardCharsets.UTF_16.getClass(),
          StandardCharsets.UTF_16BE.getClass(),
          StandardCharsets.UTF_16LE.getClass(),
          StandardCharsets.ISO_8859_1.getClass(),
          StandardCharsets.US_ASCII.getClass());

  private JdkTypes() {}

  /** The classes that Fory reads as plain objects unless their serializers are created first. */
  static Set<Class<?>> notPlain() {
    Set<Class<?>> types = new HashSet<>(CHARSETS);
    types.add(Map.entry(1, 1).getClass());
    types.add(AtomicIntegerArray.class);
    types.add(AtomicLongArray.class);
    types.add(AtomicReferenceArray.class);
    Clock clock = Clock.systemUTC();
    types.add(clock.getClass());
    types.add(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC).getClass());
    types.add(Clock.offset(clock, Duration.ofHours(1)).getClass());
    types.add(Clock.tickSeconds(ZoneOffset.UTC).getClass());
    return types;
  }

  /** Returns whether a class may always be encoded and decoded. */
  static boolean isAllowed(Class<?> type) {
    String name = type.getName();
    return isListed(name) || (isJdk(name) && isHarmlessKind(type)) || isCharset(type);
  }

  /** Returns whether a class of this name may be allowed, so that it must be loaded to know. */
  static boolean mayBeAllowed(String name) {
    return isListed(name) || isJdk(name) || name.startsWith("sun.nio.cs.");
  }

  /** Returns whether a class is one that Fory cannot write and the JDK's serialization can. */
  static boolean isWrittenByJdk(Class<?> type) {
    return WRITTEN_BY_JDK.contains(type.getName())
        || (type.getName().startsWith("java.time.") && !type.isEnum() && !type.isInterface());
  }

  /**
   * Returns whether a class is a wrapper of other collections that Fory does not know: the JDK's
   * serialization writes it and all that it holds.
   */
  static boolean isWrapper(Class<?> type) {
    String name = type.getName();
    return name.startsWith("java.util.Collections$Checked")
        || name.startsWith("java.util.Collections$SynchronizedNavigable")
        || name.startsWith("java.util.Collections$UnmodifiableNavigable")
        || name.startsWith("java.util.Collections$UnmodifiableSequenced");
  }

  /**
   * Returns whether Fory would write a class with the serializer of a JDK class that it extends.
   * That serializer ignores its fields and creates an instance of the JDK class.
   */
  static boolean isTakenForItsParent(Class<?> type) {
    return !isListed(type.getName())
        && (TimeZone.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type));
  }

  /** Returns whether a class is a charset that is not the JDK's own, and so may not be found. */
  static boolean isForeignCharset(Class<?> type) {
    return type != Charset.class && Charset.class.isAssignableFrom(type) && !isCharset(type);
  }

  /** Interfaces occur only as element types of arrays. */
  private static boolean isHarmlessKind(Class<?> type) {
    return type.isEnum() || type.isInterface() || Throwable.class.isAssignableFrom(type);
  }

  private static boolean isCharset(Class<?> type) {
    return CHARSETS.contains(type);
  }

  private static boolean isJdk(String name) {
    return name.startsWith("java.");
  }

  private static boolean isListed(String name) {
    if (name.startsWith("java.util.concurrent.")) {
      return CONCURRENT.contains(name.substring("java.util.concurrent.".length()));
    }
    if (name.startsWith("java.util.")) {
      return UTIL.contains(name.substring("java.util.".length()));
    }
    if (name.startsWith("java.lang.")) {
      return LANG.contains(name.substring("java.lang.".length()));
    }
    return name.startsWith("java.time.") || OTHERS.contains(name);
  }
}
