package io.rockpool.postgresql;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Connections of another driver. */
final class OtherDatabase extends AbstractDataSource {
  private static final Map<String, Object> ANSWERS =
      Map.of("getAutoCommit", true, "isWrapperFor", false, "isClosed", false);

  @Override
  public Connection getConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            OtherDatabase.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> ANSWERS.get(method.getName()));
  }

  @Override
  public Connection getConnection(String user, String password) {
    return getConnection();
  }
}
