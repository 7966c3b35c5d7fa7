package io.rockpool.spring.boot;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the endpoint shows.
 *
 * @param showValues When to show the values of cache entries.
 * @param roles Roles that tell who is shown values with "when-authorized"; all who have
 *     authenticated if there are none.
 */
@ConfigurationProperties("management.endpoint.rockpool")
public record RockpoolEndpointProperties(
    @DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {}
