package io.rockpool.sample.atlas;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What all summaries say together. */
final class Totals {
  private final Map<String, Integer> users = new HashMap<>();
  private int classes;
  private long methods;
  private long fields;
  private long instructions;
  private long strings;
  private String deepestMethod = "";
  private int deepestComplexity;

  void add(ClassSummary summary) {
    classes++;
    methods += summary.methods();
    fields += summary.fields();
    instructions += summary.instructions();
    strings += summary.strings();
    if (summary.deepestComplexity() > deepestComplexity) {
      deepestMethod = summary.name() + "." + summary.deepestMethod();
      deepestComplexity = summary.deepestComplexity();
    }
    for (String reference : summary.references()) {
      users.merge(reference, 1, Integer::sum);
    }
  }

  int classes() {
    return classes;
  }

  long methods() {
    return methods;
  }

  long fields() {
    return fields;
  }

  long instructions() {
    return instructions;
  }

  long strings() {
    return strings;
  }

  String deepestMethod() {
    return deepestMethod;
  }

  int deepestComplexity() {
    return deepestComplexity;
  }

  /** The classes that most others mention, and how many do. */
  List<Map.Entry<String, Integer>> mostUsed(int count) {
    return users.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(count)
        .toList();
  }
}
