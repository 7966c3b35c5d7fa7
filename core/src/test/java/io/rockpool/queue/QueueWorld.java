package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Capability;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/** A queue and a model of it: each step does one operation on both. */
final class QueueWorld implements ModelCheck.World {
  private static final long VISIBILITY_MILLIS = 1_000;
  private static final int MAX_DELIVERIES = 4;
  private static final long BACKOFF_MILLIS = 100;
  private static final int SIZE = 40;
  private static final long WINDOW_MILLIS = 700;

  private final StoreUnderTest store;
  private final boolean freesLeases;
  private PersistentQueue<String> queue;

  /** All messages that are not acknowledged or dead, in the order of sending. */
  private final List<Modelled> messages = new ArrayList<>();

  private final List<Modelled> leased = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final List<String> deadTexts = new ArrayList<>();
  private final Map<String, Long> seen = new HashMap<>();
  private final List<Modelled> turns = new ArrayList<>();
  private boolean paused;
  private int sent;
  private long places;
  private long leases;

  /** A message of the model. */
  private static final class Modelled {
    String text = "";
    int priority;
    String group = "";
    long place;
    long lease;
    boolean extended;
    int deliveries;
    boolean fresh = true;
    long dueMillis;
    long leaseMillis;
    long expiryMillis = Long.MAX_VALUE;

    @Override
    public String toString() {
      return text;
    }
  }

  /** A delivery, current or not. */
  private record Held(Delivery<String> delivery, Modelled message, long lease, int opening) {}

  private int opening;

  QueueWorld(StoreUnderTest store, StoreUnderTest.Kind kind) {
    this.store = store;
    this.freesLeases =
        kind != StoreUnderTest.Kind.ADVERSARIAL
            && !store.engine().capabilities().contains(Capability.SHARED);
    this.queue = open(store.pool());
  }

  private static PersistentQueue<String> open(Rockpool pool) {
    return pool.queue(
        "queue",
        String.class,
        o ->
            o.visibilityTimeout(Duration.ofMillis(VISIBILITY_MILLIS))
                .maxDeliveries(MAX_DELIVERIES)
                .deadLetters("dead")
                .backoff(
                    Backoff.exponential(Duration.ofMillis(BACKOFF_MILLIS), Duration.ofMillis(300)))
                .maxSize(SIZE));
  }

  private long now() {
    return store.clock.millis();
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    int choice = random.nextInt(100);
    if (choice < 30) {
      send(random, log);
    } else if (choice < 55) {
      int max = 1 + random.nextInt(4);
      if (choice < 33) {
        receiveAndRollBack(max, log);
      } else {
        receive(max, choice < 40 ? someHeld(random) : List.of(), log);
      }
    } else if (choice < 80) {
      answer(random, log);
    } else if (choice < 90) {
      long millis = random.nextInt(choice == 80 ? 1_500 : 120);
      log.accept("advance " + millis);
      store.clock.advanceMillis(millis);
    } else if (choice < 92) {
      reopen(log, choice == 90);
    } else if (choice == 92) {
      log.accept("pause " + !paused);
      paused = !paused;
      if (paused) {
        queue.pause();
      } else {
        queue.resume();
      }
    } else if (choice == 93 && random.nextInt(4) == 0) {
      log.accept("purge");
      queue.purge();
      messages.clear();
      leased.clear();
      turns.clear();
      seen.clear();
    } else if (choice < 96) {
      peek(log);
    } else if (choice == 96) {
      redrive(random, log);
    } else {
      compareSize(log);
    }
  }

  private void compareSize(Consumer<String> log) {
    log.accept("compare");
    endLeases();
    queue.peek(1); // which also buries
    forgetExpired();
    assertThat(queue.peek(1_000)).hasSizeLessThanOrEqualTo(messages.size());
    List<String> dead = queue.deadLetters().peek(1_000).stream().map(m -> m.message()).toList();
    if (freesLeases) {
      assertThat(dead).containsExactlyInAnyOrderElementsOf(deadTexts);
    }
    assertThat(store.pool().verify().findings()).isEmpty();
  }

  private void send(Random random, Consumer<String> log) {
    SendOptions options = SendOptions.defaults();
    Modelled message = new Modelled();
    message.text = "m" + sent++;
    int kind = random.nextInt(10);
    if (kind < 3) {
      message.group = "g" + random.nextInt(3);
      options = options.group(message.group);
    } else if (kind < 5) {
      long delay = 1L + random.nextInt(400);
      message.dueMillis = now() + delay;
      message.fresh = false;
      options = options.delay(Duration.ofMillis(delay));
    }
    if (message.group.isEmpty() && random.nextInt(4) == 0) {
      message.priority = random.nextInt(3);
      options = options.priority(message.priority);
    }
    if (random.nextInt(10) == 0 && message.group.isEmpty()) {
      message.expiryMillis = now() + 1 + random.nextInt(600);
      options = options.timeToLive(Duration.ofMillis(message.expiryMillis - now()));
    }
    String id = "d" + random.nextInt(6);
    boolean deduplicate = random.nextInt(5) == 0;
    if (deduplicate) {
      options = options.deduplicate(id, Duration.ofMillis(WINDOW_MILLIS));
    }
    options = options.header("text", message.text);
    log.accept("send " + message.text + " to " + message.group + " at " + message.dueMillis);
    long before = queue.size();
    SendOptions all = options;
    boolean duplicate = deduplicate && seen.getOrDefault(id, 0L) > now();
    if (before >= SIZE && !duplicate) {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> queue.send(message.text, all))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("full");
      return;
    }
    queue.send(message.text, options);
    assertThat(queue.size() - before).isEqualTo(duplicate ? 0 : 1);
    if (duplicate) {
      return;
    }
    if (deduplicate) {
      seen.put(id, now() + WINDOW_MILLIS);
    }
    message.place = places++;
    if (!message.group.isEmpty() && groupIsIdle(message.group)) {
      turns.add(turn(message.group, message.place));
    }
    messages.add(message);
  }

  private boolean groupIsIdle(String group) {
    return messages.stream().noneMatch(m -> m.group.equals(group));
  }

  private static Modelled turn(String group, long place) {
    Modelled turn = new Modelled();
    turn.group = group;
    turn.place = place;
    return turn;
  }

  /** Lets leases end by time, in the model. */
  private void endLeases() {
    List<Modelled> ended =
        new ArrayList<>(
            leased.stream()
                .filter(m -> m.leaseMillis <= now())
                .sorted(
                    Comparator.<Modelled, Boolean>comparing(m -> m.extended)
                        .thenComparingLong(m -> m.extended ? m.leaseMillis : 0)
                        .thenComparingLong(m -> m.lease))
                .toList());
    for (Modelled message : ended) {
      comeBack(message, Math.min(now(), message.leaseMillis));
    }
  }

  private void comeBack(Modelled message, long dueMillis) {
    leased.remove(message);
    if (message.deliveries >= MAX_DELIVERIES) {
      die(message);
    } else {
      message.fresh = false;
      message.dueMillis = dueMillis;
    }
  }

  private void die(Modelled message) {
    if (message.expiryMillis > now()) {
      deadTexts.add(message.text);
    }
    remove(message);
  }

  /** Removes a message for good, and gives its group another turn. */
  private void remove(Modelled message) {
    leased.remove(message);
    messages.remove(message);
    if (!message.group.isEmpty() && !groupIsIdle(message.group)) {
      turns.add(turn(message.group, places++));
    }
  }

  private void forgetExpired() {
    messages.removeIf(m -> m.expiryMillis <= now() && !leased.contains(m));
  }

  /** The messages that are ready, in order; those of a group behind each other. */
  private List<Modelled> ready() {
    List<Modelled> ready = new ArrayList<>();
    for (int priority = 9; priority >= 0; priority--) {
      int lane = priority;
      messages.stream()
          .filter(m -> m.priority == lane && !m.fresh && !leased.contains(m))
          .filter(m -> m.dueMillis <= now())
          .sorted(
              Comparator.<Modelled>comparingLong(m -> m.dueMillis).thenComparingLong(m -> m.place))
          .forEach(ready::add);
      List<Modelled> fresh = new ArrayList<>();
      messages.stream()
          .filter(m -> m.priority == lane && m.fresh && !leased.contains(m) && m.group.isEmpty())
          .forEach(fresh::add);
      if (lane == 0) {
        mergeTurns(fresh);
      }
      ready.addAll(fresh);
    }
    return ready;
  }

  /** Puts the first message of each group with a turn where its turn is. */
  private void mergeTurns(List<Modelled> fresh) {
    Map<Modelled, Long> place = new HashMap<>();
    fresh.forEach(message -> place.put(message, message.place));
    for (Modelled turn : turns) {
      Modelled first =
          messages.stream().filter(m -> m.group.equals(turn.group)).findFirst().orElseThrow();
      place.put(first, turn.place);
      fresh.add(first);
    }
    fresh.sort(Comparator.comparingLong(place::get));
  }

  private void receiveAndRollBack(int max, Consumer<String> log) {
    log.accept("receive " + max + " and roll back");
    List<Delivery<String>> all = held.stream().map(Held::delivery).toList();
    endLeases();
    forgetExpired();
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                store
                    .pool()
                    .runAtomically(
                        tx -> {
                          queue.receive(max);
                          all.forEach(Delivery::acknowledge);
                          throw new IllegalStateException("rolled back");
                        }))
        .hasMessage("rolled back");
  }

  /** Up to three deliveries, current or not. */
  private List<Held> someHeld(Random random) {
    List<Held> current = new ArrayList<>(held);
    current.removeIf(one -> one.opening() != opening);
    Collections.shuffle(current, random);
    return current.subList(0, Math.min(current.size(), 1 + random.nextInt(3)));
  }

  private boolean isValid(Held one) {
    Modelled message = one.message();
    return leased.contains(message) && message.lease == one.lease() && message.leaseMillis > now();
  }

  private List<Delivery<String>> acknowledgeAndReceive(List<Held> handled, int max) {
    try {
      return queue.acknowledgeAndReceive(
          handled.stream().map(Held::delivery).toList(), max, Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void receive(int max, List<Held> handled, Consumer<String> log) {
    log.accept("acknowledge " + handled.size() + ", receive " + max);
    for (Held one : handled) {
      if (isValid(one)) {
        remove(one.message());
      }
    }
    endLeases();
    forgetExpired();
    List<Delivery<String>> deliveries =
        handled.isEmpty() ? queue.receive(max) : acknowledgeAndReceive(handled, max);
    List<Modelled> expected = paused ? List.of() : ready();
    expected = expected.subList(0, Math.min(max, expected.size()));
    assertThat(deliveries.stream().map(d -> d.message()).toList())
        .isEqualTo(expected.stream().map(m -> m.text).toList());
    for (int i = 0; i < deliveries.size(); i++) {
      Modelled message = expected.get(i);
      Delivery<String> delivery = deliveries.get(i);
      message.deliveries++;
      message.leaseMillis = now() + VISIBILITY_MILLIS;
      message.lease = leases++;
      message.extended = false;
      turns.removeIf(turn -> turn.group.equals(message.group));
      leased.add(message);
      assertThat(delivery.deliveries()).isEqualTo(message.deliveries);
      assertThat(delivery.headers()).containsEntry("text", message.text);
      assertThat(delivery.group().orElse("")).isEqualTo(message.group);
      assertThat(delivery.priority()).isEqualTo(message.priority);
      assertThat(delivery.leasedUntil().toEpochMilli()).isEqualTo(message.leaseMillis);
      held.add(new Held(delivery, message, message.lease, opening));
    }
  }

  private void answer(Random random, Consumer<String> log) {
    if (held.isEmpty()) {
      return;
    }
    Held chosen = held.get(random.nextInt(held.size()));
    Modelled message = chosen.message();
    boolean valid = isValid(chosen);
    Delivery<String> delivery = chosen.delivery();
    if (chosen.opening() != opening) {
      held.remove(chosen);
      return;
    }
    int kind = random.nextInt(10);
    boolean uncounted = random.nextBoolean();
    log.accept(
        "answer " + kind + (uncounted ? " uncounted" : "") + " to " + message + ", valid " + valid);
    assertThat(delivery.isEnded()).isEqualTo(!valid);
    boolean done;
    if (kind < 5) {
      done = delivery.acknowledge();
    } else if (kind == 5) {
      done = delivery.release(Duration.ofMillis(50));
    } else if (kind == 6 && uncounted) {
      done = delivery.releaseUncounted();
    } else if (kind == 6) {
      done = delivery.release();
    } else if (kind == 7) {
      done = delivery.retry("no luck");
    } else if (kind == 8) {
      done = delivery.reject("bad");
    } else {
      done = delivery.extend(Duration.ofMillis(2_500));
    }
    assertThat(done).isEqualTo(valid);
    if (!valid) {
      held.remove(chosen);
    } else if (kind < 5) {
      remove(message);
    } else if (kind == 5) {
      comeBack(message, now() + 50);
    } else if (kind == 6 && uncounted) {
      message.deliveries--;
      leased.remove(message);
      message.fresh = false;
      message.dueMillis = now();
    } else if (kind == 6) {
      comeBack(message, now());
    } else if (kind == 7) {
      comeBack(message, now() + Math.min(300, BACKOFF_MILLIS << (message.deliveries - 1)));
    } else if (kind == 8) {
      die(message);
    } else {
      message.leaseMillis = now() + 2_500;
      message.extended = true;
    }
  }

  private void peek(Consumer<String> log) {
    log.accept("peek");
    endLeases();
    forgetExpired();
    List<String> expected = ready().stream().map(m -> m.text).toList();
    assertThat(queue.peek(1_000).stream().map(m -> m.message()).toList()).isEqualTo(expected);
  }

  private void redrive(Random random, Consumer<String> log) {
    log.accept("redrive");
    if (queue.size() + deadTexts.size() > SIZE || !freesLeases) {
      return;
    }
    try {
      for (QueuedMessage<String> letter : queue.deadLetters().peek(1_000)) {
        DeadLetter death = letter.deadLetter().orElseThrow();
        boolean chosen = random.nextBoolean();
        long moved = queue.redrive(m -> chosen && m.message().equals(letter.message()), 1_000_000);
        assertThat(moved).isEqualTo(chosen ? 1 : 0);
        if (chosen) {
          deadTexts.remove(letter.message());
          Modelled again = new Modelled();
          again.text = letter.message();
          again.priority = death.group().isPresent() ? 0 : death.priority();
          again.group = death.group().orElse("");
          if (!again.group.isEmpty() && groupIsIdle(again.group)) {
            turns.add(turn(again.group, places));
          }
          again.place = places++;
          messages.add(again);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void reopen(Consumer<String> log, boolean crash) {
    log.accept(crash ? "crash" : "reopen");
    endLeases();
    queue.peek(1); // which ends the leases in the order of the model
    Rockpool pool = crash ? store.crash() : store.reopen();
    queue = open(pool);
    opening++;
    held.clear();
    if (freesLeases) {
      List<Modelled> orphans =
          new ArrayList<>(leased.stream().sorted(Comparator.comparingLong(m -> m.lease)).toList());
      orphans.forEach(message -> comeBack(message, Math.min(now(), message.leaseMillis)));
      queue.peek(1);
    }
  }

  @Override
  public void close() {
    Objects.requireNonNull(queue);
    store.close();
  }
}
