package io.rockpool.engine;

import io.rockpool.testing.FakeClock;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every engine passes. Extend it for each engine, and for each way of setting one up that
 * matters; the parts of the contract are the interfaces it implements.
 *
 * <p>Values at and past the limit of 512 MiB take more memory than a build should need: these tests
 * run only with {@code -Drockpool.test.hugeValues=true} and a heap of 8 GiB, or where {@link
 * #maxValueBytes} is at most 16 MiB. Random tests run with the {@link io.rockpool.testing.Seeds}.
 */
@Timeout(120)
public abstract class EngineContract
    implements RecordContract,
        RecordWriteContract,
        BulkContract,
        ExpiryContract,
        TransactionContract,
        AtomicallyContract,
        TransactionActionsContract,
        AtomicallyContentionContract,
        SnapshotContract,
        SpaceExpiryContract,
        ReclaimContract,
        CountContract,
        ScanContract,
        CursorContract,
        ClearContract,
        CatalogContract,
        LifecycleContract,
        LimitContract,
        NullContract,
        ContentionContract,
        ChangeContract,
        EntriesContract,
        LeaseContract,
        ConcurrentScanContract,
        ModelContract {
  private FakeClock clock = new FakeClock();
  private @Nullable Engine engine;

  /** Opens a new and empty engine; the test closes it. */
  protected abstract Engine openEngine(InstantSource clock) throws Exception;

  /**
   * Opens an engine on what {@code closed}, which is closed, held. Engines that keep nothing leave
   * this as it is, and the tests that reopen don't apply.
   */
  protected Engine reopenEngine(Engine closed, InstantSource clock) throws Exception {
    return Assumptions.abort(closed.description() + " keeps nothing once it is closed");
  }

  /** Opens another handle of the engine's data; needed with {@link Capability#SHARED}. */
  protected Engine openAnother(Engine engine) {
    return Assumptions.abort(engine.description() + " has one handle");
  }

  @Override
  public final Engine openAnother() {
    return openAnother(engine());
  }

  @Override
  public final int maxValueBytes() {
    return engine().limits().maxValueBytes();
  }

  @Override
  public final int maxHashKeyBytes() {
    return engine().limits().maxHashKeyBytes();
  }

  @Override
  public final int maxSortKeyBytes() {
    return engine().limits().maxSortKeyBytes();
  }

  @BeforeEach
  final void openFreshEngine() throws Exception {
    clock = new FakeClock();
    engine = openEngine(clock);
  }

  @AfterEach
  final void closeEngine() {
    engine().close();
  }

  @Override
  public final Engine engine() {
    return Objects.requireNonNull(engine, "engine");
  }

  @Override
  public final FakeClock clock() {
    return clock;
  }

  @Override
  public final void reopen() {
    engine().close();
    try {
      engine = reopenEngine(engine(), clock);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("The engine cannot be opened again.", e);
    }
  }
}
