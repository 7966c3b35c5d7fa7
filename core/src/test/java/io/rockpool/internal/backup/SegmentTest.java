package io.rockpool.internal.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.internal.rocksdb.files.LogRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SegmentTest {
  private static final String SHA256 = "0123456789abcdef".repeat(4);

  /** Of the changes 8 and 9: a delete and a put. */
  private static final byte[] BATCH =
      HexFormat.of().parseHex("0800000000000000" + "02000000" + "04010161" + "0501016201" + "63");

  private static final String GOLDEN =
      "524c4f47 01 01 00000002"
          + "0000000000000007 0000018bcfe568fb 0000000000000009 0000018bcfe56a48"
          + "00000004 412e420a 00000001 00000016"
          + "0800000000000000 02000000 04010161 050101620163";

  private static Segment example() {
    return new Segment(
        true,
        List.of(new LogMark(7, 1_700_000_000_251L), new LogMark(9, 1_700_000_000_584L)),
        "A.B\n".getBytes(StandardCharsets.US_ASCII),
        List.of(new LogRecord(BATCH)));
  }

  @Test
  void bytesAreThoseOfTheFormat() {
    assertThat(HexFormat.of().formatHex(example().encode())).isEqualTo(GOLDEN.replace(" ", ""));
  }

  @Test
  void whatIsWrittenIsRead() {
    Segment read = Segment.decode(example().encode());
    assertThat(read.mayHoldCollections()).isTrue();
    assertThat(read.marks()).isEqualTo(example().marks());
    assertThat(read.classes()).isEqualTo(example().classes());
    LogRecord record = read.records().get(0);
    assertThat(record.first()).isEqualTo(8);
    assertThat(record.last()).isEqualTo(9);
    assertThat(record.batch()).isEqualTo(BATCH);
    Segment empty = new Segment(false, List.of(), null, List.of());
    assertThat(Segment.decode(empty.encode()).classes()).isNull();
  }

  @Test
  void otherBytesAreRefused() {
    byte[] bytes = example().encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatIllegalArgumentException().isThrownBy(() -> Segment.decode(cut));
    }
    bytes[4] = 2;
    assertThatIllegalArgumentException().isThrownBy(() -> Segment.decode(bytes));
  }

  @Test
  void namesSayWhatIsInThem() {
    SegmentName name = new SegmentName("0123456789abcdef", 8, 9, 1_000, 2_000, SHA256);
    assertThat(name.object()).isEqualTo("log/0123456789abcdef-8-9-1000-2000-" + SHA256);
    assertThat(SegmentName.of(name.object())).hasValue(name);
    assertThat(SegmentName.of("log/0123456789abcdef-8-9-1000-" + SHA256)).isEmpty();
    assertThat(SegmentName.of("files/" + SHA256)).isEmpty();
    assertThat(name.isEmpty()).isFalse();
    assertThat(new SegmentName("0123456789abcdef", 8, 7, 1, 2, SHA256).isEmpty()).isTrue();
  }
}
