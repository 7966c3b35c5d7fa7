package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that change a map with a feed are killed at random instants. After each, the changes
 * lead from what the map held before to what it holds now, and a consumer with a cursor has made
 * each change exactly once.
 */
@Slow
final class FeedCrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(FeedCrashTest.class);
  private static final int ROUNDS =
      Integer.getInteger("rockpool.test.feedRounds", Rounds.of(3, 500));
  private static final int MAX_LINES = 3_000;

  @TempDir Path directory;

  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** What the map held, and the position after that. */
  private final Map<Integer, Integer> model = new TreeMap<>();

  private long position = -1;
  private long start;

  @Test
  void theChangesLeadToWhatTheMapHolds() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      kill("seed " + seed + ", round " + round);
      check("seed " + seed + ", round " + round);
    }
    LOG.info("{} changes in {} kills", position - start, ROUNDS);
    FaultLog.write(
        FaultLog.Kind.KILL,
        "A process that writes to a map with a change feed is killed",
        ROUNDS,
        Long.toString(seed),
        FaultLog.number(position - start) + " changes lead to what the map holds",
        "nothing");
  }

  private void kill(String where) throws Exception {
    int lines = random.nextInt(MAX_LINES);
    try (Child victim =
        Child.start(FeedVictim.class, Killing.QUIET, directory, random.nextLong())) {
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        assertThat(line).as(where).isNotEqualTo("failed");
        if (lines-- == 0) {
          victim.kill();
        }
      }
    }
  }

  private void check(String where) {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentMap<Integer, Integer> source = FeedVictim.source(pool);
      source.put(-1, random.nextInt()); // completes a clear that the kill interrupted
      ChangeFeed<Integer, Integer> feed = FeedVictim.feed(pool);
      if (position < 0) {
        start = feed.oldest();
        position = start;
      }
      feed.from(position).forEach(change -> apply(change, where));
      assertThat(new TreeMap<>(source)).as(where).isEqualTo(model);
      ChangeCursor<Integer, Integer> cursor = feed.cursor("copy");
      assertThat(FeedVictim.copied(pool).get()).as(where).isEqualTo(cursor.position() - start);
      while (FeedVictim.copy(pool, cursor, FeedVictim.target(pool), FeedVictim.copied(pool)) > 0) {
        // again
      }
      assertThat(FeedVictim.copied(pool).get()).as(where).isEqualTo(feed.next() - start);
      assertThat(new TreeMap<>(FeedVictim.target(pool))).as(where).isEqualTo(model);
      assertThat(pool.verify().findings()).as(where).isEmpty();
    }
  }

  private void apply(ChangeEvent<Integer, Integer> change, String where) {
    assertThat(change.position()).as(where).isEqualTo(position++);
    switch (change.kind()) {
      case PUT -> model.put(change.key(), change.value());
      case REMOVE -> model.remove(change.key());
      default -> model.clear(); // the only time that is set has passed
    }
  }
}
