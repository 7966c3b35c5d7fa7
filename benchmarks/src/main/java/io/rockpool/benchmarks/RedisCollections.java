package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RBatch;
import org.redisson.api.RBlockingDeque;
import org.redisson.api.RLexSortedSet;
import org.redisson.api.RMap;
import org.redisson.api.RQueue;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.api.queue.DequeMoveArgs;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;

/** {@link CollectionPeer#REDIS}. */
final class RedisCollections implements PeerCollections {
  private final RedisServer server;
  private final RedissonClient client;

  RedisCollections(Path directory) {
    server = new RedisServer(directory);
    Config config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + server.port());
    client = Redisson.create(config);
  }

  @Override
  public Entries entries() {
    RMap<String, byte[]> map =
        client.getMap("entries", new CompositeCodec(StringCodec.INSTANCE, ByteArrayCodec.INSTANCE));
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
    RQueue<byte[]> queue = client.getQueue("queue", ByteArrayCodec.INSTANCE);
    return new Queue() {
      @Override
      public void offer(byte[] element) {
        queue.offer(element);
      }

      @Override
      public byte @Nullable [] poll() {
        return queue.poll();
      }
    };
  }

  /**
   * Redisson's reliable queue is not in its free edition. This is what it documents for the free
   * one: a message moves to a list of those in work, and is removed from it. Nothing returns it.
   */
  @Override
  public Messages messages() {
    RBlockingDeque<byte[]> queue = client.getBlockingDeque("messages", ByteArrayCodec.INSTANCE);
    return new Messages() {
      @Override
      public void send(List<byte[]> messages) {
        queue.addAll(messages);
      }

      @Override
      public int handle(int max) {
        List<?> received = inOneCall(max, batch -> move(batch));
        List<byte[]> found = new ArrayList<>();
        received.forEach(message -> found.add((byte[]) message));
        found.removeIf(Objects::isNull);
        Iterator<byte[]> next = found.iterator();
        inOneCall(found.size(), batch -> acknowledge(batch, next.next()));
        return found.size();
      }
    };
  }

  private static void move(RBatch batch) {
    Object unused =
        batch
            .<byte[]>getDeque("messages", ByteArrayCodec.INSTANCE)
            .moveAsync(DequeMoveArgs.pollFirst().addLastTo("in-work"));
  }

  private static void acknowledge(RBatch batch, byte[] message) {
    Object unused = batch.<byte[]>getDeque("in-work", ByteArrayCodec.INSTANCE).removeAsync(message);
  }

  private List<?> inOneCall(int count, Consumer<RBatch> command) {
    RBatch batch = client.createBatch();
    for (int i = 0; i < count; i++) {
      command.accept(batch);
    }
    return batch.execute().getResponses();
  }

  @Override
  public SortedWords sortedWords() {
    RLexSortedSet set = client.getLexSortedSet("words");
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
        return set.rangeTail(from, true, 0, limit).size();
      }
    };
  }

  @Override
  public Ranking ranking() {
    RScoredSortedSet<Long> set = client.getScoredSortedSet("ranking", LongCodec.INSTANCE);
    return new Ranking() {
      @Override
      public boolean add(long element, double score) {
        return set.add(score, element);
      }

      @Override
      public void addAll(Map<Long, Double> scores) {
        set.addAll(scores);
      }

      @Override
      public long rank(long element) {
        return set.rank(element);
      }
    };
  }

  @Override
  public void close() {
    client.shutdown();
    server.close();
  }
}
