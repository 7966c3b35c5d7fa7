package io.rockpool.compatibility.machines;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.compatibility.machines.MachineOperation.Ending;
import io.rockpool.compatibility.machines.MachineOperation.Kind;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.compatibility.machines.StalenessChecker.Pause;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All calls of a round, and what is there at its end; checked as a whole. */
final class MachineHistory {
  /** The process that reads what is there at the end. */
  private static final Life READER = new Life(-1, 0);

  private static final Set<Kind> REGISTER =
      Set.of(Kind.GET, Kind.PUT, Kind.REMOVE, Kind.PUT_IF_ABSENT, Kind.REPLACE);

  private final int round;
  private final List<MachineOperation> calls;
  private final List<String> failures;
  private final List<String> violations = new ArrayList<>();
  private int lost;

  /** Reads the logs of a round. */
  MachineHistory(int round, Path logs) throws IOException {
    this.round = round;
    calls = new ArrayList<>(OperationLog.readAll(logs));
    failures = OperationLog.failures(logs);
  }

  /** How many calls returned. */
  long returned() {
    return calls.stream().filter(MachineOperation::returned).count();
  }

  /** How many calls ended so. */
  long ended(Ending how) {
    return calls.stream().filter(call -> call.ending() == how).count();
  }

  /** Takes exceptions that no caller expects for wrong. */
  void addFailures() {
    violations.addAll(failures);
  }

  /** What was found to be wrong. */
  List<String> violations() {
    return violations;
  }

  /** Checks the caches, with a handle that reads what is there at the end. */
  void checkCaches(Rockpool pool, long boundNanos, List<Pause> pauses, @Nullable Loss loss) {
    checkRegisters(MachineWork.cold(pool).asMap(), MachineWork.COLD, loss);
    checkOnce(MachineWork.cold(pool), loss);
    StalenessChecker checker = new StalenessChecker(boundNanos, pauses, loss);
    by(Set.of(Kind.HOT_PUT, Kind.HOT_GET)).values().stream()
        .flatMap(ofKey -> checker.violations(ofKey).stream())
        .forEach(violations::add);
  }

  /** How old the oldest value that was read had been. */
  long worstNanos(List<Pause> pauses) {
    StalenessChecker checker = new StalenessChecker(0, pauses, null);
    return by(Set.of(Kind.HOT_PUT, Kind.HOT_GET)).values().stream()
        .mapToLong(checker::worstNanos)
        .max()
        .orElse(0);
  }

  /** How many keys were put once, and their puts acknowledged. */
  long once() {
    return acknowledgedOnce().count();
  }

  /** How many of those are missing, though a fault may lose them. */
  int lost() {
    return lost;
  }

  private Stream<MachineOperation> acknowledgedOnce() {
    return calls.stream()
        .filter(call -> call.key().startsWith(MachineWork.ONCE + ".") && call.returned());
  }

  private void checkOnce(PersistentCache<String, Long> cold, @Nullable Loss loss) {
    lost = 0;
    Map<String, MachineOperation> puts =
        acknowledgedOnce().collect(Collectors.toMap(MachineOperation::key, call -> call));
    Map<String, Long> there = cold.getAll(puts.keySet());
    puts.forEach(
        (key, put) -> {
          Long value = there.get(key);
          if (value == null && loss != null && put.endNanos() < loss.untilNanos()) {
            lost++;
          } else if (!Objects.equals(value, put.argument())) {
            violations.add("an acknowledged put is lost or changed to " + value + ": " + put);
          }
        });
  }

  private void checkRegisters(ConcurrentMap<String, Long> entries, String of, @Nullable Loss loss) {
    by(REGISTER)
        .forEach(
            (key, ofKey) -> {
              if (key.startsWith(of + ".")) {
                List<MachineOperation> all = new ArrayList<>(ofKey);
                all.add(read(key, entries));
                String violation = RegisterChecker.violation(all, loss);
                if (violation != null) {
                  violations.add(key + ": " + violation);
                }
              }
            });
  }

  private static MachineOperation read(String key, ConcurrentMap<String, Long> entries) {
    long start = System.nanoTime();
    Long value = entries.get(key);
    return new MachineOperation(
        READER, Kind.GET, key, null, null, value, start, System.nanoTime(), Ending.RETURNED);
  }

  private Map<String, List<MachineOperation>> by(Set<Kind> kinds) {
    return calls.stream()
        .filter(call -> kinds.contains(call.kind()))
        .collect(Collectors.groupingBy(MachineOperation::key, TreeMap::new, Collectors.toList()));
  }

  private List<MachineOperation> of(String name) {
    return calls.stream().filter(call -> call.key().equals(name)).toList();
  }

  /** Checks the collections. */
  void checkCollections(Rockpool pool) {
    checkRegisters(MachineWork.map(pool), MachineWork.MAP, null);
    PersistentMap<String, Long> accounts = MachineWork.accounts(pool, round);
    long[] balances = new long[MachineWork.ACCOUNTS];
    for (int account = 0; account < balances.length; account++) {
      balances[account] = MachineWork.balance(accounts, account);
    }
    violations.addAll(
        BankChecker.violations(
            of(MachineWork.name("bank", round)),
            balances,
            new HashMap<>(MachineWork.ledger(pool, round))));
    violations.addAll(
        DequeChecker.violations(
            of(MachineWork.name("deque", round)), List.copyOf(MachineWork.deque(pool, round))));
    checkQueue(MachineWork.queue(pool, round));
  }

  private void checkQueue(PersistentQueue<Long> queue) {
    List<Long> left = new ArrayList<>();
    long end = System.nanoTime() + 2 * MachineWork.VISIBILITY.toNanos();
    try {
      while (queue.size() > 0 && System.nanoTime() < end) {
        for (Delivery<Long> delivery : queue.receive(100, MachineWork.VISIBILITY)) {
          left.add(delivery.message());
          boolean unused = delivery.acknowledge();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    violations.addAll(
        QueueChecker.violations(of(MachineWork.name("queue", round)), left, queue.size()));
  }
}
