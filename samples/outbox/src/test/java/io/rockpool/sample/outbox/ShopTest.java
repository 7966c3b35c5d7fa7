package io.rockpool.sample.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.QueueListener;
import io.rockpool.sample.outbox.Shop.Audit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ShopTest {
  private static final int ORDERS = 150;

  private final Rockpool pool = Rockpool.temporary().open();
  private final Shop shop = new Shop(pool);

  /** Counted down by an audit while orders are taken, for which they wait. */
  private final CountDownLatch seen = new CountDownLatch(1);

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void anOrderIsMarkedWithTheAcknowledgementOfItsMail() {
    Order order = shop.place("alice", 12_50);
    assertThat(shop.audit().orders()).containsOnlyKeys(1L).containsValue(order);
    assertThat(shop.audit().waiting()).isEqualTo(1);
    Delivery<Mail> delivery = shop.mails().receive().orElseThrow();
    assertThat(delivery.message())
        .isEqualTo(new Mail(1, "alice@customers.example", "We have your order 1 of 12.50."));
    assertThat(delivery.message().id()).isEqualTo("<order-1@shop.example>");
    shop.mailed(delivery);
    shop.mailed(delivery);
    assertThat(shop.audit().orders()).containsValue(order.asMailed());
    assertThat(shop.audit().waiting()).isZero();
  }

  @Test
  void aMailThatIsDeliveredAgainMarksItsOrderOnce() {
    shop.place("alice", 12_50);
    Delivery<Mail> first = shop.mails().receive().orElseThrow();
    first.release();
    shop.mailed(first); // its lease has ended
    assertThat(shop.audit().orders().get(1L).mailed()).isFalse();
    Delivery<Mail> again = shop.mails().receive().orElseThrow();
    assertThat(again.message().id()).isEqualTo(first.message().id());
    assertThat(again.deliveries()).isEqualTo(2);
    shop.mailed(again);
    assertThat(shop.audit().orders().get(1L).mailed()).isTrue();
  }

  @Test
  void noThreadSeesHalfOfAnOrder() {
    int sawSome = 0;
    try (QueueListener<Mail> postmen =
        QueueListener.on(shop.mails(), shop::mailed).concurrency(2).start()) {
      CompletableFuture<Void> taken =
          CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> takeOrders("alice"), ShopTest::start),
              CompletableFuture.runAsync(() -> takeOrders("bob"), ShopTest::start));
      do {
        Audit audit = shop.audit();
        assertThat(audit.agrees()).isTrue();
        if (!audit.orders().isEmpty() && audit.orders().size() < 2 * ORDERS) {
          sawSome++;
          seen.countDown();
        }
      } while (!taken.isDone() || shop.audit().waiting() > 0);
      taken.join();
    }
    assertThat(sawSome).as("audits while orders were taken").isPositive();
    assertThat(shop.audit().orders()).hasSize(2 * ORDERS);
    assertThat(shop.audit().orders().values()).allMatch(Order::mailed);
  }

  private void takeOrders(String customer) {
    for (int taken = 0; taken < ORDERS; taken++) {
      if (taken == ORDERS / 2) {
        await(seen);
      }
      shop.place(customer, 1 + taken);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void start(Runnable work) {
    new Thread(work).start();
  }
}
