package io.rockpool.spring.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Closes what it was given when every other bean has been destroyed: a bean's last act may still
 * use a cache, without depending on it as far as Spring knows.
 *
 * <p>Beans are destroyed in the reverse of the order in which they were made, and those that
 * process the bean factory, as this one claims to, are made before all others.
 */
final class ClosedLast implements BeanFactoryPostProcessor, DisposableBean {
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();

  /** Will close a resource, before those that it was given earlier. */
  synchronized <R extends AutoCloseable> R add(R resource) {
    resources.push(resource);
    return resource;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
    // There only to be made early.
  }

  @Override
  public synchronized void destroy() throws Exception {
    if (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } finally {
        destroy(); // one that fails to close does not keep the others open
      }
    }
  }
}
