package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.testing.Threads.CONTENDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Threads;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Transactions over several rows are serial, with each other and with every other write. */
interface AtomicallyContentionContract extends EngineUnderTest {
  /** How often each thread does something in one test. */
  int ROUNDS = 200;

  /** So few that transactions meet all the time. */
  int ACCOUNTS = 6;

  /** What is in each account at first. */
  int BALANCE = 1_000;

  private long balance(Space space, int account) {
    String found = get(space, "account" + account, "");
    return found == null ? 0 : Long.parseLong(found);
  }

  private void setBalance(Space space, int account, long balance) {
    put(space, "account" + account, "", Long.toString(balance));
  }

  private List<Space> bank() {
    List<Space> bank = List.of(rows(), entries());
    for (Space space : bank) {
      for (int account = 0; account < ACCOUNTS; account++) {
        setBalance(space, account, BALANCE);
      }
    }
    return bank;
  }

  private long sum(List<Space> bank) {
    long sum = 0;
    for (int account = ACCOUNTS - 1; account >= 0; account--) {
      for (Space space : bank) {
        sum += balance(space, account);
      }
    }
    return sum;
  }

  private void transfer(Space from, int fromAccount, Space to, int toAccount, int amount) {
    atomically(
        () -> {
          setBalance(from, fromAccount, balance(from, fromAccount) - amount);
          setBalance(to, toAccount, balance(to, toAccount) + amount);
        });
  }

  /** Each in an order of its own, so that lock orders cross all the time. */
  @Test
  default void transfersBetweenSpacesKeepTheSum() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    List<Space> bank = bank();
    long expected = sum(bank);
    Threads.run(
        CONTENDERS,
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < ROUNDS; i++) {
            transfer(
                bank.get(random.nextInt(2)),
                random.nextInt(ACCOUNTS),
                bank.get(random.nextInt(2)),
                random.nextInt(ACCOUNTS),
                1 + random.nextInt(9));
            if (i % 8 == 0) {
              assertThat(engine().<Long>atomically(() -> sum(bank))).isEqualTo(expected);
            }
          }
        });
    assertThat(sum(bank)).isEqualTo(expected);
  }

  /** Deposits by every kind of write meet transfers, and none is lost. */
  @Test
  default void otherWritesOfTheRowsAreSerialToo() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    List<Space> bank = bank();
    long expected = sum(bank) + 2L * ROUNDS;
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        CONTENDERS,
        thread -> {
          try {
            for (int i = 0; thread < 2 ? i < ROUNDS : !done.get(); i++) {
              int account = i % ACCOUNTS;
              if (thread < 2) {
                change(
                    bank.get(thread),
                    "account" + account,
                    row ->
                        row.put(
                            Space.NO_SORT_KEY,
                            bytes(
                                Long.toString(
                                    Long.parseLong(String.valueOf(value(row.get(bytes(""))))) + 1)),
                            Expiry.NEVER));
              } else if (thread == 2) {
                bank.get(0)
                    .putAll(
                        List.of(
                            EngineUnderTest.record("x", "a", "1"),
                            EngineUnderTest.record("y", "a", "1")));
              } else {
                transfer(bank.get(i % 2), account, bank.get(thread % 2), thread % ACCOUNTS, 1);
              }
            }
          } finally {
            done.set(true);
          }
        });
    // The two depositors need not end at the same time; whoever was first has ended the others.
    assertThat(sum(bank)).isEqualTo(expected);
  }

  /** A reader that is in no transaction itself may see a half; one that is never does. */
  @Test
  default void aReaderSeesAllOrNothing() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rows();
    Space entries = entries();
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        4,
        thread -> {
          try {
            for (int i = 0; thread == 0 ? i < ROUNDS : !done.get(); i++) {
              if (thread == 0) {
                String number = Integer.toString(i);
                atomically(
                    () -> {
                      put(rows, "a", "x", number);
                      putCounted(rows, "b", number, number);
                      put(entries, "c", "", number);
                    });
              } else {
                atomically(
                    () -> {
                      String c = get(entries, "c", "");
                      assertThat(get(rows, "a", "x")).isEqualTo(c);
                      assertThat(rows.count(bytes("b")))
                          .isEqualTo(c == null ? 0 : Integer.parseInt(c) + 1)
                          .isEqualTo(scan(rows, "b").size());
                    });
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
  }

  /** Two that each read what the other writes: one of them must have seen the other. */
  @Test
  default void whatWasReadStaysTrueUntilTheCommit() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    for (int round = 0; round < 100; round++) {
      List<String> rows = List.of("one" + round, "other" + round);
      Threads.run(
          2,
          thread ->
              atomically(
                  () -> {
                    if (scan(space, rows.get(1 - thread)).isEmpty()) {
                      put(space, rows.get(thread), "a", "v");
                    }
                  }));
      assertThat(scan(space, rows.get(0)).size() + scan(space, rows.get(1)).size()).isEqualTo(1);
    }
  }

  /** Rows in opposite orders, held for a while: who cannot wait gives way and runs again. */
  @Test
  default void oppositeOrdersDoNotDeadlock() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    int rows = 40;
    Threads.run(
        CONTENDERS,
        thread -> {
          for (int i = 0; i < 20; i++) {
            atomically(
                () -> {
                  for (int step = 0; step < rows; step++) {
                    String row = "row" + (thread % 2 == 0 ? step : rows - 1 - step);
                    String found = get(space, row, "n");
                    int next = found == null ? 1 : Integer.parseInt(found) + 1;
                    put(space, row, "n", Integer.toString(next));
                  }
                });
          }
        });
    for (int row = 0; row < rows; row++) {
      assertThat(get(space, "row" + row, "n")).isEqualTo(Integer.toString(20 * CONTENDERS));
    }
  }

  /** The exception by which a run gives way may be caught by whoever catches everything. */
  @Test
  default void workThatCatchesEverythingCommitsAllOrNothing() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    List<Space> bank = bank();
    long expected = sum(bank);
    Threads.run(
        CONTENDERS,
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < ROUNDS; i++) {
            int from = random.nextInt(ACCOUNTS);
            int to = random.nextInt(ACCOUNTS);
            atomically(
                () -> {
                  int moved = 0;
                  try {
                    setBalance(bank.get(0), from, balance(bank.get(0), from) - 1);
                    moved = 1;
                    setBalance(bank.get(1), to, balance(bank.get(1), to) + moved);
                  } catch (RuntimeException e) {
                    // As if nothing had happened.
                  }
                });
          }
        });
    assertThat(sum(bank)).isEqualTo(expected);
  }

  @Test
  default void clearTakesAllOfASpaceOrNothing() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space rows = rows();
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(
        4,
        thread -> {
          try {
            for (int i = 0; thread == 0 ? i < ROUNDS : !done.get(); i++) {
              if (thread == 0) {
                rows.clear();
              } else {
                atomically(
                    () -> {
                      String a = get(rows, "a", "");
                      assertThat(get(rows, "b", "")).isEqualTo(a);
                      String next = a == null ? "1" : Integer.toString(Integer.parseInt(a) + 1);
                      put(rows, "a", "", next);
                      put(rows, "b", "", next);
                    });
              }
            }
          } finally {
            if (thread == 0) {
              done.set(true);
            }
          }
        });
    assertThat(get(rows, "b", "")).isEqualTo(get(rows, "a", ""));
  }
}
