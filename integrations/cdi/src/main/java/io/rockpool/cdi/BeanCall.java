package io.rockpool.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractInternalCacheInvocationContext;
import org.jsr107.ri.annotations.AbstractInternalCacheKeyInvocationContext;
import org.jsr107.ri.annotations.StaticCacheInvocationContext;
import org.jsr107.ri.annotations.StaticCacheKeyInvocationContext;

/** A call of a method of a bean. */
final class BeanCall {
  private final InvocationContext context;
  private final Class<?> beanClass;

  /** What the method has thrown. */
  private @Nullable Throwable failure;

  private BeanCall(InvocationContext context, Class<?> beanClass) {
    this.context = context;
    this.beanClass = beanClass;
  }

  /** What an interceptor does with a call. */
  interface Interception {
    @Nullable Object of(BeanCall call) throws Throwable;
  }

  /**
   * Makes a call. What the method throws reaches its caller, also if the cache throws after it.
   *
   * @param beanClass the class of the bean, without what the container has made of it
   */
  static @Nullable Object make(
      InvocationContext context, Class<?> beanClass, Interception interception) throws Throwable {
    BeanCall call = new BeanCall(context, beanClass);
    try {
      return interception.of(call);
    } catch (Throwable e) {
      Throwable own = call.failure;
      if (own == null || e.equals(own)) {
        throw e;
      }
      own.addSuppressed(e);
      throw own;
    }
  }

  InvocationContext context() {
    return context;
  }

  Class<?> beanClass() {
    return beanClass;
  }

  @Nullable Object proceed() throws Exception {
    try {
      return context.proceed();
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
  }

  /** A call as key generators see it. */
  static final class Keyed<A extends Annotation>
      extends AbstractInternalCacheKeyInvocationContext<BeanCall, A> {
    Keyed(StaticCacheKeyInvocationContext<A> method, BeanCall call) {
      super(method, call);
    }

    @Override
    protected Object[] getParameters(BeanCall call) {
      return call.context.getParameters();
    }

    @Override
    protected Method getMethod(BeanCall call) {
      return call.context.getMethod();
    }

    @Override
    protected Object getTarget(BeanCall call) {
      return call.context.getTarget();
    }
  }

  /** A call that has no key. */
  static final class Unkeyed<A extends Annotation>
      extends AbstractInternalCacheInvocationContext<BeanCall, A> {
    Unkeyed(StaticCacheInvocationContext<A> method, BeanCall call) {
      super(method, call);
    }

    @Override
    protected Object[] getParameters(BeanCall call) {
      return call.context.getParameters();
    }

    @Override
    protected Method getMethod(BeanCall call) {
      return call.context.getMethod();
    }

    @Override
    protected Object getTarget(BeanCall call) {
      return call.context.getTarget();
    }
  }
}
