package io.rockpool.spring.queue;

import io.micrometer.observation.ObservationRegistry;
import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import io.rockpool.queue.BatchHandler;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueListener;
import io.rockpool.queue.QueueOptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Finds the {@link RockpoolListener} methods of all singletons, and runs their listeners while the
 * application runs. The listener of a bean that is made later starts then. Thread-safe.
 */
public final class RockpoolListeners implements BeanPostProcessor, SmartLifecycle {
  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<ListenerOptions> options;
  private final ObjectProvider<QueueObserver> observers;
  private final List<ListenerMethod> methods = new ArrayList<>();
  private final Map<ListenerMethod, QueueListener<Object>> running = new LinkedHashMap<>();
  private final Set<String> observed = ConcurrentHashMap.newKeySet();

  /** Held while all start or stop. A bean may be made then, so making one does not take it. */
  private final Object lifecycle = new Object();

  private boolean started;

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
    Map<Method, RockpoolListener> found = listenerMethods(AopUtils.getTargetClass(bean));
    List<ListenerMethod> added = new ArrayList<>();
    boolean isReady = false;
    try {
      found.forEach((method, listener) -> add(bean, beanName, method, listener, added));
      isReady = true;
    } finally {
      if (!isReady) {
        withdraw(added);
      }
    }
    return bean;
  }

  private void add(
      Object bean,
      String beanName,
      Method method,
      RockpoolListener listener,
      List<ListenerMethod> added) {
    boolean isBean = beans.containsBean(beanName);
    if (isBean && !beans.isSingleton(beanName)) {
      throw refused(beanName, method);
    }
    ListenerMethod made = new ListenerMethod(bean, method, listener);
    added.add(made);
    if (add(made, isBean)) {
      run(made);
    }
  }

  /** Forgets the methods of a bean that could not be made, and ends their listeners. */
  private void withdraw(List<ListenerMethod> added) {
    List<QueueListener<Object>> ended = new ArrayList<>();
    synchronized (this) {
      methods.removeAll(added);
      for (ListenerMethod method : added) {
        QueueListener<Object> listener = running.remove(method);
        if (listener != null) {
          ended.add(listener);
        }
      }
    }
    QueueListener.closeAll(ended);
  }

  private static Map<Method, RockpoolListener> listenerMethods(Class<?> type) {
    return MethodIntrospector.selectMethods(
        type,
        (Method method) ->
            AnnotatedElementUtils.findMergedAnnotation(method, RockpoolListener.class));
  }

  private static IllegalStateException refused(String name, Method method) {
    return new IllegalStateException(
        "The bean \""
            + name
            + "\" is not a singleton, and "
            + method.toGenericString()
            + " is a @RockpoolListener. Move the method to a singleton.");
  }

  /** Beans of a scope are made when they are asked for, which may never happen. */
  private void refuseScoped() {
    for (String name : beans.getBeanDefinitionNames()) {
      BeanDefinition definition = beans.getMergedBeanDefinition(name);
      Class<?> type =
          definition.isSingleton() || definition.isAbstract() ? null : beans.getType(name, false);
      Method method = type == null ? null : anyListenerMethod(type);
      if (method != null) {
        throw refused(name, method);
      }
    }
  }

  private static @Nullable Method anyListenerMethod(Class<?> type) {
    try {
      return listenerMethods(type).keySet().stream().findAny().orElse(null);
    } catch (LinkageError e) {
      return null; // it needs a class that is not there, so it is no bean in use
    }
  }

  /**
   * Adds a method, unless it is late and of no bean, such as of a test's instance.
   *
   * @return whether it has to be run now
   */
  private synchronized boolean add(ListenerMethod method, boolean isBean) {
    if (started && !isBean) {
      return false;
    }
    methods.add(method);
    return started;
  }

  /** Starts a listener for each method. If one cannot be started, none is. */
  @Override
  public void start() {
    synchronized (lifecycle) {
      if (isRunning()) {
        return;
      }
      refuseScoped();
      try {
        begin().forEach(this::run);
      } catch (RuntimeException | Error e) {
        stop();
        throw e;
      }
    }
  }

  private synchronized List<ListenerMethod> begin() {
    started = true;
    return List.copyOf(methods);
  }

  private void run(ListenerMethod method) {
    QueueListener<Object> listener = start(method, options.getObject());
    synchronized (this) {
      if (started) {
        running.put(method, listener);
        return;
      }
    }
    listener.close();
  }

  private QueueListener<Object> start(ListenerMethod method, ListenerOptions all) {
    RockpoolListener listener = method.listener();
    method.convertBy(conversion());
    String name = resolved(listener.queue());
    Rockpool pool =
        listener.store().isEmpty()
            ? beans.getBean(Rockpool.class)
            : beans.getBean(listener.store(), Rockpool.class);
    // A lazy bean may be made in a transaction.
    PersistentQueue<Object> queue =
        Internals.store(pool)
            .outsideTransaction(
                () ->
                    pool.queue(
                        name,
                        TypeRef.of(method.messageType()),
                        o -> all.queues().getOrDefault(name, QueueOptions.defaults())));
    if (observed.add(listener.store() + "/" + name)) {
      observers.orderedStream().forEach(observer -> observer.opened(queue));
    }
    String concurrency = resolved(listener.concurrency());
    QueueErrorHandler errors = errorHandler(listener);
    if (errors != null) {
      method.answerBy(errors);
    }
    QueueListener.Builder<Object> builder =
        handler(queue, method, observed(name, method))
            .concurrency(concurrency.isEmpty() ? all.concurrency() : Integer.parseInt(concurrency))
            .onError(method::fail)
            .maxExtension(all.maxExtension())
            .shutdownTimeout(all.shutdownTimeout());
    if (all.virtualThreads()) {
      builder.virtualThreads();
    }
    return builder.start();
  }

  private QueueListener.Builder<Object> handler(
      PersistentQueue<Object> queue, ListenerMethod method, BatchHandler<Object> calls) {
    String size = resolved(method.listener().batchSize());
    String wait = resolved(method.listener().batchWait());
    if (!method.takesBatch()) {
      if (!size.isEmpty() || !wait.isEmpty()) {
        throw new IllegalStateException(
            method + " sets a batchSize or batchWait and takes one message; let it take a List.");
      }
      return QueueListener.on(queue, delivery -> calls.handle(List.of(delivery)));
    }
    QueueListener.Builder<Object> builder = QueueListener.onBatches(queue, calls);
    if (!size.isEmpty()) {
      builder.batchSize(Integer.parseInt(size));
    }
    if (!wait.isEmpty()) {
      builder.batchWait(DurationFormatterUtils.detectAndParse(wait));
    }
    return builder;
  }

  private BatchHandler<Object> observed(String queue, ListenerMethod method) {
    ObservationRegistry registry = beans.getBeanProvider(ObservationRegistry.class).getIfUnique();
    return batch -> QueueObservations.process(registry, queue, batch, method);
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

  /** Stops all listeners, see {@link QueueListener#closeAll}. */
  @Override
  public void stop() {
    synchronized (lifecycle) {
      QueueListener.closeAll(end());
    }
  }

  private synchronized List<QueueListener<Object>> end() {
    List<QueueListener<Object>> ended = List.copyOf(running.values());
    running.clear();
    started = false;
    return ended;
  }

  @Override
  public synchronized boolean isRunning() {
    return started;
  }

  @Override
  public boolean isAutoStartup() {
    ListenerOptions all = options.getIfAvailable();
    return all == null || all.autoStartup();
  }
}
