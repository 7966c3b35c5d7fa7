package io.rockpool.soak;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws samples: a small chart of each series over the time, one below the other. */
final class Figure {
  private static final int WIDTH = 720;
  private static final int CHART_HEIGHT = 110;
  private static final int GAP = 34;
  private static final int LEFT = 10;

  private Figure() {}

  /** An SVG image. */
  static String of(List<Sample> samples, String caption) {
    int height = GAP + Sample.SERIES.size() * (CHART_HEIGHT + GAP);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            .formatted(WIDTH, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append(text(LEFT, GAP / 2, caption));
    int top = GAP;
    for (Sample.Series series : Sample.SERIES) {
      svg.append(chart(samples, series, top + GAP / 2));
      top += CHART_HEIGHT + GAP;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String chart(List<Sample> samples, Sample.Series series, int top) {
    double max = samples.stream().mapToDouble(series.value()).max().orElse(0);
    double last = samples.get(samples.size() - 1).seconds();
    String points =
        samples.stream()
            .map(
                sample ->
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        LEFT + (WIDTH - 2 * LEFT) * sample.seconds() / last,
                        top
                            + CHART_HEIGHT
                            - CHART_HEIGHT
                                * series.value().applyAsDouble(sample)
                                / Math.max(1, max * 1.1)))
            .collect(Collectors.joining(" "));
    return text(LEFT, top - 4, "%s (highest %.0f)".formatted(series.title(), max))
        + "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#bbb\"/>%n"
            .formatted(LEFT, top, WIDTH - 2 * LEFT, CHART_HEIGHT)
        + "<polyline points=\"%s\" fill=\"none\" stroke=\"#1f6f8b\" stroke-width=\"1.5\"/>%n"
            .formatted(points);
  }

  private static String text(int x, int y, String text) {
    return "<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, text);
  }
}
