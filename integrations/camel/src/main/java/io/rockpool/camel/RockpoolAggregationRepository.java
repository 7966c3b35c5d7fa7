package io.rockpool.camel;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.StructureOptions;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.OptimisticLockingAggregationRepository;
import org.apache.camel.spi.RecoverableAggregationRepository;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the groups of Camel's aggregators in two maps of a Rockpool store: the open groups by
 * correlation key, and the completed ones that the route has not processed yet. Thread-safe.
 *
 * <pre>{@code
 * RockpoolAggregationRepository groups =
 *     new RockpoolAggregationRepository(pool, "orders/groups");
 * from("direct:lines")
 *     .aggregate(header("orderId"), new JoinBodies())
 *     .aggregationRepository(groups)
 *     .completionSize(3)
 *     .to("mock:complete");
 * }</pre>
 *
 * <p><b>Restarts.</b> Open groups continue after a restart. A completed group is delivered again,
 * at each recovery interval, until the route has processed it: at least once.
 *
 * <p><b>Atomicity.</b> Each operation is atomic. {@link #remove} moves a group from the open ones
 * to the completed ones in one transaction. With Camel's {@code optimisticLocking()}, an add or a
 * removal whose group was changed since it was read is refused, and Camel repeats it.
 *
 * <p><b>Values.</b> Body, headers, properties and variables of an exchange, and its exception.
 * Streams are read. Headers and variables that are no numbers, texts, truth values or dates are
 * left out, as in Camel's own repositories, and each name is logged once; see {@link
 * #setAllowSerializedHeaders}. Properties may also be collections, maps and string builders of
 * serializable elements, in which {@code groupedBody()} and {@code string()} keep a group. Groups
 * of whole exchanges or messages are refused. A body that cannot be encoded is refused with an
 * {@link io.rockpool.error.UnencodableValueException}, and the group stays as it was.
 *
 * <p><b>Durability.</b> As of any collection: a change that returned survives {@code kill -9}. See
 * {@link StructureOptions#durability} for a power loss.
 *
 * <p>Set its options before the route starts.
 */
public final class RockpoolAggregationRepository extends ServiceSupport
    implements RecoverableAggregationRepository, OptimisticLockingAggregationRepository {
  private static final Logger logger = LoggerFactory.getLogger("io.rockpool.camel");
  private static final int MAX_WARNED = 100;
  private static final long DEFAULT_RECOVERY_INTERVAL_MILLIS = 5_000;

  private final Rockpool pool;
  private final PersistentMap<String, StoredExchange> open;
  private final PersistentMap<String, StoredExchange> completed;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private volatile boolean allowSerializedHeaders;
  private volatile boolean useRecovery = true;
  private volatile long recoveryIntervalMillis = DEFAULT_RECOVERY_INTERVAL_MILLIS;
  private volatile int maximumRedeliveries;
  private volatile @Nullable String deadLetterUri;

  /**
   * Opens the groups under a name of a store, with the options of the name.
   *
   * @param pool must stay open while this object is used
   * @param name the level of the maps {@code open} and {@code completed}, such as {@code
   *     "orders/groups"}
   */
  public RockpoolAggregationRepository(Rockpool pool, String name) {
    this(pool, name, options -> options);
  }

  /**
   * Opens the groups under a name of a store.
   *
   * @param pool must stay open while this object is used
   * @param name the level of the maps {@code open} and {@code completed}, such as {@code
   *     "orders/groups"}
   * @param options changes the options of both maps, such as their durability
   */
  public RockpoolAggregationRepository(
      Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    this.pool = pool;
    open = pool.map(name + "/open", String.class, StoredExchange.class, options);
    completed = pool.map(name + "/completed", String.class, StoredExchange.class, options);
  }

  /** Stores an open group; returns the one that it replaces, or null. One read and one write. */
  @Override
  public @Nullable Exchange add(CamelContext camelContext, String key, Exchange exchange) {
    return toExchange(camelContext, open.put(key, stored(exchange)));
  }

  /**
   * Stores an open group if it is still the one that was read. One read and one write.
   *
   * @param oldExchange what {@link #get} returned; null if there was none
   * @return {@code oldExchange}
   * @throws OptimisticLockingException if the group was changed since; it stays as it is
   */
  @Override
  public @Nullable Exchange add(
      CamelContext camelContext, String key, @Nullable Exchange oldExchange, Exchange newExchange) {
    StoredExchange changed = stored(newExchange);
    pool.runAtomically(
        transaction -> {
          requireUnchanged(key, oldExchange);
          open.put(key, changed);
        });
    return oldExchange;
  }

  /** Returns an open group, or null. One read. */
  @Override
  public @Nullable Exchange get(CamelContext camelContext, String key) {
    return toExchange(camelContext, open.get(key));
  }

  /**
   * Moves a group to the completed ones, as it is in {@code exchange}. One transaction.
   *
   * @throws OptimisticLockingException if the group was changed since {@code exchange} was read;
   *     nothing is moved
   */
  @Override
  public void remove(CamelContext camelContext, String key, Exchange exchange) {
    StoredExchange whole = stored(exchange);
    pool.runAtomically(
        transaction -> {
          if (StoredExchange.versionOf(exchange) != null) {
            requireUnchanged(key, exchange);
          }
          open.remove(key);
          completed.put(exchange.getExchangeId(), whole);
        });
  }

  /** Removes a completed group, which the route has processed. */
  @Override
  public void confirm(CamelContext camelContext, String exchangeId) {
    completed.remove(exchangeId);
  }

  /** As {@link #confirm}; returns {@code true}: afterwards the group is not there. */
  @Override
  public boolean confirmWithResult(CamelContext camelContext, String exchangeId) {
    confirm(camelContext, exchangeId);
    return true;
  }

  /** Returns the correlation keys of the open groups. Reads all of them. */
  @Override
  public Set<String> getKeys() {
    return new HashSet<>(open.keySet());
  }

  /** Returns the exchange ids of the completed groups. Reads all of them. */
  @Override
  public Set<String> scan(CamelContext camelContext) {
    return new HashSet<>(completed.keySet());
  }

  /** Returns a completed group, or null. One read. */
  @Override
  public @Nullable Exchange recover(CamelContext camelContext, String exchangeId) {
    return toExchange(camelContext, completed.get(exchangeId));
  }

  private StoredExchange stored(Exchange exchange) {
    return StoredExchange.of(exchange, allowSerializedHeaders, this::warnOnce);
  }

  /** Camel sets properties of its own at each exchange, and sets them again. */
  private void warnOnce(String name, Object value) {
    if (!name.startsWith("Camel") && warned.size() < MAX_WARNED && warned.add(name)) {
      String type = value.getClass().getName();
      logger.warn(
          "\"{}\" of an aggregated exchange is not stored: {}. {}",
          name,
          type,
          StoredExchange.isStorable(value)
              ? "Set setAllowSerializedHeaders(true) to store it."
              : "Make it and its elements serializable, and set setAllowSerializedHeaders(true).");
    }
  }

  private static @Nullable Exchange toExchange(
      CamelContext context, @Nullable StoredExchange stored) {
    return stored == null ? null : stored.toExchange(context);
  }

  private void requireUnchanged(String key, @Nullable Exchange read) {
    StoredExchange now = open.get(key);
    Long version = read == null ? null : StoredExchange.versionOf(read);
    boolean unchanged = now == null ? version == null : version != null && version == now.version();
    if (!unchanged) {
      throw new OptimisticLockingException();
    }
  }

  /**
   * Whether headers, properties and variables of any serializable class are stored; otherwise
   * numbers, texts, truth values and dates, and collections and maps in properties. The default is
   * {@code false}, as of Camel's own repositories.
   */
  public void setAllowSerializedHeaders(boolean allow) {
    allowSerializedHeaders = allow;
  }

  /** Whether headers of any serializable class are stored. */
  public boolean isAllowSerializedHeaders() {
    return allowSerializedHeaders;
  }

  /** Whether completed groups are delivered again until they are processed; by default yes. */
  @Override
  public void setUseRecovery(boolean recover) {
    useRecovery = recover;
  }

  @Override
  public boolean isUseRecovery() {
    return useRecovery;
  }

  /** Sets the time between deliveries of completed groups, in milliseconds; the default is 5 s. */
  @Override
  public void setRecoveryInterval(long millis) {
    recoveryIntervalMillis = millis;
  }

  /** As {@link #setRecoveryInterval(long)}, which Camel prefers. */
  @Override
  @SuppressWarnings("deprecation") // of the interface
  public void setRecoveryInterval(long interval, TimeUnit unit) {
    setRecoveryInterval(unit.toMillis(interval));
  }

  /** Returns the time between deliveries of completed groups, in milliseconds. */
  @Override
  public long getRecoveryInterval() {
    return recoveryIntervalMillis;
  }

  /**
   * Sets how often a group is delivered again before the dead letter channel gets it; 0: always.
   */
  @Override
  public void setMaximumRedeliveries(int times) {
    maximumRedeliveries = times;
  }

  @Override
  public int getMaximumRedeliveries() {
    return maximumRedeliveries;
  }

  /** Sets the dead letter channel, for {@link #setMaximumRedeliveries}. */
  @Override
  public void setDeadLetterUri(@Nullable String uri) {
    deadLetterUri = uri;
  }

  @Override
  public @Nullable String getDeadLetterUri() {
    return deadLetterUri;
  }
}
