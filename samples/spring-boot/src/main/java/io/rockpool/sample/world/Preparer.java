package io.rockpool.sample.world;

import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueListener;
import io.rockpool.queue.Schedule;
import io.rockpool.queue.SendOptions;
import io.rockpool.spring.queue.RockpoolListener;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Makes the countries that are to be prepared. What the process was making when it was killed, the
 * next one makes again. Every minute, a timer has the most popular countries prepared.
 */
@Component
class Preparer implements DisposableBean {
  private static final String QUEUE = "world/prepare";
  private static final int POPULAR = 10;

  private final Rockpool pool;
  private final Atlas atlas;
  private final PersistentScoredSet<String> popularity;
  private final PersistentQueue<Preparation> queue;
  private final QueueListener<String> popular;

  Preparer(Rockpool pool, Atlas atlas, PersistentScoredSet<String> popularity) {
    this.pool = pool;
    this.atlas = atlas;
    this.popularity = popularity;
    this.queue = pool.queue(QUEUE, Preparation.class);
    PersistentTimer<String> timer =
        pool.schedule("world/popular", Schedule.rate(Duration.ofMinutes(1)), String.class);
    timer.start("en");
    this.popular = QueueListener.on(timer.firings(), this::preparePopular).start();
  }

  /** Has countries prepared in the background, even by a later process. */
  void prepareLater(Collection<String> countries, String language) {
    List<Preparation> all = countries.stream().map(it -> new Preparation(it, language)).toList();
    List<Long> unused = queue.sendAll(all, SendOptions.defaults());
  }

  /** How many countries are to be prepared. */
  long waiting() {
    return queue.size();
  }

  @RockpoolListener(queue = QUEUE)
  void prepare(Preparation next) {
    atlas.country(next.country(), next.language());
  }

  private void preparePopular(Delivery<String> firing) {
    pool.runAtomically(
        tx -> {
          if (firing.acknowledge()) {
            prepareLater(
                popularity.last(POPULAR).stream().map(ScoredElement::element).toList(),
                firing.message());
          }
        });
  }

  @Override
  public void destroy() {
    popular.close();
  }
}
