package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads on one codec, from its first use on. */
@Slow
class ConcurrencyTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 2_000;

  record Leaf(String name, long number) implements java.io.Serializable {}

  record Tree(List<Leaf> leaves, Map<String, Object> more) implements java.io.Serializable {}

  static Stream<Codec<Tree>> codecs() {
    return Stream.of(Fallback.values())
        .map(choice -> Codecs.builder().fallback(choice).build())
        .map(codecs -> codecs.valueCodec(TypeRef.of(Tree.class)));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void eachThreadGetsItsOwnValuesBack(Codec<Tree> codec) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < ROUNDS; i++) {
                    checkRoundTrip(codec, thread, i);
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void checkRoundTrip(Codec<Tree> codec, int thread, int round) {
    List<Leaf> leaves = new ArrayList<>();
    for (int n = 0; n < round % 7; n++) {
      leaves.add(new Leaf("leaf " + thread + ' ' + n, (long) thread << n));
    }
    Tree tree = new Tree(leaves, new TreeMap<>(Map.of("thread", thread, "round", (long) round)));
    byte[] bytes = codec.encode(tree);
    if (!codec.decode(bytes, 0, bytes.length).equals(tree)) {
      assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(tree);
    }
  }
}
