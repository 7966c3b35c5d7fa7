package io.rockpool.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractInternalCacheInvocationContext;
import org.jsr107.ri.annotations.AbstractInternalCacheKeyInvocationContext;
import org.jsr107.ri.annotations.StaticCacheInvocationContext;
import org.jsr107.ri.annotations.StaticCacheKeyInvocationContext;

/**
 * A call of a method of a bean.
 *
 * @param context the call
 * @param beanClass the class of the bean, without what the container has made of it
 */
record BeanCall(InvocationContext context, Class<?> beanClass) {
  @Nullable Object proceed() throws Exception {
    return context.proceed();
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
