package io.rockpool.spring.metrics;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Writes a dashboard of Grafana: rows of panels, each with the lines of some expressions. */
final class Dashboard {
  private static final int WIDTH = 24;
  private static final int PANEL_WIDTH = 8;
  private static final int PANEL_HEIGHT = 7;
  private static final String SOURCE = "{\"type\": \"prometheus\", \"uid\": \"${datasource}\"}";

  private final List<Row> rows = new ArrayList<>();

  /** A row with a title. */
  record Row(String title, List<Panel> panels) {}

  /**
   * A panel.
   *
   * @param unit one of Grafana's
   * @param lines the legend of each expression and the expression, in turn
   */
  record Panel(String title, String unit, List<String> lines) {}

  static Panel panel(String title, String unit, String... lines) {
    return new Panel(title, unit, List.of(lines));
  }

  void row(String title, Panel... panels) {
    rows.add(new Row(title, List.of(panels)));
  }

  List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }

  String json() {
    List<String> panels = new ArrayList<>();
    int id = 1;
    int y = 0;
    for (Row row : rows) {
      panels.add(
          "{\"id\": %s, \"type\": \"row\", \"title\": \"%s\", \"collapsed\": false, %s, \"panels\": []}"
              .formatted(id++, row.title(), place(0, y++, WIDTH, 1)));
      int x = 0;
      for (Panel panel : row.panels()) {
        if (x + PANEL_WIDTH > WIDTH) {
          x = 0;
          y += PANEL_HEIGHT;
        }
        panels.add(panel(id++, panel, place(x, y, PANEL_WIDTH, PANEL_HEIGHT)));
        x += PANEL_WIDTH;
      }
      y += PANEL_HEIGHT;
    }
    return """
        {
          "title": "Rockpool",
          "uid": "rockpool",
          "tags": ["rockpool"],
          "schemaVersion": 39,
          "version": 1,
          "editable": true,
          "refresh": "30s",
          "time": {"from": "now-3h", "to": "now"},
          "timezone": "",
          "annotations": {"list": []},
          "templating": {
            "list": [
              {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Source"},
              %s,
              %s
            ]
          },
          "panels": [
            %s
          ]
        }
        """
        .formatted(
            variable("store", "rockpool_disk_used_bytes"),
            variable("cache", "cache_puts_total"),
            String.join(",\n    ", panels));
  }

  private static String place(int x, int y, int width, int height) {
    return "\"gridPos\": {\"x\": %s, \"y\": %s, \"w\": %s, \"h\": %s}"
        .formatted(x, y, width, height);
  }

  /** A choice among the values of a label of a metric. */
  private static String variable(String label, String metric) {
    return """
        {"name": "%1$s", "type": "query", "datasource": %3$s, "query": "label_values(%2$s, %1$s)", \
        "includeAll": true, "multi": true, "allValue": ".*", "refresh": 2}"""
        .formatted(label, metric, SOURCE);
  }

  private static String panel(int id, Panel panel, String place) {
    List<String> targets = new ArrayList<>();
    Iterator<String> lines = panel.lines().iterator();
    while (lines.hasNext()) {
      String legend = lines.next();
      targets.add(
          "{\"refId\": \"%c\", \"datasource\": %s, \"legendFormat\": \"%s\", \"expr\": \"%s\"}"
              .formatted('A' + targets.size(), SOURCE, legend, lines.next().replace("\"", "\\\"")));
    }
    return """
        {"id": %s, "type": "timeseries", "title": "%s", "datasource": %s, %s, \
        "fieldConfig": {"defaults": {"unit": "%s", "min": 0}, "overrides": []}, \
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, \
        "tooltip": {"mode": "multi"}}, "targets": [%s]}"""
        .formatted(id, panel.title(), SOURCE, place, panel.unit(), String.join(", ", targets));
  }
}
