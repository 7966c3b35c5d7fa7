package io.rockpool.compatibility.machines;

import io.rockpool.compatibility.machines.MachineOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Decides whether transfers between accounts were atomic: every sum is that of the beginning, and
 * the balances at the end are what the ledger says, which each transfer extends in its transaction.
 */
final class BankChecker {
  private BankChecker() {}

  /**
   * What is wrong.
   *
   * @param calls the transfers and sums of one bank
   * @param balances those at the end
   * @param ledger the transfers that were made, by their ids, as {@code from>to:amount}
   */
  static List<String> violations(
      List<MachineOperation> calls, long[] balances, Map<Long, String> ledger) {
    List<String> found = new ArrayList<>();
    long total = MachineWork.ACCOUNTS * MachineWork.BALANCE;
    for (MachineOperation call : calls) {
      Long result = call.result();
      Long id = call.argument();
      if (call.kind() == Kind.SUM && call.returned() && (result == null || result != total)) {
        found.add("the sum was not " + total + ": " + call);
      } else if (call.kind() == Kind.TRANSFER && id != null) {
        boolean made = ledger.containsKey(id);
        if (call.returned() && !made) {
          found.add("an acknowledged transfer was lost: " + call);
        } else if (!call.maybeMade() && made) {
          found.add("a transfer was made that promised not to be: " + call);
        }
      }
    }
    long[] expected = new long[MachineWork.ACCOUNTS];
    Arrays.fill(expected, MachineWork.BALANCE);
    for (String transfer : ledger.values()) {
      String[] part = transfer.split("[>:]", -1);
      long amount = Long.parseLong(part[2]);
      expected[Integer.parseInt(part[0])] -= amount;
      expected[Integer.parseInt(part[1])] += amount;
    }
    if (!Arrays.equals(expected, balances)) {
      found.add(
          "the balances are %s, by the ledger %s"
              .formatted(Arrays.toString(balances), Arrays.toString(expected)));
    }
    return found;
  }
}
