package io.rockpool.codec;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * The classes that a store never learns, because decoding them, or using an object that holds them,
 * runs code: parts of known gadget chains, and objects that represent code or resources of this
 * process.
 */
final class DeniedClasses {
  private static final List<String> PREFIXES =
      List.of(
          "bsh.",
          "ch.qos.logback.core.db.",
          "clojure.",
          "com.mchange.",
          "com.rometools.",
          "com.sun.",
          "com.vaadin.data.util.",
          "com.zaxxer.hikari.",
          "groovy.",
          "java.",
          "javax.management.",
          "javax.naming.",
          "javax.script.",
          "javax.swing.",
          "jdk.",
          "net.sf.ehcache.transaction.",
          "net.sf.json.",
          "org.aspectj.",
          "org.apache.bcel.",
          "org.apache.click.control.",
          "org.apache.commons.beanutils.",
          "org.apache.commons.collections.",
          "org.apache.commons.collections4.",
          "org.apache.commons.configuration.",
          "org.apache.commons.dbcp",
          "org.apache.commons.fileupload.",
          "org.apache.commons.jelly.",
          "org.apache.myfaces.",
          "org.apache.wicket.util.",
          "org.apache.xalan.",
          "org.apache.xbean.naming.",
          "org.codehaus.groovy.",
          "org.hibernate.engine.spi.TypedValue",
          "org.hibernate.tuple.component.",
          "org.hibernate.property.",
          "org.hibernate.proxy.", // which is read without its session, and can load nothing
          "org.jboss.interceptor.",
          "org.jboss.weld.interceptor.",
          "org.mozilla.javascript.",
          "org.python.",
          "org.reflections.",
          "org.springframework.aop.",
          "org.springframework.beans.factory.",
          "org.springframework.core.SerializableTypeWrapper",
          "org.springframework.jndi.",
          "org.springframework.transaction.jta.",
          "sun.");

  private DeniedClasses() {}

  static boolean isDenied(Class<?> type) {
    return type.isHidden()
        || type.isSynthetic()
        || Proxy.isProxyClass(type)
        || InvocationHandler.class.isAssignableFrom(type)
        || ClassLoader.class.isAssignableFrom(type)
        || Thread.class.isAssignableFrom(type)
        || isDenied(type.getName());
  }

  static boolean isDenied(String name) {
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
