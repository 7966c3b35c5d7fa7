package io.rockpool.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Operations a second of processor time that Java threads took, those of Caffeine's maintenance
 * included. It hardly depends on what else the machine does; but it does not see waiting, nor
 * RocksDB's own threads.
 */
public final class CpuTime implements InternalProfiler {
  static final String LABEL = "perCpuSecond";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long before;

  @Override
  public String getDescription() {
    return "operations a second of processor time";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = nanos();
  }

  @Override
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double seconds = (double) (nanos() - before) / TimeUnit.SECONDS.toNanos(1);
    double operations = result.getMetadata().getAllOps();
    return List.of(new ScalarResult(LABEL, operations / seconds, "ops/s", AggregationPolicy.AVG));
  }

  private static long nanos() {
    return Arrays.stream(THREADS.getAllThreadIds())
        .map(THREADS::getThreadCpuTime)
        .filter(nanos -> nanos > 0)
        .sum();
  }
}
