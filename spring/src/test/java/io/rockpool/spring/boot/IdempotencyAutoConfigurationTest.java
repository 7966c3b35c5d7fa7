package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.spring.ResourcelessTransactions;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.http.IdempotencyFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** When an application has a filter of idempotent requests, and what its properties do. */
class IdempotencyAutoConfigurationTest {
  private final WebApplicationContextRunner runner =
      new WebApplicationContextRunner()
          .withPropertyValues(SuiteStores.newProperty())
          .withConfiguration(
              AutoConfigurations.of(
                  RockpoolAutoConfiguration.class, RockpoolIdempotencyAutoConfiguration.class));

  @Test
  void thereIsNoneWithoutPaths() {
    runner.run(context -> assertThat(context).doesNotHaveBean(IdempotencyFilter.class));
  }

  @Test
  void propertiesChooseTheRequests() {
    runner
        .withPropertyValues(
            "rockpool.idempotency.paths=/a/**,/b",
            "rockpool.idempotency.methods=put",
            "rockpool.idempotency.ttl=1h",
            "rockpool.idempotency.required=true",
            "rockpool.idempotency.max-body=2B")
        .run(
            context -> {
              IdempotencyFilter filter = context.getBean(IdempotencyFilter.class);
              assertThat(status(filter, "PUT", "/a/x", null, "")).isEqualTo(400);
              assertThat(status(filter, "PUT", "/b", null, "")).isEqualTo(400);
              assertThat(status(filter, "PUT", "/c", null, "")).isEqualTo(200);
              assertThat(status(filter, "POST", "/a/x", null, "")).isEqualTo(200);
              assertThat(status(filter, "PUT", "/b", "key", "123")).isEqualTo(413);
              assertThat(status(filter, "PUT", "/b", "key", "12")).isEqualTo(200);
              assertThat(status(filter, "PUT", "/b", "key", "1")).isEqualTo(422);
              assertThat(context.getBean(Rockpool.class).names().find("rockpool:once")).isPresent();
            });
  }

  @Test
  void aUserHasItsOwnKeys() {
    runner
        .withPropertyValues("rockpool.idempotency.paths=/**")
        .run(
            context -> {
              IdempotencyFilter filter = context.getBean(IdempotencyFilter.class);
              for (String user : new String[] {"ann", "bob"}) {
                MockHttpServletRequest request = new MockHttpServletRequest("POST", "/");
                request.setRemoteUser(user);
                request.addHeader("Idempotency-Key", "key");
                MockHttpServletResponse response = new MockHttpServletResponse();
                filter.doFilter(request, response, new MockFilterChain());
                assertThat(response.getHeader("Idempotent-Replayed")).isNull();
              }
            });
  }

  @Test
  void aWrongValueFailsTheStart() {
    runner
        .withPropertyValues("rockpool.idempotency.paths=/**", "rockpool.idempotency.ttl=0s")
        .run(context -> assertThat(context).hasFailed());
    runner
        .withPropertyValues("rockpool.idempotency.paths=/**", "rockpool.idempotency.methods=NONE")
        .run(context -> assertThat(context).hasFailed());
  }

  /** The bean of the module for PostgreSQL says that the store joins transactions. */
  @Test
  void aStoreThatJoinsNeedsTheManager() {
    WebApplicationContextRunner joining =
        runner
            .withPropertyValues("rockpool.idempotency.paths=/**")
            .withBean("rockpoolTransactionJoin", String.class, () -> "joins");
    joining.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContaining("rockpool.idempotency.paths"));
    joining
        .withBean(ResourcelessTransactions.class)
        .run(context -> assertThat(context).hasSingleBean(IdempotencyFilter.class));
  }

  private static int status(
      IdempotencyFilter filter, String method, String path, @Nullable String key, String body)
      throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest(method, path);
    request.setContent(body.getBytes(UTF_8));
    if (key != null) {
      request.addHeader("Idempotency-Key", key);
    }
    MockHttpServletResponse response = new MockHttpServletResponse();
    filter.doFilter(request, response, new MockFilterChain());
    return response.getStatus();
  }
}
