package io.rockpool.spring.queue;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueListener;
import io.rockpool.queue.QueueOptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;

/**
 * Finds the {@link RockpoolListener} methods of all beans, and runs their listeners while the
 * application runs.
 */
public final class RockpoolListeners implements BeanPostProcessor, SmartLifecycle {
  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<ListenerOptions> options;
  private final ObjectProvider<QueueObserver> observers;
  private final List<ListenerMethod> methods = new CopyOnWriteArrayList<>();
  private final List<QueueListener<Object>> running = new ArrayList<>();
  private final Set<String> observed = new HashSet<>();

  /** Looks for methods from now on; listeners start with {@link #start}. */
  public RockpoolListeners(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<ListenerOptions> options,
      ObjectProvider<QueueObserver> observers) {
    this.beans = beans;
    this.options = options;
    this.observers = observers;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Map<Method, RockpoolListener> found =
        MethodIntrospector.selectMethods(
            AopUtils.getTargetClass(bean),
            (Method method) ->
                AnnotatedElementUtils.findMergedAnnotation(method, RockpoolListener.class));
    found.forEach((method, listener) -> methods.add(new ListenerMethod(bean, method, listener)));
    return bean;
  }

  /** Starts a listener for each method. If one cannot be started, none is. */
  @Override
  public synchronized void start() {
    if (!running.isEmpty() || methods.isEmpty()) {
      return;
    }
    try {
      ListenerOptions all = options.getObject();
      methods.forEach(method -> running.add(start(method, all)));
    } catch (RuntimeException e) {
      stop();
      throw e;
    }
  }

  private QueueListener<Object> start(ListenerMethod method, ListenerOptions all) {
    RockpoolListener listener = method.listener();
    method.convertBy(conversion());
    String name = resolved(listener.queue());
    Rockpool pool =
        listener.store().isEmpty()
            ? beans.getBean(Rockpool.class)
            : beans.getBean(listener.store(), Rockpool.class);
    PersistentQueue<Object> queue =
        pool.queue(
            name,
            TypeRef.of(method.messageType()),
            all.queues().getOrDefault(name, QueueOptions.defaults()));
    if (observed.add(listener.store() + "/" + name)) {
      observers.orderedStream().forEach(observer -> observer.opened(queue));
    }
    String concurrency = resolved(listener.concurrency());
    QueueListener.Builder<Object> builder =
        QueueListener.on(queue, method)
            .concurrency(concurrency.isEmpty() ? all.concurrency() : Integer.parseInt(concurrency))
            .maxExtension(all.maxExtension())
            .shutdownTimeout(all.shutdownTimeout());
    if (all.virtualThreads()) {
      builder.virtualThreads();
    }
    QueueErrorHandler errors = errorHandler(listener);
    if (errors != null) {
      builder.onError(errors::handle);
    }
    return builder.start();
  }

  private @Nullable QueueErrorHandler errorHandler(RockpoolListener listener) {
    return listener.errorHandler().isEmpty()
        ? beans.getBeanProvider(QueueErrorHandler.class).getIfUnique()
        : beans.getBean(listener.errorHandler(), QueueErrorHandler.class);
  }

  private ConversionService conversion() {
    ConversionService service = beans.getConversionService();
    return service == null ? DefaultConversionService.getSharedInstance() : service;
  }

  private String resolved(String text) {
    String value = beans.resolveEmbeddedValue(text);
    return value == null ? "" : value;
  }

  /** Stops all listeners, see {@link QueueListener#close}. */
  @Override
  public synchronized void stop() {
    running.forEach(QueueListener::close);
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  @Override
  public boolean isAutoStartup() {
    return methods.isEmpty() || options.getObject().autoStartup();
  }
}
