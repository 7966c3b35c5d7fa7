package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StripeTest {
  private final HotTierStripe stripe = new HotTierStripe(false);
  private final AtomicInteger admitted = new AtomicInteger();

  @Test
  void aWriteAloneMayChangeTheTier() {
    for (int i = 0; i < 3; i++) {
      long begun = stripe.begin();
      assertThat(stripe.beginChange(begun)).isTrue();
      stripe.endChange();
      stripe.end();
    }
  }

  @Test
  void ofWritesThatOverlapNoneMay() {
    long first = stripe.begin();
    long second = stripe.begin();
    assertThat(stripe.beginChange(first)).isFalse();
    stripe.end();
    assertThat(stripe.beginChange(second)).isFalse();
    long third = stripe.begin();
    assertThat(stripe.beginChange(second)).isFalse();
    stripe.end();
    assertThat(stripe.beginChange(third)).isFalse();
    stripe.end();
    assertThat(stripe.beginChange(stripe.begin())).isTrue();
    stripe.endChange();
    stripe.end();
  }

  @Test
  void aWriteDuringWhichAnotherCameAndWentMayNot() {
    long begun = stripe.begin();
    stripe.begin();
    stripe.end();
    assertThat(stripe.beginChange(begun)).isFalse();
  }

  @Test
  void aReadIsAdmittedWhereNoWriteRanSinceItsTicket() {
    long ticket = stripe.ticket();
    stripe.admit(ticket, admitted::incrementAndGet);
    stripe.admit(ticket, admitted::incrementAndGet);
    assertThat(admitted).hasValue(2);
  }

  @Test
  void aReadIsNotAdmittedWhereAWriteRanOrRuns() {
    long before = stripe.ticket();
    stripe.begin();
    stripe.admit(before, admitted::incrementAndGet);
    long meanwhile = stripe.ticket();
    stripe.admit(meanwhile, admitted::incrementAndGet);
    stripe.end();
    stripe.admit(before, admitted::incrementAndGet);
    stripe.admit(meanwhile, admitted::incrementAndGet);
    assertThat(admitted).hasValue(0);
    stripe.admit(stripe.ticket(), admitted::incrementAndGet);
    assertThat(admitted).hasValue(1);
  }

  @Test
  void aWriteThatBeginsWaitsForAReadThatIsBeingAdmitted() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    Thread write =
        new Thread(
            () -> {
              stripe.begin();
              begun.incrementAndGet();
            });
    stripe.admit(stripe.ticket(), () -> assertWaits(write, begun));
    write.join();
    assertThat(begun).hasValue(1);
  }

  @Test
  void aWriteThatBeginsWaitsForOneThatChangesTheTier() throws Exception {
    long first = stripe.begin();
    assertThat(stripe.beginChange(first)).isTrue();
    AtomicInteger changes = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    Thread write =
        new Thread(
            () -> {
              long second = stripe.begin();
              begun.incrementAndGet();
              changes.addAndGet(stripe.beginChange(second) ? 1 : 0);
            });
    assertWaits(write, begun);
    stripe.endChange();
    write.join();
    assertThat(begun).hasValue(1);
    assertThat(changes).hasValue(0);
  }

  private static void assertWaits(Thread write, AtomicInteger begun) {
    write.start();
    while (write.getState() != Thread.State.WAITING && write.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(begun).hasValue(0);
  }

  @Test
  void onlyTheFirstOfTwoOverlappingReadsIsAdmittedExclusively() {
    HotTierStripe exclusive = new HotTierStripe(true);
    long first = exclusive.ticket();
    long second = exclusive.ticket();
    assertThat(exclusive.admit(first, () -> {})).isTrue();
    assertThat(exclusive.admit(second, () -> {})).isFalse();
    assertThat(exclusive.admit(exclusive.ticket(), () -> {})).isTrue();
    assertThat(stripe.admit(stripe.ticket(), () -> {})).isTrue();
  }

  @Test
  void aReadThatIsPassedOverIsNotAdmitted() {
    long before = stripe.ticket();
    long since = stripe.pass(before);
    assertThat(stripe.admit(before, () -> {})).isFalse();
    assertThat(stripe.isUnwritten(since)).isTrue();
    assertThat(stripe.isUnwritten(stripe.pass(before))).isFalse();
  }
}
