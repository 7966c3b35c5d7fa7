package io.rockpool.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.context.NormalScope;
import jakarta.enterprise.context.spi.Context;
import jakarta.enterprise.context.spi.Contextual;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beans of scopes that containers store, as those of sessions, conversations and views. */
final class PassivatedBeansTest {
  /** A scope like that of a session. */
  @NormalScope(passivating = true)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Kept {}

  /** The bean's instances, which can be stored and loaded. */
  static final class KeptContext implements Context {
    private final Map<Contextual<?>, Object> instances = new HashMap<>();

    @Override
    public Class<? extends Annotation> getScope() {
      return Kept.class;
    }

    @Override
    @SuppressWarnings("unchecked") // each under its contextual
    public <T> T get(Contextual<T> bean, CreationalContext<T> creation) {
      return (T) instances.computeIfAbsent(bean, it -> bean.create(creation));
    }

    @Override
    @SuppressWarnings("unchecked") // each under its contextual
    public <T> @Nullable T get(Contextual<T> bean) {
      return (T) instances.get(bean);
    }

    @Override
    public boolean isActive() {
      return true;
    }

    /** Stores and loads all instances. */
    void passivate() {
      instances.replaceAll((bean, instance) -> copied(instance));
    }

    private static Object copied(Object instance) {
      try {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(instance);
        }
        try (ObjectInputStream in =
            new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
          return in.readObject();
        }
      } catch (IOException | ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Adds the scope. */
  static final class KeptExtension implements Extension {
    private final KeptContext context = new KeptContext();

    void addScope(@Observes BeforeBeanDiscovery discovery) {
      discovery.addScope(Kept.class, true, true);
    }

    void addContext(@Observes AfterBeanDiscovery discovery) {
      discovery.addContext(context);
    }
  }

  @Kept
  @CacheDefaults(cacheName = "pages")
  static class Pages implements Serializable {
    private static final long serialVersionUID = 1L;

    private int calls;

    @CacheResult
    public String find(String id) {
      calls++;
      return id + " " + calls;
    }

    @CachePut
    public void put(String id, @CacheValue String page) {}

    @CacheRemove
    public void remove(String id) {}

    @CacheRemoveAll
    public void removeAll() {}
  }

  @Test
  void theyMayHaveTheAnnotations(@TempDir Path directory) {
    CacheAnnotationsTest.Manager.directory = directory;
    KeptExtension kept = new KeptExtension();
    try (SeContainer container =
        SeContainerInitializer.newInstance()
            .disableDiscovery()
            .addExtensions(new CacheAnnotationsExtension(), kept)
            .addBeanClasses(Pages.class, CacheAnnotationsTest.Manager.class)
            .initialize()) {
      Pages pages = container.select(Pages.class).get();
      assertThat(pages.find("a")).isEqualTo("a 1");
      kept.context.passivate();
      assertThat(pages.find("a")).isEqualTo("a 1");
      assertThat(pages.find("b")).isEqualTo("b 2");
      pages.put("a", "put");
      assertThat(pages.find("a")).isEqualTo("put");
      pages.remove("a");
      assertThat(pages.find("a")).isEqualTo("a 3");
      pages.removeAll();
      assertThat(pages.find("b")).isEqualTo("b 4");
      container.select(CacheManager.class).get().close();
    }
  }
}
