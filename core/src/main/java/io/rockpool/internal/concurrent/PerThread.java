package io.rockpool.internal.concurrent;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object for each thread. Unlike a {@link ThreadLocal}, it keeps no class loader: a thread
 * outlives an application, such as a WAR, and refers to the object weakly only. The object is kept
 * until its thread has been collected.
 */
public final class PerThread<T> {
  private final Supplier<T> maker;

  @SuppressWarnings("ThreadLocalUsage") // this object is in a static field
  private final ThreadLocal<@Nullable WeakReference<T>> ofThread = new ThreadLocal<>();

  private final Map<Thread, T> all = Collections.synchronizedMap(new WeakHashMap<>());

  /** {@code maker} makes the object of a thread, which must not refer to the thread. */
  public PerThread(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The object of the current thread, made if there is none. */
  public T get() {
    WeakReference<T> known = ofThread.get();
    @Nullable T object = known == null ? null : known.get();
    return object == null ? make() : object;
  }

  private T make() {
    T made = maker.get();
    all.put(Thread.currentThread(), made);
    ofThread.set(new WeakReference<>(made));
    return made;
  }
}
