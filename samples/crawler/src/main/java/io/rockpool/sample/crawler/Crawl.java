package io.rockpool.sample.crawler;

import io.rockpool.Rockpool;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a crawl has come, in a store. A directory is in one of three places at any time: it
 * waits, it is under way, or its result is there. It goes from one to the next in a transaction,
 * and what comes of it is part of that: so nothing is lost, and nothing counted twice.
 */
final class Crawl {
  private final Rockpool pool;
  private final PersistentDeque<String> waiting;
  private final PersistentDeque<String> underWay;
  private final PersistentMap<String, PackageSummary> results;
  private final PersistentScoredSet<String> users;

  /** Opens the crawl of the running JDK; another JDK's has other names. */
  Crawl(Rockpool pool) {
    this.pool = pool;
    String level = "crawler/" + Runtime.version();
    waiting = pool.deque(level + "/waiting", String.class);
    underWay = pool.deque(level + "/under-way", String.class);
    results = pool.map(level + "/results", String.class, PackageSummary.class);
    users = pool.scoredSet(level + "/users", String.class);
  }

  /**
   * Begins, or lets those wait again that a killed process had under way.
   *
   * @return how many it had
   */
  int begin() {
    return pool.atomically(
        tx -> {
          int again = 0;
          while (underWay.moveLastTo(waiting, DequeEnd.FIRST) != null) {
            again++;
          }
          if (waiting.isEmpty() && results.isEmpty()) {
            waiting.add(Directory.ROOT);
          }
          return again;
        });
  }

  /** Takes the next directory under way; null if none waits just now. */
  @Nullable String next() {
    return waiting.moveFirstTo(underWay, DequeEnd.LAST);
  }

  /** Notes what became of a directory that was under way. */
  void finish(String path, Directory directory) {
    pool.runAtomically(
        tx -> {
          waiting.addAll(directory.subdirectories());
          results.put(path, directory.summary());
          for (String used : directory.summary().uses()) {
            users.incrementScore(used, 1);
          }
          underWay.removeFirstOccurrence(path);
        });
  }

  /** Whether nothing waits and nothing is under way, from which more could come. */
  boolean isFinished() {
    return pool.atomically(tx -> waiting.isEmpty() && underWay.isEmpty());
  }

  /** How many directories wait. */
  long waiting() {
    return waiting.count();
  }

  /** What is there of each directory that is done, by its path. */
  Map<String, PackageSummary> results() {
    return results;
  }

  /** The packages that most others use, and how many do. */
  List<ScoredElement<String>> mostUsed(int count) {
    return users.last(count);
  }
}
