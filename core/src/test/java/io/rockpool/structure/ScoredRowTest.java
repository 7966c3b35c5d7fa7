package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ScoredRowTest {
  private static final byte[] ELEMENT = {7};
  private static final long EXPIRY_MILLIS = 1_000;
  private static final long LATER_MILLIS = 5_000;

  private final CountingRow row = new CountingRow();

  /** It would read over all that was swept before, and that is slow until files are merged. */
  @Test
  void sweepingLooksAtNothingInFrontOfTheFirstThatIsDue() {
    ScoredRow before = new ScoredRow(row, false);
    assertThat(before.sweep()).isTrue();
    before.write(ELEMENT, null, new Member(1, EXPIRY_MILLIS));
    before.finish();

    row.nowMillis = LATER_MILLIS;
    ScoredRow later = new ScoredRow(row, false);
    assertThat(later.sweep()).isTrue();
    later.finish();

    assertThat(later.find(ELEMENT)).isNull();
    assertThat(row.get(ScoredSetFormat.earliestKey())).isNull();
    assertThat(row.scannedFrom).hasSize(2);
    assertThat(row.scannedFrom.get(0))
        .isEqualTo(ScoredSetFormat.dueKey(EXPIRY_MILLIS, new byte[0]));
    byte[] lastDue = ScoredSetFormat.dueKey(LATER_MILLIS, new byte[] {(byte) 0xFF});
    assertThat(Arrays.compareUnsigned(row.scannedFrom.get(1), lastDue)).isPositive();
  }
}
