package io.rockpool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds circles of dependencies: classes or packages that all use each other, directly or not. */
final class Circles {
  private Circles() {}

  /** The circles of more than one name. */
  static Set<Set<String>> of(Map<String, Set<String>> uses) {
    Set<Set<String>> circles = new HashSet<>();
    for (String name : uses.keySet()) {
      Set<String> circle = new TreeSet<>(reachable(name, uses));
      circle.removeIf(other -> !reachable(other, uses).contains(name));
      if (circle.size() > 1) {
        circles.add(circle);
      }
    }
    return circles;
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(List.of(from));
    while (!left.isEmpty()) {
      for (String next : uses.getOrDefault(left.pop(), Set.of())) {
        if (reached.add(next)) {
          left.push(next);
        }
      }
    }
    return reached;
  }
}
