package io.rockpool.testing;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The environment variables that Kubernetes sets in each container for a service. */
public final class ServiceVariables {
  private ServiceVariables() {}

  /**
   * Those of a service that is named after a property.
   *
   * @param property such as {@code rockpool.lock-wait}, for a service {@code rockpool-lock-wait}
   */
  public static Map<String, Object> of(String property) {
    String prefix = property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    Map<String, Object> variables = new TreeMap<>();
    variables.put(prefix + "_SERVICE_HOST", "10.0.0.1");
    variables.put(prefix + "_SERVICE_PORT", "6379");
    variables.put(prefix + "_SERVICE_PORT_CLIENT", "6379");
    variables.put(prefix + "_PORT", "tcp://10.0.0.1:6379");
    variables.put(prefix + "_PORT_6379_TCP", "tcp://10.0.0.1:6379");
    variables.put(prefix + "_PORT_6379_TCP_PROTO", "tcp");
    variables.put(prefix + "_PORT_6379_TCP_PORT", "6379");
    variables.put(prefix + "_PORT_6379_TCP_ADDR", "10.0.0.1");
    return variables;
  }
}
