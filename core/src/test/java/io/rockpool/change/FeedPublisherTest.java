package io.rockpool.change;

import static java.time.Duration.ofDays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.ChangesLostException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules of reactive streams for publishers, as far as a feed can break them. */
final class FeedPublisherTest {
  private static final long MINUTE = 60;

  private final Rockpool pool = Rockpool.at(o -> TestServer.open(new FakeClock())).open();
  private final PersistentMap<String, Integer> map =
      pool.map("map", String.class, Integer.class, o -> o.changes(ChangeOptions.keep(ofDays(1))));
  private final ChangeFeed<String, Integer> feed = pool.changes("map", String.class, Integer.class);

  @AfterEach
  void close() {
    pool.close();
  }

  /** Notes what it gets. */
  private static class Noting implements Flow.Subscriber<ChangeEvent<String, Integer>> {
    final BlockingQueue<Integer> values = new LinkedBlockingQueue<>();
    final CompletableFuture<Throwable> error = new CompletableFuture<>();
    final AtomicInteger running = new AtomicInteger();
    Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
    }

    @Override
    public void onNext(ChangeEvent<String, Integer> change) {
      assertThat(running.incrementAndGet()).isOne();
      values.add(change.value());
      running.decrementAndGet();
    }

    @Override
    public void onError(Throwable thrown) {
      error.complete(thrown);
    }

    @Override
    public void onComplete() {
      error.complete(new AssertionError("a feed has no end"));
    }

    int next() throws InterruptedException {
      Integer value = values.poll(MINUTE, TimeUnit.SECONDS);
      assertThat(value).isNotNull();
      return value;
    }
  }

  @Test
  void deliversNoMoreThanRequested() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      map.put("k", i);
    }
    Noting noting = new Noting();
    feed.publisher(ChangeFeed.OLDEST).subscribe(noting);
    noting.subscription.request(2);
    assertThat(noting.next()).isZero();
    assertThat(noting.next()).isOne();
    assertThat(noting.values.poll(50, TimeUnit.MILLISECONDS)).isNull();
    noting.subscription.request(Long.MAX_VALUE);
    noting.subscription.request(Long.MAX_VALUE);
    for (int i = 2; i < 1_000; i++) {
      assertThat(noting.next()).isEqualTo(i);
    }
    map.put("k", -1);
    assertThat(noting.next()).isEqualTo(-1);
    noting.subscription.cancel();
    noting.subscription.cancel();
    noting.subscription.request(1);
    map.put("k", -2);
    assertThat(noting.values.poll(50, TimeUnit.MILLISECONDS)).isNull();
    assertThat(noting.error).isNotDone();
  }

  @Test
  void eachSubscriptionReadsByItself() throws Exception {
    map.put("k", 1);
    Flow.Publisher<ChangeEvent<String, Integer>> publisher = feed.publisher(feed.oldest());
    Noting one = new Noting();
    Noting two = new Noting();
    publisher.subscribe(one);
    one.subscription.request(9);
    assertThat(one.next()).isOne();
    publisher.subscribe(two);
    map.put("k", 2);
    two.subscription.request(9);
    assertThat(two.next()).isOne();
    assertThat(two.next()).isEqualTo(2);
    assertThat(one.next()).isEqualTo(2);
    one.subscription.cancel();
    two.subscription.cancel();
  }

  @Test
  void errorsReachTheSubscriber() throws Exception {
    assertThatThrownBy(() -> feed.publisher(0).subscribe(null))
        .isInstanceOf(NullPointerException.class);
    Noting early = new Noting();
    feed.publisher(1).subscribe(early);
    early.subscription.request(1);
    assertThat(early.error.get(MINUTE, TimeUnit.SECONDS)).isInstanceOf(ChangesLostException.class);
    Noting wrong = new Noting();
    feed.publisher(feed.next()).subscribe(wrong);
    wrong.subscription.request(0);
    assertThat(wrong.error.get(MINUTE, TimeUnit.SECONDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3.9");
    Noting idle = new Noting();
    feed.publisher(feed.next()).subscribe(idle);
    Noting waiting = new Noting();
    feed.publisher(feed.next()).subscribe(waiting);
    waiting.subscription.request(1);
    pool.close();
    assertThat(idle.error.get(MINUTE, TimeUnit.SECONDS)).isInstanceOf(StoreClosedException.class);
    assertThat(waiting.error.get(MINUTE, TimeUnit.SECONDS))
        .isInstanceOf(StoreClosedException.class);
  }

  /** A processor of the JDK: requests as its buffer has room. */
  @Test
  void feedsAProcessorOfTheJdk() throws Exception {
    LinkedBlockingQueue<Integer> sums = new LinkedBlockingQueue<>();
    try (SubmissionPublisher<Integer> processed = new SubmissionPublisher<>()) {
      CompletableFuture<Void> consumed = processed.consume(sums::add);
      Noting forwarding =
          new Noting() {
            @Override
            public void onNext(ChangeEvent<String, Integer> change) {
              processed.submit(change.value());
              subscription.request(1);
            }
          };
      feed.publisher(feed.next()).subscribe(forwarding);
      forwarding.subscription.request(1);
      for (int i = 0; i < 500; i++) {
        map.put("k", i);
      }
      for (int i = 0; i < 500; i++) {
        assertThat(sums.poll(MINUTE, TimeUnit.SECONDS)).isEqualTo(i);
      }
      forwarding.subscription.cancel();
      assertThat(consumed).isNotDone();
    }
  }
}
