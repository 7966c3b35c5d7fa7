package io.rockpool.internal.feed;

import io.rockpool.change.ChangeEvent;
import io.rockpool.internal.concurrent.WaitingLine;
import io.rockpool.internal.logging.LoggerNames;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One subscription to a feed, with a thread that reads and calls the subscriber. */
final class FeedSubscription<K, V> implements Flow.Subscription, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.ENGINE);

  private final FeedReader<K, V> feed;
  private final Flow.Subscriber<? super ChangeEvent<K, V>> subscriber;
  private final WaitingLine calls = new WaitingLine();
  private final AtomicLong demand = new AtomicLong();
  private volatile boolean cancelled;
  private volatile @Nullable RuntimeException invalid;
  private long position;

  FeedSubscription(
      FeedReader<K, V> feed, long position, Flow.Subscriber<? super ChangeEvent<K, V>> subscriber) {
    this.feed = feed;
    this.position = position;
    this.subscriber = subscriber;
  }

  void start() {
    subscriber.onSubscribe(this);
    Thread thread = new Thread(this, "rockpool-changes-" + feed.name());
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void request(long n) {
    if (n < 1) {
      invalid =
          new IllegalArgumentException(
              "A subscriber requested " + n + " changes (rule 3.9); request a positive number.");
    } else {
      demand.accumulateAndGet(
          n, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
    }
    calls.callAll();
  }

  @Override
  public void cancel() {
    cancelled = true;
    calls.callAll();
  }

  @Override
  public void run() {
    try {
      while (!cancelled) {
        List<ChangeEvent<K, V>> page;
        try {
          page = feed.await(calls, this::poll);
        } catch (InterruptedException | RuntimeException | Error e) {
          fail(e);
          return;
        }
        for (ChangeEvent<K, V> change : page) {
          if (cancelled) {
            return;
          }
          position = change.position() + 1;
          demand.decrementAndGet();
          subscriber.onNext(change);
        }
      }
    } catch (RuntimeException | Error e) {
      // A subscriber must not throw; its subscription counts as cancelled (rule 2.13).
      LOG.warn("A subscriber of {} failed and gets no more changes.", feed, e);
    }
  }

  private void fail(Throwable e) {
    if (!cancelled) {
      cancelled = true;
      subscriber.onError(e);
    }
  }

  /** The next changes; empty after a cancellation, null to wait. */
  private @Nullable List<ChangeEvent<K, V>> poll() {
    RuntimeException error = invalid;
    if (error != null) {
      throw error;
    }
    if (cancelled) {
      return List.of();
    }
    long wanted = demand.get();
    if (wanted == 0) {
      feed.checkOpen();
      return null;
    }
    List<ChangeEvent<K, V>> changes = feed.poll(position, (int) Math.min(FeedReader.PAGE, wanted));
    return changes.isEmpty() ? null : changes;
  }
}
