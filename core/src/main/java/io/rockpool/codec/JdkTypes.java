package io.rockpool.codec;

import java.util.Set;

/**
 * The JDK's value and collection types, which are always allowed: none of them does more than hold
 * data when it is decoded. Left out on purpose are, among others, {@code Class}, {@code URL} (looks
 * up hosts), proxies, lambdas and references.
 */
final class JdkTypes {
  private static final Set<String> LANG =
      Set.of(
          "Boolean",
          "Byte",
          "Character",
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
          "CollSer",
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
          "Collections$UnmodifiableNavigableSet",
          "Collections$UnmodifiableRandomAccessList",
          "Collections$UnmodifiableSet",
          "Collections$UnmodifiableSortedMap",
          "Collections$UnmodifiableSortedSet",
          "Collections$SynchronizedCollection",
          "Collections$SynchronizedList",
          "Collections$SynchronizedMap",
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
          "RegularEnumSet",
          "Stack",
          "TreeMap",
          "TreeSet",
          "UUID",
          "Vector");

  private static final Set<String> CONCURRENT =
      Set.of(
          "ConcurrentHashMap",
          "ConcurrentHashMap$Segment",
          "ConcurrentLinkedDeque",
          "ConcurrentLinkedQueue",
          "ConcurrentSkipListMap",
          "ConcurrentSkipListSet",
          "CopyOnWriteArrayList",
          "CopyOnWriteArraySet",
          "LinkedBlockingDeque",
          "LinkedBlockingQueue",
          "locks.AbstractOwnableSynchronizer",
          "locks.AbstractQueuedSynchronizer",
          "locks.ReentrantLock",
          "locks.ReentrantLock$NonfairSync",
          "locks.ReentrantLock$Sync",
          "TimeUnit",
          "atomic.AtomicBoolean",
          "atomic.AtomicInteger",
          "atomic.AtomicLong");

  private static final Set<String> OTHERS =
      Set.of(
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.math.MathContext",
          "java.math.RoundingMode",
          "java.net.URI",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp");

  private JdkTypes() {}

  /** Returns whether a class, by its binary name, may always be encoded and decoded. */
  static boolean isAllowed(String name) {
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
