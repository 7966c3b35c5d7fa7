package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.Range;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@link CollectionPeer#ROCKPOOL}. */
final class RockpoolCollections implements PeerCollections {
  private final Rockpool pool;

  /** Opens them with {@code heapBytes} of the memory for recently read records. */
  RockpoolCollections(Path directory, long heapBytes) {
    pool =
        Rockpool.at(directory)
            .memoryBytes(RockpoolBuilder.DEFAULT_MEMORY_BYTES - heapBytes)
            .collectionHeapBytes(heapBytes)
            .open();
  }

  @Override
  public Entries entries() {
    PersistentMap<String, byte[]> map = pool.map("entries", String.class, byte[].class);
    return new Entries() {
      @Override
      public byte @Nullable [] put(String key, byte[] value) {
        return map.put(key, value);
      }

      @Override
      public byte @Nullable [] get(String key) {
        return map.get(key);
      }

      @Override
      public void putAll(Map<String, byte[]> entries) {
        map.putAll(entries);
      }
    };
  }

  @Override
  public Queue queue() {
    PersistentDeque<byte[]> deque = pool.deque("queue", byte[].class);
    return new Queue() {
      @Override
      public void offer(byte[] element) {
        deque.offerLast(element);
      }

      @Override
      public byte @Nullable [] poll() {
        return deque.pollFirst();
      }
    };
  }

  @Override
  public Messages messages() {
    PersistentQueue<byte[]> queue = pool.queue("messages", byte[].class);
    return new Messages() {
      @Override
      public void send(List<byte[]> messages) {
        queue.sendAll(messages, SendOptions.defaults());
      }

      @Override
      public int handle(int max) {
        List<Delivery<byte[]>> deliveries = queue.receive(max);
        queue.acknowledgeAll(deliveries);
        return deliveries.size();
      }
    };
  }

  @Override
  public SortedWords sortedWords() {
    PersistentSortedSet<String> set = pool.sortedSet("words", String.class);
    return new SortedWords() {
      @Override
      public boolean add(String word) {
        return set.add(word);
      }

      @Override
      public void addAll(Collection<String> words) {
        set.addAll(words);
      }

      @Override
      public int read(String from, int limit) {
        return set.read(Range.atLeast(from).limit(limit)).size();
      }
    };
  }

  @Override
  public Ranking ranking() {
    PersistentScoredSet<Long> set = pool.scoredSet("ranking", Long.class);
    return new Ranking() {
      @Override
      public boolean add(long element, double score) {
        return set.add(element, score);
      }

      @Override
      public void addAll(Map<Long, Double> scores) {
        set.addScores(scores);
      }

      @Override
      public long rank(long element) {
        return set.rank(element).orElseThrow();
      }
    };
  }

  @Override
  public void close() {
    pool.close();
  }
}
