package io.rockpool.cache;

import io.rockpool.internal.logging.LoggerNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of hot entries that caches without their own bound may use together, and with them the
 * recently read records of collections. Thread-safe.
 *
 * <p>A cache takes bytes from the budget as it fills. A single cache may take all but a 64th, which
 * stays free for new caches. If a cache is full and no bytes are free, a thread of its store
 * divides the budget again within a second. Each cache gets a floor, and a share of the rest in
 * proportion to its recent hits and puts: a use counts half after five seconds. A cache that needs
 * less than its share leaves it to the others. The caches that use their bytes least evict entries
 * from memory first; only then do the others grow. So together the caches never exceed the budget,
 * except for entries that threads are just putting. The collections of a store take part like one
 * cache: each record that a read finds in memory, or leaves there, is a use.
 *
 * <p>Bytes are those of encoded keys and values, plus 168 for each entry. A value that is stored as
 * an object takes the size of its object: about as much for strings and arrays, two to four times
 * as much for objects with many small fields.
 */
public final class HeapBudget {
  /**
   * The system property for the budget of the process: bytes, such as {@code 512m}, or a
   * percentage.
   */
  static final String PROPERTY = "rockpool.heap-budget";

  /**
   * The default budget is the maximum heap divided by this. Objects may take several times their
   * encoded bytes, and the application needs heap, too.
   */
  private static final int HEAP_PARTS = 4;

  private static final int PERCENT = 100;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgKMG]?)|(\\d{1,2})%");

  private static final String UNITS = " kmg";
  private static final int UNIT_BITS = 10;

  /** The budget divided by this is for the floors, and stays free for new caches. */
  private static final int FLOOR_PARTS = 64;

  /** The largest floor. */
  private static final long MAX_FLOOR_BYTES = 64 << 10;

  /** A share takes at most the budget divided by this at once. */
  private static final int CREDIT_PARTS = 16;

  private static final long MIN_CREDIT_BYTES = 64 << 10;

  /** A cache that lacks less than its bytes divided by this does not make others evict. */
  static final int SLACK_PARTS = 16;

  /** The assumed rate of an idle cache, so that idle caches are equal. */
  private static final double LEAST_RATE = 1e-6;

  private static final HeapBudget PROCESS =
      new HeapBudget(bytes(System.getProperty(PROPERTY), Runtime.getRuntime().maxMemory()));

  private final long bytes;
  private final AtomicLong free;
  private final AtomicInteger tiers = new AtomicInteger();
  private final Set<HeapShare> shares = ConcurrentHashMap.newKeySet();

  /** Whether a request of a share was rejected since the last division. */
  private volatile boolean refused;

  /**
   * Creates a budget.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
  public HeapBudget(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "The heap budget is " + bytes + "; give a positive number of bytes.");
    }
    this.bytes = bytes;
    this.free = new AtomicLong(bytes);
  }

  /**
   * The budget of all stores of this process without their own: a quarter of the maximum heap, or
   * the value of the system property {@code rockpool.heap-budget}. If several class loaders load
   * the library, each has its own.
   */
  public static HeapBudget ofProcess() {
    return PROCESS;
  }

  /** The budget from the text of the property: bytes with or without a unit, or a percentage. */
  static long bytes(@Nullable String text, long heapBytes) {
    long quarter = Math.max(1, heapBytes / HEAP_PARTS);
    if (text == null) {
      return quarter;
    }
    Matcher size = SIZE.matcher(text.strip());
    long found = 0;
    if (size.matches() && size.group(1) == null) {
      found = heapBytes / PERCENT * Long.parseLong(size.group(3));
    } else if (size.matches()) {
      int unit = UNITS.indexOf((" " + size.group(2).toLowerCase(Locale.ROOT)).strip());
      found = Long.parseLong(size.group(1)) << (UNIT_BITS * Math.max(0, unit));
    }
    if (found <= 0) {
      Logger log = LoggerFactory.getLogger(LoggerNames.STORE);
      log.warn(
          "The system property {} is \"{}\"; give bytes, such as 512m, or a percentage of the heap,"
              + " such as 25%. Its default is used, {} bytes.",
          PROPERTY, text, quarter);
      return quarter;
    }
    return found;
  }

  /** The size of the budget in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The bytes that caches have taken, whether they have entries for all of them or not. */
  public long takenBytes() {
    return bytes - free.get();
  }

  /** Counts a tier, which has no share until it is used. */
  void tierOpened() {
    tiers.incrementAndGet();
  }

  void tierClosed() {
    tiers.decrementAndGet();
  }

  /** The bytes of each tier if all had the same. */
  long equalBytes() {
    return bytes / Math.max(1, tiers.get());
  }

  /** Adds a share, with its floor if that is free. */
  void add(HeapShare share) {
    share.begin(takeLeaving(0, floorBytes(shares.size() + 1)));
    shares.add(share);
  }

  /** Removes a share that has returned its bytes. */
  void remove(HeapShare share) {
    shares.remove(share);
  }

  /**
   * Takes bytes for a share that has {@code granted}: what it may take at once, and at least {@code
   * least} if free. Returns how many.
   */
  long takeCredit(long granted, long least) {
    long most = Math.max(MIN_CREDIT_BYTES, bytes / CREDIT_PARTS);
    return take(Math.max(least, Math.max(MIN_CREDIT_BYTES, Math.min(granted, most))));
  }

  /** Takes up to {@code most} bytes; returns how many. */
  long take(long most) {
    return takeLeaving(bytes / FLOOR_PARTS, most);
  }

  private long takeLeaving(long left, long most) {
    while (true) {
      long before = free.get();
      long taken = Math.max(0, Math.min(most, before - left));
      if (taken == 0 || free.compareAndSet(before, before - taken)) {
        return taken;
      }
    }
  }

  void give(long returned) {
    free.addAndGet(returned);
  }

  /** Requests a division of the budget at the next {@link #divide}. */
  void refused() {
    refused = true;
  }

  private long floorBytes(int number) {
    return Math.min(MAX_FLOOR_BYTES, bytes / FLOOR_PARTS / Math.max(1, number));
  }

  /**
   * Measures the use of each share, and divides the budget if a share's request was rejected. O(n
   * log n) in the shares that are used.
   */
  void divide() {
    divide(System.nanoTime());
  }

  /** Like {@link #divide()}, at an instant of {@link System#nanoTime}. */
  synchronized void divide(long nanos) {
    List<HeapShare> all = new ArrayList<>(shares);
    all.forEach(share -> share.look(nanos));
    if (refused) {
      refused = false;
      divide(all);
    }
  }

  /** A share and its target size. */
  private record Target(HeapShare share, double rate, long needBytes, long bytes) {
    static Target of(HeapShare share, long floorBytes) {
      return new Target(
          share,
          Math.max(LEAST_RATE, share.rate()),
          Math.max(floorBytes, share.needBytes()),
          floorBytes);
    }

    double needByRate() {
      return needBytes / rate;
    }

    Target with(long newBytes) {
      return new Target(share, rate, needBytes, newBytes);
    }

    long excess() {
      return Math.max(0, share.grantedBytes() - bytes);
    }

    /** The bytes that it lacks, if that is worth an eviction elsewhere. */
    long missing() {
      long granted = share.grantedBytes();
      boolean wants = share.isHungry() && bytes - granted > granted / SLACK_PARTS;
      return wants ? bytes - granted : 0;
    }
  }

  private void divide(List<HeapShare> all) {
    List<Target> targets = targets(all);
    long missing = targets.stream().mapToLong(Target::missing).sum();
    missing -= Math.max(0, free.get() - bytes / FLOOR_PARTS);
    for (Target target : targets) { // unused bytes first: they cost no eviction
      missing -= missing <= 0 ? 0 : target.share.giveBack(missing, target.bytes, false);
    }
    targets.sort(Comparator.comparingDouble(target -> target.rate / target.share.grantedBytes()));
    for (Target target : targets) {
      boolean takes = missing > 0 && target.excess() > 0;
      missing -= takes ? target.share.giveBack(missing, target.bytes, true) : 0;
    }
    for (Target target : targets) {
      long more = target.missing();
      if (more > 0) {
        target.share.grow(take(more));
      }
    }
  }

  /** A floor for each share, and the rest in proportion to use, but at most what each needs. */
  private List<Target> targets(List<HeapShare> all) {
    long floor = floorBytes(all.size());
    List<Target> targets = new ArrayList<>(all.size());
    all.forEach(share -> targets.add(Target.of(share, floor)));
    targets.sort(Comparator.comparingDouble(Target::needByRate));
    double rates = targets.stream().mapToDouble(Target::rate).sum();
    long left = bytes - bytes / FLOOR_PARTS - floor * all.size();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      long share = Math.min(target.needBytes - floor, (long) (left * target.rate / rates));
      targets.set(i, target.with(floor + Math.max(0, share)));
      left -= Math.max(0, share);
      rates -= target.rate;
    }
    return targets;
  }
}
