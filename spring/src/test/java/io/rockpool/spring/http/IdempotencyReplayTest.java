package io.rockpool.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.spring.SuiteStores;
import io.rockpool.testing.FakeClock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What a repeated request gets, whatever filters are outside of this one. */
@Timeout(60)
final class IdempotencyReplayTest {
  private static final int REPEATS = 4;
  private static final int ROUNDS = 50;

  private final Rockpool pool = SuiteStores.open(new FakeClock());
  private final IdempotencyFilter filter =
      new IdempotencyFilter(pool, IdempotencyRules.forPaths(List.of("/pay/**")));
  private final AtomicInteger handled = new AtomicInteger();

  @AfterEach
  void close() {
    pool.close();
  }

  private static MockHttpServletRequest request(String key) {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/pay/one");
    request.addHeader(IdempotencyFilter.KEY, key);
    request.setContentType("application/json");
    request.setContent("{}".getBytes(StandardCharsets.UTF_8));
    return request;
  }

  private final FilterChain handler =
      (request, response) -> {
        HttpServletResponse answer = (HttpServletResponse) response;
        answer.setStatus(201);
        answer.addHeader("Vary", "Accept");
        answer.setHeader("Cache-Control", "no-store");
        answer.addHeader("Location", "/pay/" + handled.incrementAndGet());
        answer.getOutputStream().print("paid");
      };

  private MockHttpServletResponse send(String key) throws Exception {
    MockHttpServletResponse response = new MockHttpServletResponse();
    filter.doFilter(request(key), response, handler);
    return response;
  }

  @Test
  void allRepeatsOfAFinishedRequestGetItsAnswer() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(REPEATS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        String key = "key" + round;
        assertThat(send(key).getStatus()).isEqualTo(201);
        CyclicBarrier begin = new CyclicBarrier(REPEATS);
        List<Future<Integer>> repeats = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
          repeats.add(
              threads.submit(
                  () -> {
                    begin.await(30, TimeUnit.SECONDS);
                    return send(key).getStatus();
                  }));
        }
        for (Future<Integer> repeat : repeats) {
          assertThat(repeat.get(30, TimeUnit.SECONDS)).isEqualTo(201);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(handled).hasValue(ROUNDS);
  }

  private MockHttpServletResponse sendBelowFilters(String origin, FilterChain chain)
      throws Exception {
    MockHttpServletResponse response = new MockHttpServletResponse();
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("X-Request-Id", "of " + origin);
    response.addHeader("Vary", "Origin");
    response.setHeader("Cache-Control", "private");
    filter.doFilter(request("k"), response, chain);
    return response;
  }

  @Test
  void aRepeatHasTheHeadersOfItsOwnOuterFilters() throws Exception {
    for (String origin : List.of("a", "b", "c")) {
      MockHttpServletResponse response = sendBelowFilters(origin, handler);
      assertThat(response.getHeaders("Access-Control-Allow-Origin")).containsExactly(origin);
      assertThat(response.getHeaders("X-Request-Id")).containsExactly("of " + origin);
      assertThat(response.getHeaders("Vary")).containsExactly("Origin", "Accept");
      assertThat(response.getHeaders("Cache-Control")).containsExactly("no-store");
      assertThat(response.getHeaders("Location")).containsExactly("/pay/1");
      assertThat(response.getContentAsString()).isEqualTo("paid");
    }
  }

  @Test
  void aConflictThatAServletWrapsIsAnswered503() throws Exception {
    FilterChain conflicting =
        (request, response) -> {
          ((HttpServletResponse) response).setHeader("Location", "/pay/no");
          throw new ServletException(
              "Request processing failed",
              new IllegalStateException(new ConcurrencyFailureException("conflict")));
        };
    FilterChain bare =
        (request, response) -> {
          throw new IllegalStateException(new ConcurrencyFailureException("conflict"));
        };
    for (FilterChain chain : List.of(conflicting, bare)) {
      MockHttpServletResponse response = sendBelowFilters("a", chain);
      assertThat(response.getStatus()).isEqualTo(503);
      assertThat(response.getHeader("Retry-After")).isEqualTo("1");
      assertThat(response.getHeader("Location")).isNull();
      assertThat(response.getHeaders("Access-Control-Allow-Origin")).containsExactly("a");
    }
    assertThat(sendBelowFilters("b", handler).getStatus()).isEqualTo(201);
  }

  @Test
  void formsWithOtherValuesAreOtherRequests() throws Exception {
    List<String[]> forms =
        List.of(
            new String[] {"a", "b"},
            new String[] {"a, b"},
            new String[] {"b", "a"},
            new String[] {"a", "b", ""},
            new String[] {"a\0001\0b"});
    for (int first = 0; first < forms.size(); first++) {
      for (int second = 0; second < forms.size(); second++) {
        String key = "f" + first + "-" + second;
        assertThat(sendForm(key, forms.get(first))).isEqualTo(201);
        assertThat(sendForm(key, forms.get(second))).isEqualTo(first == second ? 201 : 422);
      }
    }
  }

  private int sendForm(String key, String[] values) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/pay/form");
    request.addHeader(IdempotencyFilter.KEY, key);
    request.setContentType("application/x-www-form-urlencoded");
    request.setParameter("x", values);
    MockHttpServletResponse response = new MockHttpServletResponse();
    filter.doFilter(request, response, handler);
    return response.getStatus();
  }
}
