package io.rockpool.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order of locks is checked, in each test of the build. */
final class OrderedLockTest {
  private static final Object STORE = new Object();

  private final OrderedLock row = new OrderedLock(LockLevel.ROWS, 5, STORE);
  private final OrderedLock laterRow = new OrderedLock(LockLevel.ROWS, 6, STORE);
  private final OrderedLock names = new OrderedLock(LockLevel.NAMES, 0, STORE);
  private final OrderedLock hotTier = new OrderedLock(LockLevel.HOT_TIER);

  @AfterEach
  void nothingIsHeld() {
    assertThat(HeldLocks.ofThisThread()).isEmpty();
  }

  private static void assertRefused(OrderedLock held, OrderedLock wanted) {
    held.lock();
    try {
      assertThatThrownBy(wanted::lock)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(wanted.toString())
          .hasMessageContaining(held.toString());
      assertThat(wanted.isLocked()).isFalse();
    } finally {
      held.unlock();
    }
    assertThat(HeldLocks.takeViolations()).as("for the run to fail on").hasSize(1);
  }

  private static void assertTaken(OrderedLock held, OrderedLock wanted) {
    held.lock();
    try {
      assertThatCode(wanted::lock).doesNotThrowAnyException();
      assertThat(HeldLocks.ofThisThread()).containsExactly(held, wanted);
      wanted.unlock();
    } finally {
      held.unlock();
    }
  }

  @Test
  void itIsCheckedInThisRun() {
    assertThat(HeldLocks.areChecked()).as("run with -Drockpool.checkLockOrder=true").isTrue();
  }

  @Test
  void laterLevelsAndRanksAreTaken() {
    assertTaken(row, names);
    assertTaken(row, laterRow);
    assertTaken(names, hotTier);
    assertTaken(row, row);
  }

  @Test
  void earlierLevelsAndRanksAreRefused() {
    assertRefused(names, row);
    assertRefused(laterRow, row);
    assertRefused(row, new OrderedLock(LockLevel.ROWS, 5, STORE));
    assertRefused(hotTier, names);
  }

  @Test
  void ofDifferentStoresAnyIsTaken() {
    assertTaken(names, new OrderedLock(LockLevel.ROWS, 0, new Object()));
  }

  @Test
  void oneThatIsNotWaitedForIsTaken() {
    laterRow.lock();
    try {
      assertThat(row.tryLock()).isTrue();
      row.unlock();
    } finally {
      laterRow.unlock();
    }
  }

  @Test
  void whoWaitsForAllOthersHoldsNothing() {
    row.lock();
    try {
      assertThatThrownBy(() -> HeldLocks.checkNone(STORE, "closing"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(row.toString());
      HeldLocks.checkNone(new Object(), "closing another store");
    } finally {
      row.unlock();
    }
    assertThat(HeldLocks.takeViolations()).hasSize(1);
  }
}
