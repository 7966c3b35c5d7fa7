package io.rockpool.structure;

import java.util.function.Predicate;

/** Every kind of check, and what it is to find of a value that may be null. */
final class TableChecks {
  static final int KINDS = 18;

  private TableChecks() {}

  static Check<String> check(int kind, String operand, long number) {
    return switch (kind) {
      case 0 -> Check.always();
      case 1 -> Check.absent();
      case 2 -> Check.absentOrEmpty();
      case 3 -> Check.present();
      case 4 -> Check.notEmpty();
      case 5 -> Check.contains(operand);
      case 6 -> Check.startsWith(operand);
      case 7 -> Check.endsWith(operand);
      case 8 -> Check.lessThan(operand);
      case 9 -> Check.atMost(operand);
      case 10 -> Check.equalTo(operand);
      case 11 -> Check.atLeast(operand);
      case 12 -> Check.greaterThan(operand);
      case 13 -> Check.numberLessThan(number);
      case 14 -> Check.numberAtMost(number);
      case 15 -> Check.numberEqualTo(number);
      case 16 -> Check.numberAtLeast(number);
      default -> Check.numberGreaterThan(number);
    };
  }

  static Predicate<String> expected(int kind, String operand, long number) {
    Predicate<String> there = found -> found != null;
    return switch (kind) {
      case 0 -> found -> true;
      case 1 -> there.negate();
      case 2 -> found -> found == null || found.isEmpty();
      case 3 -> there;
      case 4 -> there.and(found -> !found.isEmpty());
      case 5 -> there.and(found -> found.contains(operand));
      case 6 -> there.and(found -> found.startsWith(operand));
      case 7 -> there.and(found -> found.endsWith(operand));
      case 8 -> there.and(found -> found.compareTo(operand) < 0);
      case 9 -> there.and(found -> found.compareTo(operand) <= 0);
      case 10 -> there.and(found -> found.equals(operand));
      case 11 -> there.and(found -> found.compareTo(operand) >= 0);
      case 12 -> there.and(found -> found.compareTo(operand) > 0);
      case 13 -> there.and(found -> Long.parseLong(found) < number);
      case 14 -> there.and(found -> Long.parseLong(found) <= number);
      case 15 -> there.and(found -> Long.parseLong(found) == number);
      case 16 -> there.and(found -> Long.parseLong(found) >= number);
      default -> there.and(found -> Long.parseLong(found) > number);
    };
  }
}
