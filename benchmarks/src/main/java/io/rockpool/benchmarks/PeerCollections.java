package io.rockpool.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The collections of one peer in one directory; it need not have them all. */
interface PeerCollections extends AutoCloseable {
  /** A map; {@code put} returns what was there, as {@link Map#put} does. */
  interface Entries {
    byte @Nullable [] put(String key, byte[] value);

    byte @Nullable [] get(String key);

    void putAll(Map<String, byte[]> entries);
  }

  /** A queue. */
  interface Queue {
    void offer(byte[] element);

    byte @Nullable [] poll();
  }

  /** A queue whose messages come back unless they are acknowledged. */
  interface Messages {
    void send(List<byte[]> messages);

    /** Receives up to so many messages and then acknowledges them; returns how many. */
    int handle(int max);
  }

  /** A set in the order of its elements. */
  interface SortedWords {
    boolean add(String word);

    void addAll(Collection<String> words);

    /** Counts the elements from one on, up to {@code limit}, having read each. */
    int read(String from, int limit);
  }

  /** Elements with scores and ranks. */
  interface Ranking {
    boolean add(long element, double score);

    void addAll(Map<Long, Double> scores);

    /** How many elements have a lower score, or the same and are before it. */
    long rank(long element);
  }

  default Entries entries() {
    throw missing("map");
  }

  default Queue queue() {
    throw missing("queue");
  }

  default Messages messages() {
    throw missing("queue with acknowledgement");
  }

  default SortedWords sortedWords() {
    throw missing("sorted set");
  }

  default Ranking ranking() {
    throw missing("scored set");
  }

  private UnsupportedOperationException missing(String what) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
  }

  @Override
  void close();
}
