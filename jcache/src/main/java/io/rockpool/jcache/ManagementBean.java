package io.rockpool.jcache;

import io.rockpool.jcache.internal.config.StoreLocation;
import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One bean of a cache, and whether it is registered with the platform's server. */
final class ManagementBean implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagementBean.class);

  private final Object bean;
  private final ObjectName name;
  private boolean registered;
  private boolean closed;

  /** A bean of the given type: {@code CacheStatistics} or {@code CacheConfiguration}. */
  ManagementBean(Object bean, String type, URI manager, String cache) {
    this.bean = bean;
    String text =
        "javax.cache:type="
            + type
            + ",CacheManager="
            + plain(StoreLocation.shown(manager))
            + ",Cache="
            + named(cache);
    try {
      this.name = new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new CacheException(
          "A cache named \"" + cache + "\" cannot be managed: " + e.getMessage(), e);
    }
  }

  /** A name without the characters that mean something to the server. */
  private static String plain(String name) {
    return name.replaceAll("[:=,\n*?\"]", ".");
  }

  /** The name of a cache: in quotes where it has such characters, so that no two are equal. */
  private static String named(String cache) {
    return plain(cache).equals(cache) ? cache : ObjectName.quote(cache);
  }

  /** Registers the bean or removes it; once closed it is never registered again. */
  synchronized void enable(boolean wanted) {
    boolean on = wanted && !closed;
    if (on != registered) {
      try {
        if (on) {
          register();
        } else {
          unregister();
        }
      } catch (JMException e) {
        throw new CacheException(
            "The bean " + name + " could not be " + (on ? "registered." : "removed."), e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    enable(false);
  }

  private void register() throws JMException {
    try {
      server().registerMBean(bean, name);
      registered = true;
    } catch (InstanceAlreadyExistsException e) {
      LOG.warn(
          "{} is taken by another cache of that name and URI; this one cannot be seen there", name);
    }
  }

  private void unregister() throws JMException {
    registered = false;
    try {
      server().unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} was removed by someone else", name);
    }
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }
}
