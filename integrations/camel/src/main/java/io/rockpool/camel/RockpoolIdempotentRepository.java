package io.rockpool.camel;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.StructureOptions;
import java.util.function.UnaryOperator;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.service.ServiceSupport;

/**
 * Remembers which messages Camel's idempotent consumers have seen, in a set of a Rockpool store.
 * Thread-safe.
 *
 * <pre>{@code
 * IdempotentRepository seen =
 *     new RockpoolIdempotentRepository(
 *         pool, "orders/seen", options -> options.entryTtl(Duration.ofDays(7)));
 * from("direct:orders").idempotentConsumer(header("orderId"), seen).to("mock:fresh");
 * }</pre>
 *
 * <p><b>Atomicity.</b> Each operation is atomic: of several threads that add a key, one gets {@code
 * true}. In {@link Rockpool#atomically} an operation joins the transaction.
 *
 * <p><b>Durability.</b> As of any collection: a key that was added survives {@code kill -9}. An
 * eager consumer, Camel's default, adds a key before it processes the message, so a process that is
 * killed in between does not process the message again. A consumer with {@code eager(false)} adds
 * it afterwards.
 *
 * <p><b>Expiry.</b> With {@link StructureOptions#entryTtl} a key is forgotten that long after it
 * was added.
 */
public final class RockpoolIdempotentRepository extends ServiceSupport
    implements IdempotentRepository {
  private final PersistentSet<String> keys;

  /**
   * Opens the keys under a name of a store, with the options of the name.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "orders/seen"}
   */
  public RockpoolIdempotentRepository(Rockpool pool, String name) {
    this(pool, name, options -> options);
  }

  /**
   * Opens the keys under a name of a store.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "orders/seen"}
   * @param options changes the options of the set, such as its TTL and durability
   */
  public RockpoolIdempotentRepository(
      Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    keys = pool.set(name, String.class, options);
  }

  /** Adds a key; returns whether it was absent. */
  @Override
  public boolean add(String key) {
    return keys.add(key);
  }

  /** Whether a key is there. */
  @Override
  public boolean contains(String key) {
    return keys.contains(key);
  }

  /** Removes a key; returns whether it was there. */
  @Override
  public boolean remove(String key) {
    return keys.remove(key);
  }

  /** Does nothing: a key is durable as soon as it is added. Returns {@code true}. */
  @Override
  public boolean confirm(String key) {
    return true;
  }

  /** Removes all keys. Constant time. */
  @Override
  public void clear() {
    keys.clear();
  }
}
