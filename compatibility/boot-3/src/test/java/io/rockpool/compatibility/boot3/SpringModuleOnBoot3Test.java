package io.rockpool.compatibility.boot3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** An application that has the module for Spring Boot 4 is told so, and what to use. */
final class SpringModuleOnBoot3Test {
  @Test
  void theWayThatWorksIsNamed() {
    assertThatThrownBy(Application::start)
        .hasMessageStartingWith("rockpool-spring needs Spring Boot 4. This application runs on");
  }
}
