package io.rockpool.cdi;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.util.Nonbinding;
import java.lang.annotation.Annotation;
import java.util.List;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;

/**
 * Lets beans of Jakarta CDI have the annotations {@link CacheResult}, {@link CachePut}, {@link
 * CacheRemove} and {@link CacheRemoveAll} of JSR-107. CDI finds it on the class path; nothing is to
 * be declared.
 *
 * <pre>{@code
 * @ApplicationScoped
 * class Books {
 *   @CacheResult(cacheName = "books")
 *   Book find(String isbn) { ... }
 *
 *   @CacheRemove(cacheName = "books")
 *   void changed(String isbn) { ... }
 * }
 * }</pre>
 *
 * <p>Caches are those of a bean of type {@link javax.cache.CacheManager}, if there is one, or of
 * the default manager of the default provider. A cache that is not there is created when its method
 * is first called, with keys and values of any class. As everywhere in CDI, a call of a bean by
 * itself is not intercepted.
 *
 * <p>A key has the method's parameters by their values, or those with {@link
 * javax.cache.annotation.CacheKey}; arrays count as lists. So entries are found again after a
 * restart, and methods with the same parameters share the entries of one cache.
 */
public final class CacheAnnotationsExtension implements Extension {
  private static final List<Class<? extends Annotation>> BINDINGS =
      List.of(CacheResult.class, CachePut.class, CacheRemove.class, CacheRemoveAll.class);

  private static final List<Class<?>> TYPES =
      List.of(
          CacheLookup.class,
          CacheResultInterceptor.class,
          CachePutInterceptor.class,
          CacheRemoveInterceptor.class,
          CacheRemoveAllInterceptor.class);

  void addInterceptors(@Observes BeforeBeanDiscovery discovery) {
    for (Class<? extends Annotation> binding : BINDINGS) {
      discovery
          .configureInterceptorBinding(binding)
          .methods()
          .forEach(member -> member.add(Nonbinding.Literal.INSTANCE));
    }
    for (Class<?> type : TYPES) {
      discovery.addAnnotatedType(type, type.getName());
    }
  }
}
