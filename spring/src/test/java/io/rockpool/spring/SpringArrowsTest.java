package io.rockpool.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may import whom in this module, and what of the others. */
final class SpringArrowsTest {
  private static final JavaClasses MODULE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages("io.rockpool.spring");

  private static final List<String> COMMON =
      List.of(
          "java..",
          "org.jspecify.annotations",
          "io.rockpool",
          "io.rockpool.cache",
          "io.rockpool.codec",
          "io.rockpool.engine",
          "io.rockpool.engine.rocksdb",
          "io.rockpool.error",
          "io.rockpool.internal.access",
          "io.rockpool.queue",
          "io.rockpool.store",
          "io.rockpool.spring",
          "org.springframework.cache..",
          "org.springframework.util..");

  /** And Reactor, in a class that is used where it is there. */
  @Test
  void theCacheAndItsManagerKnowSpringFramework() {
    check(
        "io.rockpool.spring",
        "org.aopalliance..",
        "org.springframework.aop..",
        "org.springframework.beans.factory",
        "org.springframework.beans.factory.config",
        "org.springframework.context",
        "org.springframework.context.event",
        "org.springframework.context.expression",
        "org.springframework.core",
        "org.springframework.core.annotation",
        "org.springframework.expression..",
        "org.springframework.format.datetime.standard",
        "org.springframework.transaction.support",
        "org.reactivestreams",
        "reactor.core.publisher",
        "reactor.util.context",
        "org.slf4j");
  }

  @Test
  void metricsKnowMicrometerAndBootsInterface() {
    check(
        "io.rockpool.spring.metrics",
        "io.micrometer.core.instrument..",
        "org.springframework.boot.cache.metrics");
  }

  @Test
  void transactionsKnowSpringsTransactions() {
    check(
        "io.rockpool.spring.transaction",
        "io.rockpool.internal.engine",
        "org.springframework.dao",
        "org.springframework.transaction..");
  }

  @Test
  void httpKnowsServletsAndTransactions() {
    check(
        "io.rockpool.spring.http",
        "io.rockpool.spring.transaction",
        "jakarta.servlet..",
        "org.springframework.dao",
        "org.springframework.http..",
        "org.springframework.transaction..",
        "org.springframework.web..");
  }

  @Test
  void hintsKnowWhatSpringReadsAheadOfTime() {
    check(
        "io.rockpool.spring.aot",
        "org.springframework.aot..",
        "org.springframework.beans.factory..",
        "org.springframework.core..");
  }

  @Test
  void listenersKnowSpringFrameworkAndObservations() {
    check(
        "io.rockpool.spring.queue",
        "io.micrometer.observation..",
        "org.springframework.aop..",
        "org.springframework.beans.factory..",
        "org.springframework.context",
        "org.springframework.core..",
        "org.springframework.format.datetime.standard");
  }

  @Test
  void bootKnowsAllOfThem() {
    check(
        "io.rockpool.spring.boot",
        "io.rockpool.encryption",
        "io.micrometer.core.instrument..",
        "io.micrometer.observation",
        "jakarta.servlet",
        "io.rockpool.spring..",
        "org.springframework..");
  }

  private static void check(String name, String... others) {
    classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.of(COMMON.stream(), Stream.of(name), Stream.of(others))
                .flatMap(names -> names)
                .toArray(String[]::new))
        .check(MODULE);
  }
}
