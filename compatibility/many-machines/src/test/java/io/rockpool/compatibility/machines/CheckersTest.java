package io.rockpool.compatibility.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.compatibility.machines.MachineOperation.Ending;
import io.rockpool.compatibility.machines.MachineOperation.Kind;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.compatibility.machines.StalenessChecker.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each checker accepts what may happen, and finds what may not. */
final class CheckersTest {
  private static final Life ONE = new Life(0, 0);
  private static final Life OTHER = new Life(1, 0);

  private static MachineOperation call(
      Life process,
      Kind kind,
      @Nullable Long argument,
      @Nullable Long result,
      long start,
      long end) {
    return new MachineOperation(
        process, kind, "k", argument, null, result, start, end, Ending.RETURNED);
  }

  private static MachineOperation ended(Ending ending, MachineOperation call) {
    return new MachineOperation(
        call.process(),
        call.kind(),
        call.key(),
        call.argument(),
        call.expected(),
        call.result(),
        call.startNanos(),
        call.endNanos(),
        ending);
  }

  private static MachineOperation put(long value, long start, long end) {
    return call(ONE, Kind.PUT, value, null, start, end);
  }

  private static MachineOperation get(@Nullable Long value, long start, long end) {
    return call(OTHER, Kind.GET, null, value, start, end);
  }

  private static @Nullable String linear(MachineOperation... calls) {
    return RegisterChecker.violation(List.of(calls), null);
  }

  @Test
  void overlappingCallsMayHaveAnyOrder() {
    assertThat(linear(put(1, 0, 10), get(null, 1, 2), get(1L, 3, 4))).isNull();
    assertThat(linear(put(1, 0, 10), put(2, 0, 10), get(2L, 11, 12), get(2L, 13, 14))).isNull();
  }

  @Test
  void aLostWriteAndAnOldReadAreFound() {
    assertThat(linear(put(1, 0, 1), get(null, 2, 3))).isNotNull();
    assertThat(linear(put(1, 0, 1), put(2, 2, 3), get(1L, 4, 5))).isNotNull();
    assertThat(linear(put(1, 0, 10), get(1L, 1, 2), get(null, 3, 4))).isNotNull();
  }

  @Test
  void aConditionalWriteThatIsMadeTwiceIsFound() {
    MachineOperation one = call(ONE, Kind.PUT_IF_ABSENT, 1L, null, 0, 10);
    MachineOperation other = call(OTHER, Kind.PUT_IF_ABSENT, 2L, null, 0, 10);
    assertThat(linear(one, other)).isNotNull();
    assertThat(linear(one, call(OTHER, Kind.PUT_IF_ABSENT, 2L, 1L, 0, 10))).isNull();
    MachineOperation removal = call(ONE, Kind.REMOVE, null, 1L, 2, 3);
    assertThat(linear(put(1, 0, 1), removal, call(OTHER, Kind.REMOVE, null, 1L, 2, 3))).isNotNull();
  }

  @Test
  void anUnknownWriteMayBeMadeLateOrNeverAndOneThatWasNotMadeMayNot() {
    MachineOperation unknown = ended(Ending.UNKNOWN, put(2, 2, 3));
    MachineOperation refused = ended(Ending.NOT_MADE, put(2, 2, 3));
    for (MachineOperation write : List.of(unknown, refused)) {
      assertThat(linear(put(1, 0, 1), write, get(1L, 4, 5), get(1L, 6, 7))).isNull();
    }
    assertThat(linear(put(1, 0, 1), unknown, get(1L, 4, 5), get(2L, 6, 7))).isNull();
    assertThat(linear(put(1, 0, 1), unknown, get(2L, 4, 5), get(1L, 6, 7))).isNotNull();
    assertThat(linear(put(1, 0, 1), refused, get(2L, 4, 5))).isNotNull();
  }

  @Test
  void aFailoverMayTakeWritesBackOnceAndOnlyThen() {
    Loss loss = new Loss(10, 15, 20);
    List<MachineOperation> before = List.of(put(1, 0, 1), put(2, 2, 3));
    assertThat(lossy(loss, before, get(2L, 4, 5), get(1L, 11, 12), get(1L, 21, 22))).isNull();
    assertThat(lossy(loss, before, get(null, 21, 22))).isNull();
    assertThat(lossy(loss, before, put(3, 9, 30), get(1L, 22, 23), get(3L, 24, 25))).isNull();
    assertThat(lossy(loss, before, get(1L, 4, 5))).isNotNull();
    assertThat(lossy(loss, before, get(9L, 11, 12))).isNotNull();
    assertThat(lossy(loss, before, get(1L, 21, 22), get(2L, 23, 24))).isNotNull();
    assertThat(lossy(loss, before, put(3, 21, 22), get(2L, 23, 24))).isNotNull();
  }

  private static @Nullable String lossy(
      Loss loss, List<MachineOperation> before, MachineOperation... calls) {
    List<MachineOperation> all = new ArrayList<>(before);
    all.addAll(List.of(calls));
    return RegisterChecker.violation(all, loss);
  }

  @Test
  void aReadMayMissWhatAFailoverHasLostAndNothingElse() {
    StalenessChecker checker = new StalenessChecker(100, List.of(), new Loss(50, 60, 70));
    List<MachineOperation> writes = List.of(hotPut(1, 0, 1), hotPut(2, 40, 41));
    assertThat(stale(checker, writes, hotGet(OTHER, 2L, 45), hotGet(OTHER, 1L, 300))).isEmpty();
    assertThat(stale(checker, writes, hotGet(ONE, 1L, 45))).hasSize(1);
    List<MachineOperation> more = new ArrayList<>(writes);
    more.add(hotPut(3, 80, 81));
    assertThat(stale(checker, more, hotGet(OTHER, 1L, 300))).hasSize(1);
    assertThat(stale(checker, more, hotGet(OTHER, 3L, 300), hotGet(OTHER, 1L, 302))).hasSize(2);
  }

  /** Random calls that each have their effect at one moment; then one result is changed. */
  @Test
  void randomHistoriesAreAcceptedUntilOneResultIsChanged() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      List<MachineOperation> calls = history(random);
      assertThat(RegisterChecker.violation(calls, null)).isNull();
      for (int i = 0; i < calls.size(); i++) {
        if (calls.get(i).kind() == Kind.GET) {
          List<MachineOperation> wrong = new ArrayList<>(calls);
          MachineOperation read = calls.get(i);
          wrong.set(i, get(-1L, read.startNanos(), read.endNanos()));
          assertThat(RegisterChecker.violation(wrong, null)).isNotNull();
        }
      }
    }
  }

  private static List<MachineOperation> history(Random random) {
    List<MachineOperation> calls = new ArrayList<>();
    Long value = null;
    for (int i = 1; i <= 40; i++) {
      long moment = i * 10L;
      long start = moment - random.nextInt(40);
      long end = moment + 1 + random.nextInt(40);
      switch (random.nextInt(4)) {
        case 0 -> {
          value = (long) i;
          calls.add(put(i, start, end));
        }
        case 1 -> {
          calls.add(call(ONE, Kind.REMOVE, null, value == null ? 0L : 1L, start, end));
          value = null;
        }
        case 2 -> {
          calls.add(call(ONE, Kind.PUT_IF_ABSENT, (long) i, value, start, end));
          value = value == null ? Long.valueOf(i) : value;
        }
        default -> calls.add(get(value, start, end));
      }
    }
    return calls;
  }

  private static MachineOperation hotPut(long value, long start, long end) {
    return call(ONE, Kind.HOT_PUT, value, null, start, end);
  }

  private static MachineOperation hotGet(Life process, @Nullable Long value, long start) {
    return call(process, Kind.HOT_GET, null, value, start, start + 1);
  }

  @Test
  void aReadThatIsTooOldIsFound() {
    StalenessChecker checker = new StalenessChecker(100, List.of(new Pause(2, 0, 1_000)), null);
    List<MachineOperation> writes = List.of(hotPut(1, 0, 1), hotPut(2, 10, 11));
    assertThat(stale(checker, writes, hotGet(OTHER, 1L, 100))).isEmpty();
    assertThat(stale(checker, writes, hotGet(OTHER, 1L, 112))).hasSize(1);
    assertThat(stale(checker, writes, hotGet(OTHER, null, 112))).hasSize(1);
    assertThat(stale(checker, writes, hotGet(new Life(2, 0), 1L, 1_050))).isEmpty();
    assertThat(stale(checker, writes, hotGet(new Life(2, 0), 1L, 1_101))).hasSize(1);
  }

  @Test
  void aMissedOwnWriteAndAStepBackAreFound() {
    StalenessChecker checker = new StalenessChecker(100, List.of(), null);
    List<MachineOperation> writes = List.of(hotPut(1, 0, 1), hotPut(2, 10, 11));
    assertThat(stale(checker, writes, hotGet(ONE, 1L, 12))).hasSize(1);
    assertThat(stale(checker, writes, hotGet(OTHER, 2L, 12), hotGet(OTHER, 1L, 14))).hasSize(1);
    assertThat(stale(checker, writes, hotGet(OTHER, 3L, 12))).hasSize(1);
  }

  private static List<String> stale(
      StalenessChecker checker, List<MachineOperation> writes, MachineOperation... reads) {
    List<MachineOperation> all = new ArrayList<>(writes);
    all.addAll(List.of(reads));
    return checker.violations(all);
  }

  @Test
  void aTornSumALostTransferAndAWrongBalanceAreFound() {
    MachineOperation transfer = call(ONE, Kind.TRANSFER, 1L, null, 0, 1);
    MachineOperation sum = call(ONE, Kind.SUM, null, 500L, 0, 1);
    Map<Long, String> ledger = Map.of(1L, "0>1:10");
    long[] balances = {90, 110, 100, 100, 100};
    assertThat(BankChecker.violations(List.of(transfer, sum), balances, ledger)).isEmpty();
    MachineOperation torn = call(ONE, Kind.SUM, null, 490L, 0, 1);
    assertThat(BankChecker.violations(List.of(transfer, torn), balances, ledger)).hasSize(1);
    long[] before = {100, 100, 100, 100, 100};
    assertThat(BankChecker.violations(List.of(transfer), before, Map.of())).hasSize(1);
    assertThat(BankChecker.violations(List.of(transfer), before, ledger)).hasSize(1);
    MachineOperation refused = ended(Ending.NOT_MADE, transfer);
    assertThat(BankChecker.violations(List.of(refused), balances, ledger)).hasSize(1);
  }

  @Test
  void aLostElementAndOneThatComesTwiceAreFound() {
    MachineOperation add = call(ONE, Kind.ADD, 1L, null, 0, 1);
    MachineOperation poll = call(OTHER, Kind.POLL, null, 1L, 2, 3);
    assertThat(DequeChecker.violations(List.of(add, poll), List.of())).isEmpty();
    assertThat(DequeChecker.violations(List.of(add), List.of(1L))).isEmpty();
    assertThat(DequeChecker.violations(List.of(add), List.of())).hasSize(1);
    assertThat(DequeChecker.violations(List.of(add, poll, poll), List.of())).hasSize(1);
    assertThat(DequeChecker.violations(List.of(add, poll), List.of(1L))).hasSize(1);
    MachineOperation unknown = ended(Ending.UNKNOWN, call(OTHER, Kind.POLL, null, null, 2, 3));
    assertThat(DequeChecker.violations(List.of(add, unknown), List.of())).isEmpty();
    MachineOperation refused = ended(Ending.NOT_MADE, add);
    assertThat(DequeChecker.violations(List.of(refused, poll), List.of())).hasSize(1);
  }

  @Test
  void aLostMessageAndOneAfterItsAcknowledgementAreFound() {
    MachineOperation send = call(ONE, Kind.SEND, 1L, null, 0, 1);
    MachineOperation receive = call(OTHER, Kind.RECEIVE, null, 1L, 2, 3);
    MachineOperation again = call(OTHER, Kind.RECEIVE, null, 1L, 6, 7);
    MachineOperation done = call(OTHER, Kind.ACKNOWLEDGE, 1L, 1L, 4, 5);
    assertThat(QueueChecker.violations(List.of(send, receive, done), List.of(), 0)).isEmpty();
    assertThat(QueueChecker.violations(List.of(send, receive, again), List.of(1L), 0)).isEmpty();
    assertThat(QueueChecker.violations(List.of(send, receive), List.of(), 1)).isEmpty();
    assertThat(QueueChecker.violations(List.of(send, receive), List.of(), 0)).hasSize(1);
    assertThat(QueueChecker.violations(List.of(send, receive, done, again), List.of(), 0))
        .hasSize(1);
    assertThat(QueueChecker.violations(List.of(send, receive, done), List.of(1L), 0)).hasSize(1);
  }
}
