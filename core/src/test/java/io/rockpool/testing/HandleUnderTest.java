package io.rockpool.testing;

import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Engine;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.store.Registration;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a memory engine's data, as a process on a server has one. A test delays or loses what
 * is reported to it, runs code in the middle of its calls, and counts them.
 */
public final class HandleUnderTest {
  private static final Set<String> READS =
      Set.of("get", "getAll", "count", "scan", "page", "scanAll", "info", "lease");
  private static final Set<String> WRITES =
      Set.of(
          "put", "putCounted", "delete", "putAll", "deleteAll", "writeLeased", "clear", "expireAt");
  private static final Set<String> TRANSACTIONS = Set.of("transact", "atomically");

  private final MemoryEngine engine;
  private final Engine wrapped;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final Queue<Consumer<ChangeListener>> delayed = new ArrayDeque<>();
  private final Map<String, Runnable> before = new ConcurrentHashMap<>();
  private final Map<String, Runnable> after = new ConcurrentHashMap<>();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong largestReadBytes = new AtomicLong();
  private volatile boolean changed;
  private boolean delays;
  private boolean lost;

  /** A handle of the data of {@code engine}, which it closes. */
  public HandleUnderTest(MemoryEngine engine) {
    this.engine = engine;
    this.wrapped = wrapped(Engine.class, engine);
    Registration unused = engine.onChange(new Receiving());
  }

  /** Another handle of the same data. */
  public HandleUnderTest another() {
    return new HandleUnderTest(engine.openAnother());
  }

  /** The engine to open a store on. */
  public Engine engine() {
    return wrapped;
  }

  /** Waits until every earlier change of the other handles was received. */
  public void settle() {
    try {
      engine.awaitReports();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** From now on reports wait for {@link #deliver}. */
  public synchronized void delay() {
    delays = true;
  }

  /** Delivers what was delayed; from now on reports arrive at once. */
  public void deliver() {
    settle();
    synchronized (this) {
      delays = false;
      Consumer<ChangeListener> next;
      while ((next = delayed.poll()) != null) {
        listeners.forEach(next);
      }
    }
  }

  /** Loses the feed: reports are dropped, those that were delayed as well. */
  public synchronized void lose() {
    lost = true;
    delayed.clear();
    listeners.forEach(ChangeListener::feedLost);
  }

  /** Regains the feed. */
  public void regain() {
    settle();
    synchronized (this) {
      lost = false;
      listeners.forEach(ChangeListener::feedRegained);
    }
  }

  /** Runs code once before the next call of a method of the engine or a space. */
  public void before(String method, Runnable code) {
    before.put(method, code);
  }

  /** Runs code once after the next call of a method of the engine or a space, before it returns. */
  public void after(String method, Runnable code) {
    after.put(method, code);
  }

  /**
   * How many round trips an engine on a server would have needed for the data so far: one for each
   * read, write, batch or {@link RecordWrite}, and for the commit of a transaction that changed
   * something. The changes of a transaction are sent with its commit.
   */
  public long roundTrips() {
    return roundTrips.get();
  }

  /** The most bytes of values that one read of a range in a transaction has returned so far. */
  public long largestReadBytes() {
    return largestReadBytes.get();
  }

  private void noteRead(@Nullable Object result) {
    List<?> records = result instanceof Row.Page page ? page.records() : List.of();
    records = result instanceof List<?> list ? list : records;
    long bytes = 0;
    for (Object record : records) {
      bytes += record instanceof RowRecord read ? read.value().length : 0;
    }
    largestReadBytes.accumulateAndGet(bytes, Math::max);
  }

  private synchronized void receive(Consumer<ChangeListener> report) {
    if (lost) {
      return;
    }
    if (delays) {
      delayed.add(report);
    } else {
      listeners.forEach(report);
    }
  }

  private <T> T wrapped(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            Proxied.interfaces(type),
            (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (name.equals("onChange") && arguments != null) {
      return listen((ChangeListener) arguments[0]);
    }
    run(before.remove(name));
    boolean changes = WRITES.contains(name);
    if (READS.contains(name) || (changes && target instanceof Space && !engine.inTransaction())) {
      roundTrips.incrementAndGet();
    }
    changed |= changes;
    try {
      Object result =
          TRANSACTIONS.contains(name) && arguments != null
              ? transact(target, method, arguments)
              : method.invoke(target, arguments);
      noteRead(target instanceof Row ? result : null);
      run(after.remove(name));
      return result instanceof Space space ? wrapped(Space.class, space) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Runs a transaction of the engine or of a space. */
  private @Nullable Object transact(Object target, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    boolean joins = engine.inTransaction();
    boolean changedBefore = changed;
    changed = false;
    Object work = arguments[arguments.length - 1];
    if (work instanceof RecordWrite || work instanceof LeasedWrite) {
      changed = true; // the server reads and writes
      roundTrips.addAndGet(joins ? 1 : 0); // inside a transaction it is a read
    } else if (work instanceof RowTransaction<?> transaction) {
      arguments[arguments.length - 1] =
          (RowTransaction<?>) row -> transaction.run(wrapped(Row.class, row));
    }
    Object result = method.invoke(target, arguments);
    roundTrips.addAndGet(changed && !joins ? 1 : 0);
    changed = joins && (changed || changedBefore);
    return result;
  }

  private synchronized Registration listen(ChangeListener listener) {
    listeners.add(listener);
    if (lost) {
      listener.feedLost();
    }
    return () -> listeners.remove(listener);
  }

  private static void run(@Nullable Runnable code) {
    if (code != null) {
      code.run();
    }
  }

  /** Receives what the engine reports. */
  private final class Receiving implements ChangeListener {
    @Override
    public void rowChanged(String space, byte[] hashKey) {
      receive(listener -> listener.rowChanged(space, hashKey));
    }

    @Override
    public void spaceChanged(String space) {
      receive(listener -> listener.spaceChanged(space));
    }

    @Override
    public void spaceEnded(String space) {
      receive(listener -> listener.spaceEnded(space));
    }

    @Override
    public void feedLost() {
      lose();
    }

    @Override
    public void feedRegained() {
      regain();
    }
  }
}
