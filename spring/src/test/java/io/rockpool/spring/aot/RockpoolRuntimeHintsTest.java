package io.rockpool.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.rocksdb.RocksDbEngine;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;
import org.springframework.stereotype.Component;

final class RockpoolRuntimeHintsTest {
  private static RuntimeHints registered() {
    RuntimeHints hints = new RuntimeHints();
    SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
        .load(RuntimeHintsRegistrar.class)
        .stream()
        .filter(registrar -> registrar instanceof RockpoolRuntimeHints)
        .forEach(registrar -> registrar.registerHints(hints, null));
    return hints;
  }

  @Test
  void theNativeCodeIsKept() {
    RuntimeHints hints = registered();
    String library = RocksDbEngine.nativeLibrary();
    assertThat(getClass().getResource("/" + library)).isNotNull();
    assertThat(RuntimeHintsPredicates.resource().forResource(library)).accepts(hints);
    assertThat(RuntimeHintsPredicates.resource().forResource("other-" + library)).rejects(hints);
  }

  @Test
  void theNativeCodeFindsWhatItCalls() {
    RuntimeHints hints = registered();
    for (String name :
        List.of(
            "org.rocksdb.RocksDBException",
            "org.rocksdb.Status",
            "org.rocksdb.Status$Code",
            "org.rocksdb.WriteBatch$Handler",
            "org.rocksdb.LogFile",
            "java.util.ArrayList")) {
      assertThat(hints.jni().getTypeHint(TypeReference.of(name)))
          .as(name)
          .isNotNull()
          .satisfies(
              hint ->
                  assertThat(hint.getMemberCategories())
                      .contains(
                          MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                          MemberCategory.INVOKE_DECLARED_METHODS));
    }
  }

  @Test
  void whatIsFoundByReflectionIsKept() throws ReflectiveOperationException {
    RuntimeHints hints = registered();
    Field parameters = SimpleKey.class.getDeclaredField("params");
    assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(parameters)).accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onType(TypeReference.of("com.github.benmanes.caffeine.cache.SSMSW"))
                .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
        .accepts(hints);
  }

  record Day(String name) {}

  record Price(Day day, Amount amount) {}

  record Amount(long cents) {}

  static final class Rebate {
    private int percent;

    int percent() {
      return percent;
    }
  }

  record Unrelated(String name) {}

  @Component
  static class Prices {
    @Cacheable("prices")
    public Optional<Price> price(Day day) {
      return Optional.empty();
    }

    @CachePut("rebates")
    public CompletableFuture<List<Rebate>> rebate(String name) {
      return CompletableFuture.completedFuture(List.of());
    }

    public Unrelated unrelated() {
      return new Unrelated("x");
    }
  }

  @Configuration
  @EnableCaching
  static class Application {
    @Bean
    Prices prices() {
      return new Prices();
    }
  }

  @Test
  void whatIsCachedIsKeptWithAllItReaches() throws ReflectiveOperationException {
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(Application.class)), new InMemoryGeneratedFiles());
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(Application.class);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    RuntimeHints hints = generation.getRuntimeHints();
    for (Class<?> type : List.of(Day.class, Price.class, Amount.class)) {
      assertThat(
              RuntimeHintsPredicates.reflection()
                  .onType(type)
                  .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
          .as(type.getName())
          .accepts(hints);
    }
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onFieldAccess(Rebate.class.getDeclaredField("percent")))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(Unrelated.class)).rejects(hints);
  }
}
