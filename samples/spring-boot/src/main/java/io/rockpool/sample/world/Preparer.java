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
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Makes the countries that are to be prepared. What the process was making when it was killed, the
 * next one makes again. A timer has the most popular countries prepared, every minute. Instances
 * that share a store share the work.
 */
@Component
@Profile("!redis") // there are no queues
class Preparer implements DisposableBean {
  private static final String QUEUE = "world/prepare";
  private static final int POPULAR = 10;

  private final Rockpool pool;
  private final Atlas atlas;
  private final PersistentScoredSet<String> popularity;
  private final PersistentQueue<Preparation> queue;
  private final QueueListener<String> popular;
  private final AtomicLong prepared = new AtomicLong();
  private final AtomicLong firings = new AtomicLong();

  Preparer(
      Rockpool pool,
      Atlas atlas,
      PersistentScoredSet<String> popularity,
      @Value("${world.popular-every}") Duration period) {
    this.pool = pool;
    this.atlas = atlas;
    this.popularity = popularity;
    this.queue = pool.queue(QUEUE, Preparation.class);
    PersistentTimer<String> timer =
        pool.timer("world/popular", Schedule.rate(period), String.class);
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
    prepared.incrementAndGet();
  }

  /** How many countries this instance has prepared. */
  long prepared() {
    return prepared.get();
  }

  /** How many firings of the timer this instance has handled. */
  long firings() {
    return firings.get();
  }

  private void preparePopular(Delivery<String> firing) {
    pool.runAtomically(
        tx -> {
          if (firing.acknowledge()) {
            prepareLater(
                popularity.last(POPULAR).stream().map(ScoredElement::element).toList(),
                firing.message());
            tx.afterCommit(firings::incrementAndGet);
          }
        });
  }

  @Override
  public void destroy() {
    popular.close();
  }
}
