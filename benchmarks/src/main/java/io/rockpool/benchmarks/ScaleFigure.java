package io.rockpool.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws operations a second by the number of entries, both on logarithmic axes. */
final class ScaleFigure {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 320;
  private static final int MARGIN = 60;

  /** The lowest and the highest power of ten of operations a second. */
  private static final int LOW = 3;

  private static final int HIGH = 7;

  /** What was measured with so many entries, in operations a second. */
  record Point(double entries, double fill, double get, double put, double scan) {}

  private ScaleFigure() {}

  /** An SVG image. */
  static String of(List<Point> points) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" font-family=\"sans-serif\""
                .formatted(WIDTH, HEIGHT)
            + " font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    for (int power = LOW; power <= HIGH; power++) {
      double y = y(Math.pow(10, power));
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
              MARGIN,
              y,
              WIDTH - MARGIN,
              y));
      svg.append(text(4, y + 4, String.format(Locale.ROOT, "%,.0f", Math.pow(10, power))));
    }
    for (Point point : points) {
      svg.append(
          text(
              x(points, point) - 30,
              HEIGHT - 20,
              String.format(Locale.ROOT, "%,.0f", point.entries())));
    }
    svg.append(series(points, "fill", "#1f6f8b", Point::fill));
    svg.append(series(points, "get", "#c0392b", Point::get));
    svg.append(series(points, "put", "#27ae60", Point::put));
    svg.append(series(points, "scan", "#8e44ad", Point::scan));
    svg.append(text(4, 16, "operations a second, by entries"));
    return svg.append("</svg>\n").toString();
  }

  private static String series(
      List<Point> points, String name, String color, ToDoubleFunction<Point> value) {
    StringBuilder line = new StringBuilder();
    for (Point point : points) {
      line.append(
          String.format(
              Locale.ROOT, "%.1f,%.1f ", x(points, point), y(value.applyAsDouble(point))));
    }
    Point last = points.get(points.size() - 1);
    return "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
            .formatted(line.toString().strip(), color)
        + text(x(points, last) + 6, y(value.applyAsDouble(last)) + 4, name);
  }

  private static double x(List<Point> points, Point point) {
    double first = Math.log10(points.get(0).entries());
    double range = Math.max(1, Math.log10(points.get(points.size() - 1).entries()) - first);
    return MARGIN + 30 + (WIDTH - 2 * MARGIN - 60) * (Math.log10(point.entries()) - first) / range;
  }

  private static double y(double perSecond) {
    double part = (Math.log10(Math.max(1, perSecond)) - LOW) / (HIGH - LOW);
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * part;
  }

  private static String text(double x, double y, String text) {
    return String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, text);
  }
}
