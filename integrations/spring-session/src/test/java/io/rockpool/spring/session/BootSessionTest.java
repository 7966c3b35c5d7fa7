package io.rockpool.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.DocumentExamples;
import io.rockpool.testing.Slow;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A web application of Spring Boot with the module on its class path, over HTTP and restarts. */
@Slow
final class BootSessionTest {
  private static final String COOKIE = "SESSION=";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @RestController
  static class Shop {
    private final CopyOnWriteArrayList<String> events = new CopyOnWriteArrayList<>();
    private final FindByIndexNameSessionRepository<? extends Session> sessions;

    Shop(FindByIndexNameSessionRepository<? extends Session> sessions) {
      this.sessions = sessions;
    }

    @GetMapping("/add")
    int add(HttpSession session) {
      Integer before = (Integer) session.getAttribute("count");
      int count = before == null ? 1 : before + 1;
      session.setAttribute("count", count);
      return count;
    }

    @GetMapping("/login")
    void login(HttpServletRequest request, @RequestParam("user") String user) {
      request
          .getSession()
          .setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, user);
      request.changeSessionId();
    }

    @GetMapping("/logout")
    void logout(HttpSession session) {
      session.invalidate();
    }

    @GetMapping("/devices")
    Set<String> devices(@RequestParam("user") String user) {
      // SPRINGSESSION
      Map<String, ? extends Session> devices = sessions.findByPrincipalName(user);
      // SPRINGSESSION
      return devices.keySet();
    }

    @EventListener
    void on(AbstractSessionEvent event) {
      events.add(event.getClass().getSimpleName());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class OtherSessions {
    @Bean
    SessionRepository<?> others() {
      return new MapSessionRepository(new ConcurrentHashMap<>());
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir Path directory;
  private @Nullable ConfigurableApplicationContext application;
  private @Nullable String cookie;

  private void start(Class<?> configuration, Map<String, Object> more) {
    SpringApplication starter = new SpringApplication(configuration);
    starter.setBannerMode(Banner.Mode.OFF);
    starter.setDefaultProperties(
        Map.of(
            "server.port", 0, "server.address", "127.0.0.1", "rockpool.directory", "" + directory));
    String[] arguments =
        more.entrySet().stream()
            .map(each -> "--" + each.getKey() + "=" + each.getValue())
            .toArray(String[]::new);
    application = starter.run(arguments);
  }

  @AfterEach
  void stop() {
    if (application != null) {
      application.close();
    }
  }

  private String get(String path) throws IOException, InterruptedException {
    String port = application.getEnvironment().getProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    answer.headers().allValues("Set-Cookie").stream()
        .filter(set -> set.startsWith(COOKIE))
        .forEach(set -> cookie = set.substring(0, set.indexOf(';')));
    return answer.body();
  }

  @Test
  void aSessionContinuesAfterARestart() throws Exception {
    start(Shop.class, Map.of("spring.session.timeout", "2h"));
    Shop shop = application.getBean(Shop.class);
    assertThat(get("/add")).isEqualTo("1");
    String first = cookie;
    get("/login?user=ann");
    assertThat(cookie).isNotEqualTo(first);
    assertThat(get("/add")).isEqualTo("2");
    assertThat(shop.events).containsExactly("SessionCreatedEvent");
    application.close();

    start(Shop.class, Map.of());
    assertThat(get("/add")).isEqualTo("3");
    RockpoolIndexedSessionRepository sessions =
        application.getBean(RockpoolIndexedSessionRepository.class);
    Map<String, RockpoolSession> found = sessions.findByPrincipalName("ann");
    assertThat(found).hasSize(1);
    assertThat(found.values().iterator().next().getMaxInactiveInterval()).hasHours(2);
    assertThat(get("/devices?user=ann")).contains(found.keySet().iterator().next());
    get("/logout");
    assertThat(sessions.findByPrincipalName("ann")).isEmpty();
    shop = application.getBean(Shop.class);
    assertThat(shop.events).containsExactly("SessionDeletedEvent");
    assertThat(get("/add")).isEqualTo("1");
  }

  @Test
  void propertiesAreApplied() {
    start(
        Shop.class,
        Map.of(
            "rockpool.session.save-mode", "always",
            "rockpool.session.flush-mode", "immediate",
            "rockpool.session.cleanup-cron", "-"));
    RockpoolIndexedSessionRepository sessions =
        application.getBean(RockpoolIndexedSessionRepository.class);
    assertThat(sessions.findById(sessions.createSession().getId())).isNotNull();
    assertThat(sessions.saveMode().name()).isEqualTo("ALWAYS");
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("rockpool-session-"));
  }

  @Test
  void anotherRepositoryTakesPrecedence() {
    start(OtherSessions.class, Map.of());
    assertThat(application.getBeansOfType(RockpoolIndexedSessionRepository.class)).isEmpty();
  }

  @Test
  void theExampleIsInTheDocument() {
    DocumentExamples.assertIn("docs/spring-session.md", "SPRINGSESSION", BootSessionTest.class);
  }
}
