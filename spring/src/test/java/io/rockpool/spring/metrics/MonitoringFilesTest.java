package io.rockpool.spring.metrics;

import static io.rockpool.spring.metrics.Dashboard.panel;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.spring.RockpoolCacheManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard and the alerts in docs/monitoring: every metric that they name exists, and every
 * metric of Rockpool is in the dashboard. With {@code -Drockpool.test.writePages=true} it writes
 * the dashboard.
 */
final class MonitoringFilesTest {
  private static final Path FILES = Path.of("../docs/monitoring");
  private static final Pattern METRIC = Pattern.compile("\\b(?:rockpool|cache)_[a-z_]+\\b");

  private static final class NoWriter implements BatchWriter<Object, Object> {
    @Override
    public void writeAll(Map<Object, Object> entries) {}

    @Override
    public void deleteAll(Set<Object> keys) {}
  }

  @TempDir private Path directory;

  private static Dashboard dashboard() {
    String store = "{store=~\"$store\"}";
    String cache = "{cache=~\"$cache\"}";
    Dashboard all = new Dashboard();
    all.row(
        "Caches",
        panel(
            "Hits",
            "percentunit",
            "{{cache}} {{tier}}",
            "sum by (cache, tier) (rate(cache_hits_total"
                + cache
                + "[5m])) / ignoring (tier) group_left sum by (cache) (rate(cache_gets_total"
                + cache
                + "[5m]))"),
        panel(
            "Operations",
            "ops",
            "{{cache}} gets",
            sum("cache", "cache_gets_total", cache),
            "{{cache}} puts",
            sum("cache", "cache_puts_total", cache),
            "{{cache}} removals",
            sum("cache", "cache_removals_total", cache)),
        panel("Entries", "short", "{{cache}}", "cache_size" + cache),
        panel(
            "Loads and refreshes",
            "ops",
            "{{cache}} load {{result}}",
            rate("cache_load_total", cache),
            "{{cache}} refresh {{result}}",
            rate("cache_refresh_total", cache),
            "{{cache}} stale hits",
            rate("cache_hits_stale_total", cache)),
        panel(
            "Seconds of loading in a second",
            "s",
            "{{cache}}",
            rate("cache_load_duration_seconds", cache)),
        panel(
            "Evictions, and changes by other processes",
            "ops",
            "{{cache}} evictions",
            rate("cache_evictions_total", cache),
            "{{cache}} invalidations",
            rate("cache_invalidations_total", cache)),
        panel(
            "Values that were not cached or not read",
            "ops",
            "{{cache}} undecodable",
            rate("cache_undecodable_total", cache),
            "{{cache}} unencodable",
            rate("cache_unencodable_total", cache)),
        panel(
            "Memory",
            "bytes",
            "{{cache}}",
            "cache_memory_size_bytes" + cache,
            "{{cache}} at most",
            "cache_memory_max_bytes" + cache),
        panel("Entries in memory", "short", "{{cache}}", "cache_memory_entries" + cache));
    all.row(
        "Write-behind",
        panel(
            "Pending changes",
            "short",
            "{{cache}}",
            "cache_pending" + cache,
            "{{cache}} given up",
            "cache_pending_dead" + cache),
        panel("Age of the oldest", "s", "{{cache}}", "cache_pending_age_seconds" + cache),
        panel("Bytes", "bytes", "{{cache}}", "cache_pending_size_bytes" + cache),
        panel(
            "Written",
            "ops",
            "{{cache}}",
            rate("cache_written_total", cache),
            "{{cache}} failures",
            rate("cache_write_failures_total", cache)));
    all.row(
        "Queues",
        panel(
            "Messages",
            "short",
            "{{queue}}",
            "rockpool_queue_depth",
            "{{queue}} in flight",
            "rockpool_queue_inflight",
            "{{queue}} paused",
            "rockpool_queue_paused"),
        panel("Age of the oldest", "s", "{{queue}}", "rockpool_queue_oldest_seconds"),
        panel(
            "Throughput",
            "ops",
            "{{queue}} sent",
            rate("rockpool_queue_sent_total", ""),
            "{{queue}} delivered",
            rate("rockpool_queue_delivered_total", ""),
            "{{queue}} again",
            rate("rockpool_queue_redelivered_total", ""),
            "{{queue}} handled",
            rate("rockpool_queue_acknowledged_total", ""),
            "{{queue}} given up",
            rate("rockpool_queue_dead_total", "")));
    all.row(
        "Store",
        panel(
            "Disk",
            "bytes",
            "{{store}}",
            "rockpool_disk_used_bytes" + store,
            "{{store}} data",
            "rockpool_files_size_bytes" + store,
            "{{store}} log",
            "rockpool_log_size_bytes" + store),
        panel(
            "Native memory",
            "bytes",
            "{{store}} block cache",
            "rockpool_block_cache_used_bytes" + store,
            "{{store}} block cache at most",
            "rockpool_block_cache_capacity_bytes" + store,
            "{{store}} memtables",
            "rockpool_memtables_bytes" + store),
        panel(
            "Heap budget",
            "bytes",
            "{{store}}",
            "rockpool_heap_used_bytes" + store,
            "{{store}} at most",
            "rockpool_heap_budget_bytes" + store),
        panel(
            "Slow writes",
            "short",
            "{{store}} delays",
            rate("rockpool_write_delays_total", store),
            "{{store}} stops",
            rate("rockpool_write_stops_total", store),
            "{{store}} stopped",
            "rockpool_write_stopped" + store),
        panel(
            "Compaction",
            "bytes",
            "{{store}} pending",
            "rockpool_compaction_pending_bytes" + store),
        panel(
            "Background work",
            "short",
            "{{store}} jobs",
            "rockpool_jobs_running" + store,
            "{{store}} errors",
            rate("rockpool_background_errors_total", store),
            "{{store}} damaged files",
            "rockpool_files_damaged" + store,
            "{{store}} failing threads",
            "rockpool_upkeep_failing" + store,
            "{{store}} failures",
            rate("rockpool_upkeep_failures_total", store),
            "{{store}} snapshots",
            "rockpool_snapshots" + store),
        panel(
            "Age of backups",
            "s",
            "{{store}} verified",
            "time() - (rockpool_backup_verified_seconds" + store + " > 0)",
            "{{store}} shipped",
            "time() - (rockpool_backup_shipped_seconds" + store + " > 0)"),
        panel(
            "To reclaim",
            "bytes",
            "{{store}}",
            "rockpool_reclaim_pending_bytes" + store,
            "{{store}} a second",
            rate("rockpool_reclaim_bytes_total", store)),
        panel(
            "Clears and expired records",
            "short",
            "{{store}} clears",
            "rockpool_reclaim_clears_pending" + store,
            "{{store}} held",
            "rockpool_reclaim_clears_held" + store,
            "{{store}} reclaimed",
            rate("rockpool_reclaim_clears_total", store),
            "{{store}} records",
            rate("rockpool_reclaim_records_total", store),
            "{{store}} seconds overdue",
            "rockpool_reclaim_overdue_seconds" + store));
    all.row(
        "Servers",
        panel(
            "Connected",
            "short",
            "{{store}}",
            "rockpool_server_connected" + store,
            "{{store}} reported",
            "rockpool_server_reported" + store,
            "{{store}} breaker",
            "rockpool_server_breaker" + store),
        panel(
            "While servers are away",
            "ops",
            "{{store}} misses",
            rate("rockpool_server_reads_missed_total", store),
            "{{store}} dropped puts",
            rate("rockpool_server_puts_dropped_total", store),
            "{{store}} reads past memory",
            rate("rockpool_server_reads_bypassed_total", store)),
        panel(
            "Changes and connections",
            "ops",
            "{{store}} changes",
            rate("rockpool_server_changes_total", store),
            "{{store}} replica reads",
            rate("rockpool_server_reads_replica_total", store),
            "{{store}} connections",
            rate("rockpool_server_connections_total", store),
            "{{store}} losses of reports",
            rate("rockpool_server_feed_losses_total", store)));
    return all;
  }

  private static String rate(String counter, String labels) {
    return "rate(" + counter + labels + "[5m])";
  }

  private static String sum(String by, String counter, String labels) {
    return "sum by (" + by + ") (" + rate(counter, labels) + ")";
  }

  /** The names of all metrics, as Prometheus has them. */
  private Set<String> metrics() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Rockpool pool = Rockpool.open(directory.resolve("store"));
        RockpoolCacheManager manager = new RockpoolCacheManager(pool)) {
      manager.setCacheConfiguration(
          "written",
          RockpoolCacheConfiguration.defaults()
              .writeBehind(new NoWriter(), WriteBehindOptions.defaults()));
      RockpoolCache cache = (RockpoolCache) manager.getCache("written");
      new RockpoolStoreMetrics(() -> pool, Tags.of("store", "s")).bindTo(registry);
      new RockpoolCacheMetrics(cache, Tags.empty()).bindTo(registry);
      new RockpoolQueueMetrics(pool.queue("q", String.class), Tags.empty()).bindTo(registry);
      Set<String> names = new TreeSet<>();
      Matcher type = Pattern.compile("(?m)^# TYPE (\\S+) ").matcher(registry.scrape());
      while (type.find()) {
        names.add(type.group(1));
      }
      return names;
    }
  }

  private static Set<String> named(String text) {
    Set<String> names = new TreeSet<>();
    Matcher metric = METRIC.matcher(text);
    while (metric.find()) {
      names.add(metric.group());
    }
    return names;
  }

  @Test
  void theDashboardShowsEveryMetric() throws IOException {
    Dashboard dashboard = dashboard();
    Path file = FILES.resolve("dashboard.json");
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.writeString(file, dashboard.json());
    }
    assertThat(Files.readString(file)).isEqualTo(dashboard.json());
    assertThat(named(dashboard.panels().toString())).containsExactlyElementsOf(metrics());
  }

  @Test
  void theDashboardHasTheFormOfGrafana() throws IOException {
    JsonNode root = JsonMapper.shared().readTree(Files.readString(FILES.resolve("dashboard.json")));
    assertThat(root.path("schemaVersion").intValue()).isGreaterThanOrEqualTo(39);
    Set<Integer> ids = new TreeSet<>();
    List<String> places = new ArrayList<>();
    for (JsonNode panel : root.path("panels")) {
      assertThat(ids.add(panel.path("id").intValue())).isTrue();
      assertThat(panel.path("title").stringValue()).isNotBlank();
      JsonNode place = panel.path("gridPos");
      assertThat(place.path("x").intValue() + place.path("w").intValue()).isBetween(1, 24);
      for (int x = 0; x < place.path("w").intValue(); x++) {
        for (int y = 0; y < place.path("h").intValue(); y++) {
          places.add((place.path("x").intValue() + x) + " " + (place.path("y").intValue() + y));
        }
      }
      if (panel.path("type").stringValue().equals("timeseries")) {
        assertThat(panel.path("targets")).isNotEmpty();
        panel.path("targets").forEach(target -> assertThat(target.hasNonNull("expr")).isTrue());
      } else {
        assertThat(panel.path("type").stringValue()).isEqualTo("row");
      }
    }
    assertThat(places).doesNotHaveDuplicates();
    assertThat(root.path("templating").path("list")).hasSize(3);
  }

  @Test
  @SuppressWarnings("unchecked") // of the file's own form
  void theAlertsNameMetricsAndSayWhatToDo() throws IOException {
    Map<String, Object> file = new Yaml().load(Files.readString(FILES.resolve("alerts.yml")));
    List<Map<String, Object>> groups = (List<Map<String, Object>>) file.get("groups");
    List<Map<String, Object>> rules =
        groups.stream()
            .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
            .toList();
    Set<String> metrics = metrics();
    assertThat(rules).hasSizeGreaterThanOrEqualTo(10);
    for (Map<String, Object> rule : rules) {
      String alert = (String) rule.get("alert");
      assertThat(alert).startsWith("Rockpool");
      assertThat(named((String) rule.get("expr"))).as(alert).isNotEmpty().isSubsetOf(metrics);
      assertThat((Map<String, String>) rule.get("labels")).as(alert).containsKey("severity");
      Map<String, String> annotations = (Map<String, String>) rule.get("annotations");
      assertThat(annotations.get("summary")).as(alert).isNotBlank();
      assertThat(annotations.get("description")).as(alert).contains("docs/");
      Matcher page = Pattern.compile("docs/([a-z-]+\\.md)").matcher(annotations.get("description"));
      assertThat(page.find()).as(alert).isTrue();
      assertThat(FILES.resolveSibling(page.group(1))).as(alert).exists();
    }
  }

  /** Only where Prometheus is installed. */
  @Test
  void prometheusReadsTheAlertsAndTheirExamplesHold() throws Exception {
    String program = System.getProperty("rockpool.test.promtool", "/usr/bin/promtool");
    if (!Files.isExecutable(Path.of(program))) {
      return;
    }
    for (List<String> arguments :
        List.of(List.of("check", "rules", "alerts.yml"), List.of("test", "rules", "tests.yml"))) {
      List<String> command = new ArrayList<>(List.of(program));
      command.addAll(arguments);
      Path output = directory.resolve("output");
      Process process =
          new ProcessBuilder(command)
              .directory(FILES.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }
  }
}
