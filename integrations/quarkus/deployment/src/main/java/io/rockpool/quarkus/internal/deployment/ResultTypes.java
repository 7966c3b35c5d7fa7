package io.rockpool.quarkus.internal.deployment;

import io.quarkus.cache.CacheResult;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.PrimitiveType;
import org.jboss.jandex.Type;

/** The types of the values of caches: those that methods with annotations return. */
final class ResultTypes {
  private static final Set<DotName> ASYNC =
      Set.of(name(Uni.class), name(CompletionStage.class), name(CompletableFuture.class));

  private ResultTypes() {}

  private static DotName name(Class<?> type) {
    return DotName.createSimple(type);
  }

  /** The names of classes by the names of caches. */
  static Map<String, List<String>> of(IndexView index) {
    Map<String, List<String>> types = new HashMap<>();
    Collection<AnnotationInstance> results = index.getAnnotations(name(CacheResult.class));
    for (AnnotationInstance result : results) {
      if (result.target().kind() == AnnotationTarget.Kind.METHOD) {
        types
            .computeIfAbsent(result.value("cacheName").asString(), cache -> new ArrayList<>())
            .add(valueType(result.target().asMethod().returnType()));
      }
    }
    return types;
  }

  private static String valueType(Type result) {
    if (result.kind() == Type.Kind.PARAMETERIZED_TYPE && ASYNC.contains(result.name())) {
      return valueType(result.asParameterizedType().arguments().get(0));
    }
    return switch (result.kind()) {
      case PRIMITIVE -> PrimitiveType.box(result.asPrimitiveType()).name().toString();
      case CLASS, PARAMETERIZED_TYPE, ARRAY -> result.name().toString();
      default -> Object.class.getName();
    };
  }
}
