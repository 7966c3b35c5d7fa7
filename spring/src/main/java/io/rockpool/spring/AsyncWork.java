package io.rockpool.spring;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that return before their work is done, and what follows that work. */
final class AsyncWork {
  private static final boolean HAS_REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Flux", AsyncWork.class.getClassLoader());

  private AsyncWork() {}

  private static @Nullable ReactiveAdapter adapter(Method method, @Nullable Object result) {
    return ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType(), result);
  }

  /** Whether a method returns before its work is done. */
  static boolean isAsynchronous(Method method) {
    return Future.class.isAssignableFrom(method.getReturnType())
        || KotlinDetector.isSuspendingFunction(method)
        || adapter(method, null) != null;
  }

  /** Whether {@link #then} can run something when the work of a method is done. */
  static boolean canFollow(Method method) {
    if (CompletionStage.class.isAssignableFrom(method.getReturnType()) || !isAsynchronous(method)) {
      return true;
    }
    ReactiveAdapter adapter = adapter(method, null);
    return HAS_REACTOR
        && adapter != null
        && !KotlinDetector.isSuspendingFunction(method)
        && method.getReturnType().isAssignableFrom(adapter.getReactiveType());
  }

  /** Whether the work of a method has several results. */
  static boolean hasManyResults(Method method) {
    ReactiveAdapter adapter = adapter(method, null);
    return adapter != null && adapter.isMultiValue();
  }

  /**
   * Runs an action when the work of a method is done, before the receiver of its result sees that.
   * Does not run it if the work fails, or is canceled before its end.
   *
   * @param result what the method has returned
   * @param action gets the result of the work; null if there is none, or several
   * @return what to return instead
   */
  static @Nullable Object then(
      Method method, @Nullable Object result, Consumer<@Nullable Object> action) {
    if (result instanceof CompletionStage<?> stage) {
      return stage.thenApply(
          done -> {
            action.accept(done);
            return done;
          });
    }
    ReactiveAdapter adapter = result == null ? null : adapter(method, result);
    if (adapter == null) {
      action.accept(result);
      return result;
    }
    return Publishers.then(result, adapter, action);
  }

  /** Apart, because its classes may be absent. */
  private static final class Publishers {
    static Object then(
        @Nullable Object result, ReactiveAdapter adapter, Consumer<@Nullable Object> action) {
      return adapter.fromPublisher(
          adapter.isMultiValue()
              ? Flux.from(adapter.toPublisher(result)).doOnComplete(() -> action.accept(null))
              : Mono.fromDirect(adapter.toPublisher(result)).doOnSuccess(action));
    }
  }
}
