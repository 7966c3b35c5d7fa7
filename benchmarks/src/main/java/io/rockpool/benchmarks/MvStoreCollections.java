package io.rockpool.benchmarks;

import io.rockpool.RockpoolBuilder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * {@link CollectionPeer#MVSTORE} and {@link CollectionPeer#MVSTORE_COMMIT}. It has sorted maps
 * only, whose keys it counts: so a queue is a map by number, and a ranking is two maps.
 */
final class MvStoreCollections implements PeerCollections {
  private static final int MEMORY_MIB = (int) (RockpoolBuilder.DEFAULT_MEMORY_BYTES >> 20);
  private static final byte[] NOTHING = {};

  private final MVStore store;
  private final boolean committing;

  MvStoreCollections(Path directory, boolean committing) {
    this.store =
        new MVStore.Builder()
            .fileName(directory.resolve("mvstore").toString())
            .cacheSize(MEMORY_MIB)
            .open();
    this.committing = committing;
  }

  private <K, V> MVMap<K, V> map(String name, DataType<K> keys, DataType<V> values) {
    return store.openMap(name, new MVMap.Builder<K, V>().keyType(keys).valueType(values));
  }

  private void changed() {
    if (committing) {
      store.commit();
    }
  }

  @Override
  public Entries entries() {
    MVMap<String, byte[]> map = map("entries", StringDataType.INSTANCE, ByteArrayDataType.INSTANCE);
    return new Entries() {
      @Override
      public byte @Nullable [] put(String key, byte[] value) {
        byte[] before = map.put(key, value);
        changed();
        return before;
      }

      @Override
      public byte @Nullable [] get(String key) {
        return map.get(key);
      }

      @Override
      public void putAll(Map<String, byte[]> entries) {
        map.putAll(entries);
        changed();
      }
    };
  }

  @Override
  public Queue queue() {
    MVMap<Long, byte[]> map = map("queue", LongDataType.INSTANCE, ByteArrayDataType.INSTANCE);
    return new Queue() {
      @Override
      public void offer(byte[] element) {
        Long last = map.lastKey();
        map.append(last == null ? 0 : last + 1, element);
        changed();
      }

      @Override
      public byte @Nullable [] poll() {
        Long first = map.firstKey();
        byte[] element = first == null ? null : map.remove(first);
        changed();
        return element;
      }
    };
  }

  @Override
  public SortedWords sortedWords() {
    MVMap<String, byte[]> map = map("words", StringDataType.INSTANCE, ByteArrayDataType.INSTANCE);
    return new SortedWords() {
      @Override
      public boolean add(String word) {
        boolean added = map.putIfAbsent(word, NOTHING) == null;
        changed();
        return added;
      }

      @Override
      public void addAll(Collection<String> words) {
        words.forEach(word -> map.putIfAbsent(word, NOTHING));
        changed();
      }

      @Override
      public int read(String from, int limit) {
        Iterator<String> walk = map.keyIterator(from);
        int read = 0;
        while (read < limit && walk.hasNext()) {
          walk.next();
          read++;
        }
        return read;
      }
    };
  }

  @Override
  public Ranking ranking() {
    MVMap<Long, Long> scores = map("scores", LongDataType.INSTANCE, LongDataType.INSTANCE);
    MVMap<byte[], byte[]> places =
        map("places", ByteArrayDataType.INSTANCE, ByteArrayDataType.INSTANCE);
    return new Ranking() {
      @Override
      public boolean add(long element, double score) {
        boolean added = put(element, score);
        changed();
        return added;
      }

      private boolean put(long element, double score) {
        long bits = Double.doubleToLongBits(score);
        Long before = scores.put(element, bits);
        if (before != null) {
          places.remove(place(before, element));
        }
        places.put(place(bits, element), NOTHING);
        return before == null;
      }

      @Override
      public void addAll(Map<Long, Double> all) {
        all.forEach(this::put);
        changed();
      }

      @Override
      public long rank(long element) {
        return places.getKeyIndex(place(scores.get(element), element));
      }
    };
  }

  /** Scores that are not negative are in the order of their bits. */
  private static byte[] place(long scoreBits, long element) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(scoreBits).putLong(element).array();
  }

  @Override
  public void close() {
    store.close();
  }
}
