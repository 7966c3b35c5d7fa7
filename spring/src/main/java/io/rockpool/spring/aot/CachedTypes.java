package io.rockpool.spring.aot;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Keeps what values and keys of caches are made of: what methods of beans return that are annotated
 * with {@link Cacheable} or {@link CachePut}, and their parameters, with all that these reach. Of a
 * return type such as {@code Object}, and of values that code puts into caches itself, nothing is
 * known: they want a hint of the application's, {@code @RegisterReflectionForBinding}.
 */
final class CachedTypes implements BeanRegistrationAotProcessor {
  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Set<Type> types = new LinkedHashSet<>();
    for (Method method : ReflectionUtils.getAllDeclaredMethods(bean.getBeanClass())) {
      if (isCached(method)) {
        types.add(method.getGenericReturnType());
        Stream.of(method.getGenericParameterTypes()).forEach(types::add);
      }
    }
    return types.isEmpty()
        ? null
        : (context, code) ->
            new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                    context.getRuntimeHints().reflection(), types.toArray(Type[]::new));
  }

  private static boolean isCached(Method method) {
    MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    return annotations.isPresent(Cacheable.class) || annotations.isPresent(CachePut.class);
  }
}
