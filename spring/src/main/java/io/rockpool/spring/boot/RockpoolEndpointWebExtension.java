package io.rockpool.spring.boot;

import io.rockpool.spring.boot.RockpoolDescriptors.QueueDescriptor;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link RockpoolEndpoint} through HTTP: values are shown to those who may see them, and what is
 * not there is "not found".
 */
@EndpointWebExtension(endpoint = RockpoolEndpoint.class)
public final class RockpoolEndpointWebExtension {
  private final RockpoolEndpoint endpoint;
  private final Show showValues;
  private final Set<String> roles;

  /**
   * An endpoint through HTTP.
   *
   * @param roles who may see values where {@code showValues} asks for that; all who are known if
   *     there are none
   */
  public RockpoolEndpointWebExtension(
      RockpoolEndpoint endpoint, Show showValues, Set<String> roles) {
    this.endpoint = Objects.requireNonNull(endpoint, "endpoint");
    this.showValues = Objects.requireNonNull(showValues, "showValues");
    this.roles = Set.copyOf(roles);
  }

  /** As {@link RockpoolEndpoint#cache}. */
  @ReadOperation
  public @Nullable OperationResponseBody cache(
      SecurityContext securityContext,
      @Selector(match = Selector.Match.ALL_REMAINING) String[] cache,
      @Nullable String cacheManager,
      @Nullable String key,
      @Nullable KeyType keyType,
      @Nullable Integer sample) {
    boolean shown = showValues.isShown(securityContext, roles);
    return endpoint.cache(cache, cacheManager, key, keyType, sample, shown);
  }

  /** As {@link RockpoolEndpoint#evict}. */
  @DeleteOperation
  public WebEndpointResponse<Void> evict(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] cache,
      @Nullable String cacheManager,
      @Nullable String key,
      @Nullable KeyType keyType,
      @Nullable Boolean clear) {
    return new WebEndpointResponse<>(
        endpoint.evict(cache, cacheManager, key, keyType, clear)
            ? WebEndpointResponse.STATUS_NO_CONTENT
            : WebEndpointResponse.STATUS_NOT_FOUND);
  }

  /** As {@link RockpoolEndpoint#queue}. */
  @WriteOperation
  public WebEndpointResponse<@Nullable QueueDescriptor> queue(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] queue,
      QueueAction action,
      @Nullable String store) {
    QueueDescriptor changed = endpoint.queue(queue, action, store);
    return new WebEndpointResponse<>(
        changed,
        changed == null ? WebEndpointResponse.STATUS_NOT_FOUND : WebEndpointResponse.STATUS_OK);
  }
}
