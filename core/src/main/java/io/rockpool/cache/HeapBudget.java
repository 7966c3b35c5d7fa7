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
 * The bytes of hot entries that caches without a bound of their own keep together. Thread-safe.
 *
 * <p>A cache takes from the budget as it fills; one alone may take all of it but a 64th, which is
 * left for caches that begin. Where a cache is full and nothing is left, the budget is divided
 * anew, on a thread of the cache's store, within a second: each cache has a floor, and of the rest
 * a share by its hits and puts, half of which count no more after five seconds. A cache that needs
 * less than its share leaves it to the others. Entries of the least used caches are evicted from
 * memory first, and only then do the busy ones take more; so together the caches never have more
 * than the budget, but for the entries that threads are just putting.
 *
 * <p>Bytes are those of encoded keys and values and 168 for each entry. A value that is kept as an
 * object takes what its class takes: about as much for strings and arrays, two to four times as
 * much for objects of many small fields.
 */
public final class HeapBudget {
  /** The system property that sets the budget of the process: bytes, as {@code 512m}, or a part. */
  static final String PROPERTY = "rockpool.heap-budget";

  /**
   * The part of the largest heap that a process takes unless told otherwise: objects may take some
   * times as much as their encoded bytes, and an application needs a heap of its own.
   */
  private static final int HEAP_PARTS = 4;

  private static final int PERCENT = 100;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgKMG]?)|(\\d{1,2})%");

  private static final String UNITS = " kmg";
  private static final int UNIT_BITS = 10;

  /** One part in so many is for the floors, and is left free for caches that begin. */
  private static final int FLOOR_PARTS = 64;

  /** No floor is larger. */
  private static final long MAX_FLOOR_BYTES = 64 << 10;

  /** No more than one part in so many is taken at once. */
  private static final int CREDIT_PARTS = 16;

  private static final long MIN_CREDIT_BYTES = 64 << 10;

  /** One part in so many of what it holds is too little for a cache to evict for it elsewhere. */
  static final int SLACK_PARTS = 16;

  /** What counts as use where there is none, so that idle caches are alike. */
  private static final double LEAST_RATE = 1e-6;

  private static final HeapBudget PROCESS =
      new HeapBudget(bytes(System.getProperty(PROPERTY), Runtime.getRuntime().maxMemory()));

  private final long bytes;
  private final AtomicLong free;
  private final AtomicInteger tiers = new AtomicInteger();
  private final Set<HeapShare> shares = ConcurrentHashMap.newKeySet();

  /** Whether a share was refused what it asked for since the last division. */
  private volatile boolean refused;

  /**
   * A budget of so many bytes.
   *
   * @throws IllegalArgumentException if that is not positive
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
   * The budget of all stores of this process that have none of their own: a quarter of the largest
   * heap, or what the system property {@code rockpool.heap-budget} says. Where the library is
   * loaded by several class loaders, each has one.
   */
  public static HeapBudget ofProcess() {
    return PROCESS;
  }

  /** What a text says of a heap: a number of bytes with a unit or without, or a percentage. */
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

  /** How many bytes it has. */
  public long bytes() {
    return bytes;
  }

  /** How many bytes caches have taken, whether there are entries for all of them yet or not. */
  public long takenBytes() {
    return bytes - free.get();
  }

  /** Counts a tier in, which has no share until it is used. */
  void tierOpened() {
    tiers.incrementAndGet();
  }

  void tierClosed() {
    tiers.decrementAndGet();
  }

  /** What a tier would have if all had the same. */
  long equalBytes() {
    return bytes / Math.max(1, tiers.get());
  }

  /** Adds a share with its floor, as far as there is one left. */
  void add(HeapShare share) {
    share.begin(takeLeaving(0, floorBytes(shares.size() + 1)));
    shares.add(share);
  }

  /** Lets go of a share that has given back what it had. */
  void remove(HeapShare share) {
    shares.remove(share);
  }

  /**
   * Takes what a share that has {@code granted} bytes may take at once, and {@code least} if there
   * is so much left; returns how much that is.
   */
  long takeCredit(long granted, long least) {
    long most = Math.max(MIN_CREDIT_BYTES, bytes / CREDIT_PARTS);
    return take(Math.max(least, Math.max(MIN_CREDIT_BYTES, Math.min(granted, most))));
  }

  /** Takes up to so many bytes; returns how many. */
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

  /** Has the budget divided anew at the next {@link #divide}. */
  void refused() {
    refused = true;
  }

  private long floorBytes(int number) {
    return Math.min(MAX_FLOOR_BYTES, bytes / FLOOR_PARTS / Math.max(1, number));
  }

  /**
   * Looks how much each share is used, and divides the budget anew if a share was refused what it
   * asked for. O(n log n) in the shares that are used.
   */
  void divide() {
    divide(System.nanoTime());
  }

  /** As above, at an instant of {@link System#nanoTime}. */
  synchronized void divide(long nanos) {
    List<HeapShare> all = new ArrayList<>(shares);
    all.forEach(share -> share.look(nanos));
    if (refused) {
      refused = false;
      divide(all);
    }
  }

  /** A share and what it is to have. */
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

    /** What it wants to have more, if that is worth an eviction elsewhere. */
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
    for (Target target : targets) { // what nobody uses costs nothing
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

  /** A floor for each, and the rest by use, but for none more than it needs. */
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
