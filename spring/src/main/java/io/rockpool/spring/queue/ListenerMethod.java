package io.rockpool.spring.queue;

import io.rockpool.queue.Delivery;
import io.rockpool.queue.QueueHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.ReflectionUtils;

/** A method that handles messages. */
final class ListenerMethod implements QueueHandler<Object> {
  private final Object bean;
  private final Method method;
  private final RockpoolListener listener;
  private final Class<?> parameter;
  private final boolean takesDelivery;
  private @Nullable ConversionService conversion;

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
    ResolvableType type = ResolvableType.forMethodParameter(annotated, 0);
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
            + ". Give it one parameter: a message of a class without type arguments, or a Delivery"
            + " of one.");
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

  @Override
  public void handle(Delivery<Object> delivery) throws Exception {
    Object argument = delivery;
    if (!takesDelivery) {
      argument = delivery.message();
      argument = conversion == null ? argument : conversion.convert(argument, parameter);
    }
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
