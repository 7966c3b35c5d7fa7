package io.rockpool.sample.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class ShopTest {
  private static final int ORDERS = 150;

  private final Semaphore bell = new Semaphore(0);

  @TempDir private Path directory;
  private Rockpool pool;
  private Rockpool receiverPool;
  private Shop shop;
  private Receiver receiver;

  @BeforeEach
  void open() {
    pool = Rockpool.open(directory.resolve("shop"));
    receiverPool = Rockpool.open(directory.resolve("receiver"));
    shop = new Shop(pool, bell::release);
    receiver = new Receiver(receiverPool);
  }

  @AfterEach
  void close() {
    pool.close();
    receiverPool.close();
  }

  @Test
  void anOrderIsInAllFourPlaces() {
    Order first = shop.place("alice", 12_50);
    Order second = shop.place("alice", 99_00);
    assertThat(bell.availablePermits()).isEqualTo(2);
    Audit placed = shop.audit();
    assertThat(placed.contradictions()).isEmpty();
    assertThat(placed.orders()).containsOnlyKeys(1L, 2L).containsValues(first, second);
    assertThat(placed.waiting()).containsExactly(new Message(1, 12_50), new Message(2, 99_00));
    assertThat(shop.largest(1).get(0).element()).isEqualTo(2);

    assertThat(shop.delivered(new Message(1, 12_50))).isTrue();
    assertThat(shop.delivered(new Message(1, 12_50))).isFalse();
    assertThat(shop.delivered(new Message(2, 99_00))).isTrue();
    Audit delivered = shop.audit();
    assertThat(delivered.contradictions()).isEmpty();
    assertThat(delivered.orders().values()).allMatch(Order::delivered).hasSize(2);
    assertThat(shop.nextMessage()).isNull();
  }

  @Test
  void aMessageThatComesAgainChangesNothing() {
    assertThat(receiver.receive(new Message(1, 12_50))).isTrue();
    assertThat(receiver.receive(new Message(2, 99_00))).isTrue();
    assertThat(receiver.receive(new Message(1, 12_50))).isFalse();
    assertThat(receiver.received()).hasSize(2);
    assertThat(receiver.revenueCents()).isEqualTo(111_50);
    assertThat(receiver.repeated()).isEqualTo(1);
  }

  @Test
  void nobodySeesHalfOfAnOrder() {
    Relay relay = new Relay(shop, receiver, bell, () -> {});
    CompletableFuture<Void> relaying = CompletableFuture.runAsync(relay, ShopTest::start);
    CompletableFuture<Void> taken =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> takeOrders("alice"), ShopTest::start),
            CompletableFuture.runAsync(() -> takeOrders("bob"), ShopTest::start));
    int sawSome = 0;
    do {
      Audit audit = shop.audit();
      assertThat(audit.contradictions()).isEmpty();
      if (!audit.orders().isEmpty() && audit.orders().size() < 2 * ORDERS) {
        sawSome++;
      }
    } while (!taken.isDone());
    taken.join();
    relay.close();
    relaying.join();
    assertThat(sawSome).as("audits while orders were taken").isPositive();
    Audit audit = shop.audit();
    assertThat(audit.contradictions()).isEmpty();
    assertThat(audit.orders()).hasSize(2 * ORDERS);
    assertThat(audit.waiting()).isEmpty();
    assertThat(receiver.received()).containsOnlyKeys(audit.orders().keySet());
    assertThat(receiver.repeated()).isZero();
  }

  private void takeOrders(String customer) {
    for (int taken = 0; taken < ORDERS; taken++) {
      shop.place(customer, 1 + taken);
    }
  }

  private static void start(Runnable work) {
    new Thread(work).start();
  }
}
