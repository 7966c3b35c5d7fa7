package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A deque with expiring elements and its model, a list. */
final class DequeWorld implements ModelCheck.World {
  private static final int NAMES = 12;

  private final StoreUnderTest store;
  private final StructureOptions options;
  private final int capacity;
  private final List<Item> model = new ArrayList<>();
  private long wholeExpiry = Expiry.NEVER;
  private PersistentDeque<String> deque;
  private Random random = new Random();

  private record Item(String name, long expiryMillis) {}

  /** A new world; with a capacity of 0, the deque is not bounded. */
  DequeWorld(StoreUnderTest store, int capacity) {
    this.store = store;
    this.capacity = capacity == 0 ? Integer.MAX_VALUE : capacity;
    this.options =
        capacity == 0
            ? StructureOptions.defaults()
            : StructureOptions.defaults().capacity(capacity);
    this.deque = open();
  }

  private PersistentDeque<String> open() {
    return store.pool().deque("model", TypeRef.of(String.class), o -> options);
  }

  private List<String> names() {
    return model.stream().map(Item::name).toList();
  }

  private String name() {
    return "n" + random.nextInt(NAMES);
  }

  private boolean isFull() {
    return model.size() >= capacity;
  }

  @Override
  public void step(Random drawn, Consumer<String> log) {
    random = drawn;
    int operation = random.nextInt(27);
    log.accept("operation " + operation + " on " + names());
    step(operation);
    dropExpired();
    assertThat(deque.isEmpty()).isEqualTo(model.isEmpty());
    if (random.nextInt(4) == 0) {
      assertThat(deque).containsExactlyElementsOf(names());
      List<String> backward = new ArrayList<>(names());
      Collections.reverse(backward);
      List<String> seen = new ArrayList<>();
      deque.descendingIterator().forEachRemaining(seen::add);
      assertThat(seen).isEqualTo(backward);
    }
  }

  private void dropExpired() {
    if (Expiry.isPast(wholeExpiry, store.clock)) {
      model.clear();
      wholeExpiry = Expiry.NEVER;
    }
    model.removeIf(item -> Expiry.isPast(item.expiryMillis(), store.clock));
  }

  private void step(int operation) {
    switch (operation) {
      case 0, 1 -> offer(FIRST);
      case 2, 3, 4 -> offer(LAST);
      case 5, 6 -> assertThat(deque.pollFirst()).isEqualTo(polled(0));
      case 7 -> assertThat(deque.pollLast()).isEqualTo(polled(model.size() - 1));
      case 8 -> {
        assertThat(deque.peekFirst()).isEqualTo(model.isEmpty() ? null : model.get(0).name());
        assertThat(deque.peekLast())
            .isEqualTo(model.isEmpty() ? null : model.get(model.size() - 1).name());
      }
      case 9 -> get();
      case 10 -> set();
      case 11, 12 -> insert();
      case 13 -> insertBeside();
      case 14 -> removeOccurrence();
      case 15 -> iterate();
      case 16 -> trim();
      case 17 -> pollMany();
      case 18 -> addMany();
      case 19 -> store.clock.advanceMillis(random.nextInt(30));
      case 20 -> rotate();
      case 21 -> range();
      case 22 -> indices();
      case 23 -> removeOccurrences();
      case 24 -> putExpiring();
      case 25 -> offerIfNotEmpty();
      default -> seldom();
    }
  }

  private void seldom() {
    switch (random.nextInt(12)) {
      case 0 -> {
        deque.clear();
        model.clear();
      }
      case 1 -> {
        store.reopen();
        deque = open();
      }
      case 2 -> {
        store.crash();
        deque = open();
      }
      case 3 -> {
        Duration ttl = Duration.ofMillis(random.nextInt(60));
        deque.clearAfter(ttl);
        wholeExpiry = Expiry.after(store.clock, ttl);
      }
      case 4, 5 -> {
        store.pool().reclaim();
        dropExpired();
        assertThat(deque).hasSize(model.size());
      }
      default -> assertThat(deque.remainingCapacity()).isEqualTo(capacity - bounded());
    }
  }

  private int bounded() {
    return capacity == Integer.MAX_VALUE ? 0 : model.size();
  }

  private void offer(DequeEnd end) {
    String name = name();
    boolean expiring = random.nextInt(4) == 0;
    Duration ttl = Duration.ofMillis(random.nextInt(100));
    boolean offered;
    if (expiring) {
      offered =
          end == FIRST ? deque.offerFirstExpiring(name, ttl) : deque.offerLastExpiring(name, ttl);
    } else {
      offered = end == FIRST ? deque.offerFirst(name) : deque.offerLast(name);
    }
    long expiryMillis = expiring ? store.clock.millis() + ttl.toMillis() : Expiry.NEVER;
    if (expiring && ttl.isZero()) {
      assertThat(offered).isTrue();
      return;
    }
    assertThat(offered).isEqualTo(!isFull());
    if (offered) {
      model.add(end == FIRST ? 0 : model.size(), new Item(name, expiryMillis));
    }
  }

  private String polled(int index) {
    return model.isEmpty() ? null : model.remove(index).name();
  }

  /** An index, from either end, or one just outside. */
  private int index() {
    return random.nextInt(2 * model.size() + 3) - model.size() - 1;
  }

  /** The place of an index in the model. */
  private int place(int index) {
    return index < 0 ? index + model.size() : index;
  }

  private boolean isOutside(int index) {
    return place(index) < 0 || place(index) >= model.size();
  }

  private void get() {
    int index = index();
    if (isOutside(index)) {
      assertThatThrownBy(() -> deque.get(index)).isInstanceOf(IndexOutOfBoundsException.class);
    } else {
      assertThat(deque.get(index)).isEqualTo(model.get(place(index)).name());
    }
  }

  private void set() {
    int index = index();
    String name = name();
    if (isOutside(index)) {
      assertThatThrownBy(() -> deque.set(index, name))
          .isInstanceOf(IndexOutOfBoundsException.class);
    } else {
      assertThat(deque.set(index, name))
          .isEqualTo(model.set(place(index), new Item(name, Expiry.NEVER)).name());
    }
  }

  private void insert() {
    int index = random.nextInt(model.size() + 1);
    String name = name();
    if (isFull()) {
      assertThatThrownBy(() -> deque.insert(index, name)).isInstanceOf(IllegalStateException.class);
    } else {
      // At one place again and again, so that there is no room left between two positions.
      int times = random.nextInt(8) == 0 ? Math.min(40, capacity - model.size()) : 1;
      for (int i = 0; i < times; i++) {
        deque.insert(index, name);
        model.add(index, new Item(name, Expiry.NEVER));
      }
    }
  }

  private void insertBeside() {
    String pivot = name();
    String name = name();
    boolean before = random.nextBoolean();
    int index = names().indexOf(pivot);
    if (index >= 0 && isFull()) {
      assertThatThrownBy(() -> deque.insertBefore(pivot, name))
          .isInstanceOf(IllegalStateException.class);
      return;
    }
    boolean inserted = before ? deque.insertBefore(pivot, name) : deque.insertAfter(pivot, name);
    assertThat(inserted).isEqualTo(index >= 0);
    if (inserted) {
      model.add(before ? index : index + 1, new Item(name, Expiry.NEVER));
    }
  }

  private void removeOccurrence() {
    String name = name();
    assertThat(deque.contains(name)).isEqualTo(names().contains(name));
    boolean first = random.nextBoolean();
    int index = first ? names().indexOf(name) : names().lastIndexOf(name);
    assertThat(first ? deque.removeFirstOccurrence(name) : deque.removeLastOccurrence(name))
        .isEqualTo(index >= 0);
    if (index >= 0) {
      model.remove(index);
    }
  }

  private void iterate() {
    boolean forward = random.nextBoolean();
    Iterator<String> iterator = forward ? deque.iterator() : deque.descendingIterator();
    List<Item> order = new ArrayList<>(model);
    if (!forward) {
      Collections.reverse(order);
    }
    for (Item item : order) {
      assertThat(iterator.next()).isEqualTo(item.name());
      if (random.nextInt(5) == 0) {
        iterator.remove();
        removeInstance(item);
      }
    }
    assertThat(iterator.hasNext()).isFalse();
  }

  private void trim() {
    int from = random.nextBoolean() ? random.nextInt(3) : random.nextInt(3) - model.size() - 1;
    int to = random.nextBoolean() ? model.size() - random.nextInt(3) : -random.nextInt(1, 4);
    List<Item> kept = part(from, to);
    assertThat(deque.trim(from, to)).isEqualTo(model.size() - kept.size());
    model.clear();
    model.addAll(kept);
  }

  /** The part of the model between two indices, from either end. */
  private List<Item> part(int from, int to) {
    int low = Math.min(Math.max(0, place(from)), model.size());
    int high = Math.min(Math.max(low, place(to)), model.size());
    return List.copyOf(model.subList(low, high));
  }

  private void range() {
    int from = index();
    int to = index();
    assertThat(deque.range(from, to)).isEqualTo(part(from, to).stream().map(Item::name).toList());
  }

  private void indices() {
    String name = name();
    assertThat(deque.indexOf(name)).isEqualTo(names().indexOf(name));
    assertThat(deque.lastIndexOf(name)).isEqualTo(names().lastIndexOf(name));
    DequeEnd from = random.nextBoolean() ? FIRST : LAST;
    int rank = 1 + random.nextInt(3);
    int count = random.nextInt(4);
    assertThat(deque.indicesOf(name, from, rank, count))
        .isEqualTo(found(name, from).skip(rank - 1).limit(count).map(i -> (long) i).toList());
  }

  /** The places of a name in the model, in the order of a search. */
  private Stream<Integer> found(String name, DequeEnd from) {
    int size = model.size();
    return IntStream.range(0, size)
        .mapToObj(i -> from == FIRST ? i : size - 1 - i)
        .filter(i -> model.get(i).name().equals(name));
  }

  private void removeOccurrences() {
    String name = name();
    DequeEnd from = random.nextBoolean() ? FIRST : LAST;
    long count = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(3);
    List<Item> removed = found(name, from).limit(count).map(model::get).toList();
    assertThat(deque.removeOccurrences(name, from, count)).isEqualTo(removed.size());
    removed.forEach(this::removeInstance);
  }

  /** Sets or inserts an element with a time to live, which may be zero. */
  private void putExpiring() {
    if (model.isEmpty() || isFull()) {
      return;
    }
    Duration ttl = Duration.ofMillis(random.nextInt(4) * 20L);
    Item item = new Item(name(), Expiry.after(store.clock, ttl));
    int place = random.nextInt(model.size());
    int pivot = names().indexOf(model.get(place).name());
    int inserted = place;
    switch (random.nextInt(4)) {
      case 0 -> {
        assertThat(deque.set(place, item.name(), ttl)).isEqualTo(model.remove(place).name());
      }
      case 1 -> deque.insert(place, item.name(), ttl);
      case 2 -> {
        assertThat(deque.insertBefore(model.get(place).name(), item.name(), ttl)).isTrue();
        inserted = pivot;
      }
      default -> {
        assertThat(deque.insertAfter(model.get(place).name(), item.name(), ttl)).isTrue();
        inserted = pivot + 1;
      }
    }
    if (!ttl.isZero()) {
      model.add(inserted, item);
    }
  }

  private void offerIfNotEmpty() {
    String name = name();
    boolean first = random.nextBoolean();
    boolean fits = !model.isEmpty() && !isFull();
    assertThat(first ? deque.offerFirstIfNotEmpty(name) : deque.offerLastIfNotEmpty(name))
        .isEqualTo(fits);
    if (fits) {
      model.add(first ? 0 : model.size(), new Item(name, Expiry.NEVER));
    }
  }

  private void pollMany() {
    int count = random.nextInt(6);
    boolean first = random.nextBoolean();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count && !model.isEmpty(); i++) {
      expected.add(polled(first ? 0 : model.size() - 1));
    }
    if (first && random.nextBoolean()) {
      List<String> drained = new ArrayList<>();
      assertThat(deque.drainTo(drained, count)).isEqualTo(expected.size());
      assertThat(drained).isEqualTo(expected);
    } else {
      assertThat(first ? deque.pollFirst(count) : deque.pollLast(count)).isEqualTo(expected);
    }
  }

  private void addMany() {
    List<String> names = IntStream.range(0, random.nextInt(6)).mapToObj(i -> name()).toList();
    int fitting = Math.max(0, Math.min(names.size(), capacity - model.size()));
    if (fitting < names.size()) {
      assertThatThrownBy(() -> deque.addAll(names)).isInstanceOf(IllegalStateException.class);
    } else {
      assertThat(deque.addAll(names)).isEqualTo(!names.isEmpty());
    }
    names.subList(0, fitting).forEach(name -> model.add(new Item(name, Expiry.NEVER)));
  }

  private void rotate() {
    Item first = model.isEmpty() ? null : model.remove(0);
    assertThat(deque.moveFirstTo(deque, LAST)).isEqualTo(first == null ? null : first.name());
    if (first != null) {
      model.add(first);
    }
  }

  @SuppressWarnings("ReferenceEquality") // of equal items, this one
  private void removeInstance(Item item) {
    model.removeIf(other -> other == item);
  }

  @Override
  public void close() {
    store.close();
  }
}
