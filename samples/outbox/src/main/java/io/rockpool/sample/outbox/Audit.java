package io.rockpool.sample.outbox;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoredElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was found when the four places were compared.
 *
 * @param orders all of them, by their numbers
 * @param waiting the messages in the outbox
 * @param contradictions a sentence for each; none, unless somebody saw half of a transaction
 */
record Audit(Map<Long, Order> orders, List<Message> waiting, List<String> contradictions) {
  static Audit of(
      PersistentMap<Long, Order> orders,
      PersistentDeque<Message> outbox,
      PersistentScoredSet<Long> ranking,
      PersistentCache<String, Order> latest) {
    Map<Long, Order> all = new TreeMap<>(orders);
    List<Message> messages = new ArrayList<>();
    Map<Long, Double> totals = new HashMap<>();
    Map<String, Order> last = new HashMap<>();
    for (Order order : all.values()) {
      if (!order.delivered()) {
        messages.add(new Message(order.number(), order.totalCents()));
      }
      totals.put(order.number(), (double) order.totalCents());
      last.put(order.customer(), order);
    }
    List<Message> waiting = List.copyOf(outbox);
    Map<Long, Double> scores = new HashMap<>();
    for (ScoredElement<Long> ranked : ranking.range(Range.all())) {
      scores.put(ranked.element(), ranked.score());
    }
    List<String> contradictions = new ArrayList<>();
    if (!waiting.equals(messages)) {
      contradictions.add("The outbox has " + waiting + ", but not delivered are " + messages + ".");
    }
    if (!scores.equals(totals)) {
      contradictions.add("The ranking has " + scores + ", but the orders have " + totals + ".");
    }
    Map<String, Order> cached = latest.getAll(last.keySet());
    if (!cached.equals(last)) {
      contradictions.add("The cache has " + cached + ", but the latest orders are " + last + ".");
    }
    return new Audit(all, waiting, contradictions);
  }
}
