package io.rockpool.spring.queue;

import io.rockpool.queue.BatchHandler;
import io.rockpool.queue.Delivery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.ReflectionUtils;

/** A method that handles messages. */
final class ListenerMethod implements BatchHandler<Object> {
  private final Object bean;
  private final Method method;
  private final RockpoolListener listener;
  private final Class<?> parameter;
  private final boolean takesBatch;
  private final boolean takesDelivery;
  private @Nullable ConversionService conversion;
  private QueueErrorHandler errors = ListenerMethod::retry;

  /**
   * Checks the method.
   *
   * @throws IllegalStateException if it does not have one parameter of a class
   */
  ListenerMethod(Object bean, Method annotated, RockpoolListener listener) {
    this.bean = bean;
    this.method = AopUtils.selectInvocableMethod(annotated, bean.getClass());
    this.listener = listener;
    if (annotated.getParameterCount() != 1) {
      throw refused(annotated, "has " + annotated.getParameterCount() + " parameters");
    }
    ResolvableType all = ResolvableType.forMethodParameter(annotated, 0);
    this.takesBatch = all.toClass().equals(List.class);
    ResolvableType type = takesBatch ? all.getGeneric(0) : all;
    this.takesDelivery = type.toClass().equals(Delivery.class);
    ResolvableType message = takesDelivery ? type.getGeneric(0) : type;
    Class<?> resolved = message.resolve();
    if (resolved == null || message.hasGenerics()) {
      throw refused(annotated, "takes messages of the type " + message);
    }
    this.parameter = resolved;
    ReflectionUtils.makeAccessible(method);
  }

  private static IllegalStateException refused(Method method, String why) {
    return new IllegalStateException(
        "The method "
            + method.toGenericString()
            + " is a @RockpoolListener and "
            + why
            + ". Give it one parameter: a message of a class without type arguments, a Delivery of"
            + " one, or a List of either.");
  }

  RockpoolListener listener() {
    return listener;
  }

  /** The type of the queue's messages. */
  @SuppressWarnings("unchecked") // the queue's type decides what it returns
  Class<Object> messageType() {
    return (Class<Object>) (listener.type() == void.class ? parameter : listener.type());
  }

  /** Sets what converts messages to the parameter. */
  void convertBy(ConversionService service) {
    if (!takesDelivery && !parameter.isAssignableFrom(messageType())) {
      if (!service.canConvert(messageType(), parameter)) {
        throw new IllegalStateException(
            "Messages of "
                + messageType()
                + " cannot be converted for "
                + method
                + ". Register a Converter, or take the messages as they are.");
      }
      conversion = service;
    }
  }

  /** Sets what decides about messages that cannot be handled. */
  void answerBy(QueueErrorHandler handler) {
    errors = handler;
  }

  /**
   * Decides about a message that was not handled, by the error of its own conversion if it has one.
   */
  void fail(Delivery<Object> delivery, Exception failure) {
    Exception own = takesBatch ? conversionFailure(delivery) : null;
    errors.handle(delivery, own == null ? failure : own);
  }

  private @Nullable Exception conversionFailure(Delivery<Object> delivery) {
    try {
      Object unused = argument(delivery);
      return null;
    } catch (ConversionException e) {
      return e;
    }
  }

  private static void retry(Delivery<?> delivery, Exception failure) {
    boolean unused = delivery.retry(failure.toString());
  }

  /** Whether the method handles several messages at once. */
  boolean takesBatch() {
    return takesBatch;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A message that cannot be converted fails by itself: those that the method handled are
   * acknowledged before this throws.
   */
  @Override
  public void handle(List<Delivery<Object>> batch) throws Exception {
    if (!takesBatch) {
      call(argument(batch.get(0)));
      return;
    }
    List<@Nullable Object> arguments = new ArrayList<>(batch.size());
    List<Delivery<Object>> converted = new ArrayList<>(batch.size());
    ConversionException failure = null;
    for (Delivery<Object> delivery : batch) {
      try {
        arguments.add(argument(delivery));
        converted.add(delivery);
      } catch (ConversionException e) {
        failure = e;
      }
    }
    if (!arguments.isEmpty()) {
      call(Collections.unmodifiableList(arguments));
    }
    if (failure != null) {
      converted.forEach(Delivery::acknowledge);
      throw failure;
    }
  }

  private @Nullable Object argument(Delivery<Object> delivery) {
    if (takesDelivery) {
      return delivery;
    }
    Object message = delivery.message();
    return conversion == null ? message : conversion.convert(message, parameter);
  }

  private void call(@Nullable Object argument) throws Exception {
    try {
      method.invoke(bean, argument);
    } catch (InvocationTargetException e) {
      if (e.getTargetException() instanceof Exception failure) {
        throw failure;
      }
      if (e.getTargetException() instanceof Error failure) {
        throw failure;
      }
      throw e;
    }
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
