package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SharedInstancesTest {
  private final HotTierStripe stripe = new HotTierStripe(false);
  private final HotTier tier = new HotTier(10, 0, false);
  private final SharedInstances instances =
      new SharedInstances(tier, key -> stripe, new IdleDeadlines());
  private final EntryKey key = EntryKey.of("k", new byte[] {1}, true);
  private final HotEntry first = HotEntry.lasting(new Object());
  private final HotEntry second = HotEntry.lasting(new Object());

  /** However long the processor is taken from it meanwhile. */
  @Test
  void aReadWaitsForTheThreadThatPutsTheEntry() throws Exception {
    CompletableFuture<Object> read = new CompletableFuture<>();
    Thread reader = new Thread(() -> read.complete(instances.read(key, it -> second).payload()));
    boolean admitted =
        stripe.admit(
            stripe.ticket(),
            () -> {
              reader.start();
              while (reader.getState() != Thread.State.WAITING && reader.isAlive()) {
                Thread.onSpinWait();
              }
              tier.put(key.hot(), first);
            });
    assertThat(admitted).isTrue();
    assertThat(read.get()).isSameAs(first.payload());
  }

  @Test
  void aReadDoesNotWaitForWritesThatNeverEnd() {
    stripe.begin();
    assertThat(instances.read(key, it -> second)).isSameAs(second);
    assertThat(tier.isEmpty()).isTrue();
  }
}
