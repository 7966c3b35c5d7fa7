package io.rockpool.sample.atlas;

import java.io.IOException;
import java.util.List;
import javax.cache.Cache;
import me.tongfei.progressbar.ProgressBar;

/** One pass over the class files: from the cache what it has, from the parser what it has not. */
final class Survey {
  private final Cache<String, ClassSummary> cache;
  private final Acknowledgements acknowledgements;
  private final Stopwatch stopwatch;
  private final Totals totals = new Totals();
  private int hits;
  private int parsed;

  Survey(
      Cache<String, ClassSummary> cache, Acknowledgements acknowledgements, Stopwatch stopwatch) {
    this.cache = cache;
    this.acknowledgements = acknowledgements;
    this.stopwatch = stopwatch;
  }

  /** Goes over the classes, and dies in the middle if {@code crashAfter} puts come to be. */
  void run(List<ClassFile> classes, int crashAfter) throws IOException {
    try (ProgressBar bar = Progress.over(classes.size())) {
      for (ClassFile file : classes) {
        totals.add(summary(file));
        bar.step();
        if (parsed == crashAfter) {
          Crash.now(parsed);
        }
      }
    }
  }

  private ClassSummary summary(ClassFile file) throws IOException {
    ClassSummary known = cache.get(file.key());
    if (known != null) {
      hits++;
      return known;
    }
    ClassSummary summary = ClassSurveyor.survey(file.read());
    cache.put(file.key(), summary);
    acknowledgements.add(file.key(), stopwatch.elapsed());
    parsed++;
    return summary;
  }

  Totals totals() {
    return totals;
  }

  int hits() {
    return hits;
  }

  int parsed() {
    return parsed;
  }
}
