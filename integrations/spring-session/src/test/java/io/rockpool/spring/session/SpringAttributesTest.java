package io.rockpool.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import jakarta.servlet.http.Cookie;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;
import org.springframework.web.servlet.FlashMap;

/** What Spring Security and Spring MVC put into a session comes back after reopening. */
final class SpringAttributesTest {
  @TempDir Path directory;

  @SuppressWarnings("TypeParameterUnusedInFormals") // as of a session's attribute
  private <T> T afterReopening(Object value) {
    String id;
    try (Rockpool pool = Rockpool.open(directory)) {
      RockpoolIndexedSessionRepository sessions = new RockpoolIndexedSessionRepository(pool);
      RockpoolSession session = sessions.createSession();
      session.setAttribute("value", value);
      sessions.save(session);
      id = session.getId();
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      return new RockpoolIndexedSessionRepository(pool).findById(id).getAttribute("value");
    }
  }

  @Test
  void aLogin() {
    User user =
        new User("ann", "secret", AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_ADMIN"));
    UsernamePasswordAuthenticationToken login =
        UsernamePasswordAuthenticationToken.authenticated(user, null, user.getAuthorities());
    login.setDetails(new WebAuthenticationDetails("127.0.0.1", "s-1"));
    SecurityContextImpl context = new SecurityContextImpl(login);
    SecurityContextImpl found = afterReopening(context);
    assertThat(found).isEqualTo(context);
    assertThat(found.getAuthentication().getDetails()).isEqualTo(login.getDetails());
    assertThat(found.getAuthentication().getAuthorities()).hasSize(2);
    assertThat(found.getAuthentication().isAuthenticated()).isTrue();
  }

  @Test
  void aTokenAgainstForgedRequests() {
    DefaultCsrfToken found = afterReopening(new DefaultCsrfToken("X-CSRF", "_csrf", "t-1"));
    assertThat(found.getToken()).isEqualTo("t-1");
    assertThat(found.getHeaderName()).isEqualTo("X-CSRF");
  }

  @Test
  void theRequestBeforeALogin() {
    MockHttpServletRequest before = new MockHttpServletRequest("GET", "/basket");
    before.setQueryString("page=2");
    before.addParameter("page", "2");
    before.addHeader("Accept", "text/html");
    before.addPreferredLocale(Locale.GERMANY);
    before.setCookies(new Cookie("theme", "dark"));
    new HttpSessionRequestCache().saveRequest(before, new MockHttpServletResponse());
    SavedRequest request =
        (SavedRequest) before.getSession().getAttribute("SPRING_SECURITY_SAVED_REQUEST");
    SavedRequest found = afterReopening(request);
    assertThat(found.getRedirectUrl()).isEqualTo(request.getRedirectUrl());
    assertThat(found.getHeaderValues("accept")).containsExactly("text/html");
    assertThat(found.getParameterValues("page")).containsExactly("2");
    assertThat(found.getLocales()).contains(Locale.GERMANY);
    assertThat(found.getCookies()).extracting(Cookie::getName).containsExactly("theme");
  }

  @Test
  void attributesOfARedirect() {
    FlashMap flash = new FlashMap();
    flash.put("message", "saved");
    flash.setTargetRequestPath("/basket");
    flash.startExpirationPeriod(180);
    List<FlashMap> found = afterReopening(new CopyOnWriteArrayList<>(List.of(flash)));
    assertThat(found).containsExactly(flash);
    assertThat(found.get(0).getExpirationTime()).isEqualTo(flash.getExpirationTime());
  }
}
