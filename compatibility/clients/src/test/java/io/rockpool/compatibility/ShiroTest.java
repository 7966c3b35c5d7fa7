package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.CacheManager;
import org.apache.shiro.authc.AuthenticationInfo;
import org.apache.shiro.authc.AuthenticationToken;
import org.apache.shiro.authc.IncorrectCredentialsException;
import org.apache.shiro.authc.SimpleAuthenticationInfo;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.authz.AuthorizationInfo;
import org.apache.shiro.authz.SimpleAuthorizationInfo;
import org.apache.shiro.cache.jcache.JCacheManager;
import org.apache.shiro.mgt.DefaultSecurityManager;
import org.apache.shiro.realm.AuthorizingRealm;
import org.apache.shiro.session.mgt.DefaultSessionManager;
import org.apache.shiro.session.mgt.eis.EnterpriseCacheSessionDAO;
import org.apache.shiro.subject.PrincipalCollection;
import org.apache.shiro.subject.Subject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Apache Shiro's JCache support: who a user is, what a user may, and sessions. */
final class ShiroTest extends ProgramTest {
  record Cart(List<String> lines, Map<String, Integer> amounts) implements Serializable {}

  private static final Cart CART = new Cart(List.of("pear"), Map.of("pear", 3));

  private int authentications;
  private int authorizations;

  /** Counts how often it is asked. */
  private final class Users extends AuthorizingRealm {
    /** Caffeine's adapter serializes what it is given, and Shiro's salts are not serializable. */
    Users(Provider provider) {
      setName("users");
      setAuthenticationCachingEnabled(provider.survives());
    }

    @Override
    protected AuthenticationInfo doGetAuthenticationInfo(AuthenticationToken token) {
      authentications++;
      return new SimpleAuthenticationInfo(token.getPrincipal(), "secret", getName());
    }

    @Override
    protected AuthorizationInfo doGetAuthorizationInfo(PrincipalCollection principals) {
      authorizations++;
      SimpleAuthorizationInfo info = new SimpleAuthorizationInfo(Set.of("seller"));
      info.setStringPermissions(Set.of("order:read,write:*"));
      return info;
    }
  }

  private DefaultSecurityManager start(Provider provider, CacheManager manager) {
    JCacheManager caches = new JCacheManager();
    caches.setCacheManager(manager);
    DefaultSessionManager sessions = new DefaultSessionManager();
    sessions.setSessionDAO(new EnterpriseCacheSessionDAO());
    sessions.setSessionValidationSchedulerEnabled(false);
    DefaultSecurityManager security = new DefaultSecurityManager(new Users(provider));
    security.setSessionManager(sessions);
    security.setCacheManager(caches);
    return security;
  }

  private static Subject subject(DefaultSecurityManager security) {
    return new Subject.Builder(security).buildSubject();
  }

  private static Subject subject(DefaultSecurityManager security, Serializable session) {
    return new Subject.Builder(security).sessionId(session).buildSubject();
  }

  private static Subject login(DefaultSecurityManager security, String password) {
    Subject subject = subject(security);
    subject.login(new UsernamePasswordToken("ann", password));
    return subject;
  }

  private static void use(Subject subject) {
    assertThat(subject.isAuthenticated()).isTrue();
    assertThat(subject.getPrincipal()).isEqualTo("ann");
    assertThat(subject.hasRole("seller")).isTrue();
    assertThat(subject.isPermitted("order:write:7")).isTrue();
    assertThat(subject.isPermitted("order:drop:7")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aRealmIsAskedOnceForAUser(Provider provider) {
    DefaultSecurityManager security = start(provider, open(provider));
    Subject subject = login(security, "secret");
    use(subject);
    use(login(security, "secret"));
    assertThatThrownBy(() -> login(security, "guess"))
        .isInstanceOf(IncorrectCredentialsException.class);
    assertThat(authentications).isEqualTo(provider.survives() ? 1 : 3);
    assertThat(authorizations).isEqualTo(1);
    subject.logout();
    use(login(security, "secret"));
    assertThat(authorizations).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void sessionsKeepWhatIsPutIntoThem(Provider provider) {
    DefaultSecurityManager security = start(provider, open(provider));
    Subject subject = login(security, "secret");
    subject.getSession().setAttribute("cart", CART);
    Serializable id = subject.getSession().getId();
    Subject again = subject(security, id);
    use(again);
    assertThat(again.getSession().getAttribute("cart")).isEqualTo(CART);
    again.logout();
    assertThat(subject(security, id).isAuthenticated()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"ROCKPOOL", "REDIS", "POSTGRESQL"})
  void sessionsAndUsersAreThereAfterARestart(Provider provider) {
    Subject subject = login(start(provider, open(provider)), "secret");
    use(subject);
    subject.getSession().setAttribute("cart", CART);
    Serializable id = subject.getSession().getId();
    DefaultSecurityManager security = start(provider, restart(provider));
    Subject again = subject(security, id);
    use(again);
    assertThat(again.getSession().getAttribute("cart")).isEqualTo(CART);
    use(login(security, "secret"));
    assertThat(authentications).isEqualTo(1);
    assertThat(authorizations).isEqualTo(1);
  }
}
