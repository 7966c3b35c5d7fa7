package io.rockpool.cache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** A writer whose target is a map, and which fails as a test wants. */
final class RecordingWriter implements BatchWriter<String, String> {
  /** How a call with a key that fails ends. */
  enum Failing {
    /** Nothing of the batch is written. */
    WHOLE,
    /** The others are written and removed from the collection. */
    ALONE
  }

  final Map<String, String> target = new ConcurrentHashMap<>();
  final List<Integer> sizes = new ArrayList<>();

  /** The last value that was written for each key; empty for a removal. */
  final Map<String, String> last = new HashMap<>();

  volatile Predicate<String> fails = key -> false;
  volatile Failing failing = Failing.WHOLE;

  /** Changes that were written although the one before was the same. */
  int repeated;

  @Override
  public synchronized void writeAll(Map<String, String> entries) throws IOException {
    sizes.add(entries.size());
    check(entries.keySet());
    boolean failed = false;
    for (Iterator<Map.Entry<String, String>> it = entries.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<String, String> entry = it.next();
      if (fails.test(entry.getKey())) {
        failed = true;
      } else {
        target.put(entry.getKey(), entry.getValue());
        note(entry.getKey(), entry.getValue());
        it.remove();
      }
    }
    if (failed) {
      throw new IOException("refused");
    }
  }

  @Override
  public synchronized void deleteAll(Set<String> keys) throws IOException {
    sizes.add(keys.size());
    check(keys);
    boolean failed = false;
    for (Iterator<String> it = keys.iterator(); it.hasNext(); ) {
      String key = it.next();
      if (fails.test(key)) {
        failed = true;
      } else {
        target.remove(key);
        note(key, "");
        it.remove();
      }
    }
    if (failed) {
      throw new IOException("refused");
    }
  }

  private void check(Set<String> keys) throws IOException {
    if (failing == Failing.WHOLE && keys.stream().anyMatch(fails)) {
      throw new IOException("refused as a whole");
    }
  }

  private void note(String key, String value) {
    if (value.equals(last.put(key, value)) && !value.isEmpty()) {
      repeated++;
    }
  }
}
