package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rank index with limits so low that a few hundred places make many levels. */
class RankWritesTest {
  private static final byte[] ROW = {0};
  private static final int MAX = 8;

  private final Engine engine = TestServer.open(new FakeClock());
  private final Space space = engine.create(new SpaceSpec("ranks", Layout.ROWS, Map.of()));
  private final TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void countsWhatComesAndGoes(long seed) {
    Random random = new Random(seed);
    boolean ascending = seed % 2 == 0;
    for (int i = 0; i < 600; i++) {
      double score = ascending ? i : random.nextInt(8);
      insert(ScoredSetFormat.placeKey(score, bytes(random)));
      if (random.nextInt(3) == 0) {
        delete(any(random));
      }
      if (i % 50 == 0) {
        check(random);
      }
    }
    check(random);
    List<byte[]> rest = new ArrayList<>(model);
    for (int i = 0; i < rest.size(); i++) {
      delete(ascending ? rest.get(i) : any(random));
      if (i % 50 == 0) {
        check(random);
      }
    }
    check(random);
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(6)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) - 1);
    }
    return bytes;
  }

  private byte[] any(Random random) {
    return new ArrayList<>(model).get(random.nextInt(model.size()));
  }

  private void insert(byte[] place) {
    if (model.add(place)) {
      space.transact(
          ROW,
          row -> {
            row.put(place, new byte[0], Expiry.NEVER);
            RankWrites ranks = new RankWrites(row, MAX, MAX);
            ranks.insert(place);
            ranks.finish();
            return true;
          });
    }
  }

  private void delete(byte[] place) {
    model.remove(place);
    space.transact(
        ROW,
        row -> {
          row.delete(place);
          RankWrites ranks = new RankWrites(row, MAX, MAX);
          ranks.delete(place);
          ranks.finish();
          return true;
        });
  }

  private void check(Random random) {
    new ScoredSetRecords(space, MAX, MAX).checkRanks(true);
    List<byte[]> sorted = new ArrayList<>(model);
    space.transact(
        ROW,
        row -> {
          RankReads ranks = new RankReads(RowReads.of(row));
          assertThat(ranks.total()).isEqualTo(sorted.size());
          for (int i = 0; i < sorted.size(); i++) {
            assertThat(ranks.placeAt(i)).isEqualTo(sorted.get(i));
            assertThat(ranks.below(sorted.get(i))).isEqualTo(i);
          }
          byte[] key = ScoredSetFormat.placeKey(random.nextInt(9), bytes(random));
          assertThat(ranks.below(key)).isEqualTo(model.headSet(key).size());
          return true;
        });
  }
}
