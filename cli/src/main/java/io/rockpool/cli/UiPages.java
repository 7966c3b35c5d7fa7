package io.rockpool.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.engine.RecordKey;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pages of {@code ui} as HTML. Everything that comes from the store is escaped. */
final class UiPages {
  /** The names or elements on a page. */
  static final int SIZE = 100;

  /** The most characters of a value in a table, and on its own page. */
  private static final int MAX_CELL = 200;

  private static final int MAX_VALUE = 1 << 20;

  private static final String PREFIX = "prefix";

  private final @Nullable String directory;
  private final ClassLoader classes;
  private final UiPlaces places = new UiPlaces();

  /**
   * What is asked for.
   *
   * @param opened when the copy was made
   * @param address of the page, relative to that of the names
   * @param query the decoded part of the address after its question mark
   */
  record Request(Instant opened, String address, Map<String, String> query) {}

  /**
   * Creates the pages.
   *
   * @param directory of the store; null for a server
   * @param classes of the application
   */
  UiPages(@Nullable String directory, ClassLoader classes) {
    this.directory = directory;
    this.classes = classes;
  }

  /** The page of all names. */
  String names(Rockpool pool, Request request) {
    String prefix = request.query().getOrDefault(PREFIX, "");
    boolean isBySize = "bytes".equals(request.query().get("by"));
    int from = Math.max(0, Integer.parseInt(request.query().getOrDefault("from", "0")));
    List<Description> all =
        pool.names().list().stream()
            .filter(name -> name.name().startsWith(prefix))
            .sorted(
                isBySize
                    ? Comparator.comparingLong((Description name) -> name.diskBytes().orElse(0))
                        .reversed()
                    : Comparator.comparing(Description::name))
            .toList();
    List<Description> shown = all.stream().skip(from).limit(SIZE).toList();
    Figures figures = new Figures(pool);
    StringBuilder html = new StringBuilder();
    html.append(search("", Map.of(), prefix, "Names that begin with"));
    html.append("<p id=\"count\">")
        .append(all.size())
        .append(all.size() == 1 ? " name" : " names")
        .append(", in the order of ")
        .append(
            isBySize
                ? link("?prefix=" + encoded(prefix), "names") + " | <b>sizes</b>"
                : "<b>names</b> | " + link("?by=bytes&prefix=" + encoded(prefix), "sizes"))
        .append("</p>\n");
    html.append(table("names", shown.stream().map(name -> row(name, figures)).toList()));
    List<Description> queues =
        shown.stream().filter(name -> QueueMessages.areIn(name.type())).toList();
    if (!queues.isEmpty()) {
      html.append("<h2>Queues</h2>\n");
      html.append(
          table("queues", queues.stream().map(name -> messages(pool, name, figures)).toList()));
    }
    if (from + SIZE < all.size()) {
      String next = "?from=" + (from + SIZE) + "&prefix=" + encoded(prefix);
      html.append(next(isBySize ? next + "&by=bytes" : next));
    }
    if (shown.stream().anyMatch(name -> name.type().equals("cache"))) {
      html.append(
          "<p class=\"note\">Hit ratios are counted by the process that uses a cache, and are in"
              + " its metrics, not in the store.</p>\n");
    }
    return whole("Names", request, html.toString());
  }

  private static Map<String, String> row(Description name, Figures figures) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("name", nameLink(name.name()));
    row.put("type", escaped(name.type()));
    row.put("of", code(Output.escaped(ListNames.types(name))));
    row.put("entries", escaped(figures.entries(name)));
    name.diskBytes().ifPresent(bytes -> row.put("size", escaped(Sizes.text(bytes))));
    row.put("opened", name.lastAccess().truncatedTo(ChronoUnit.SECONDS).toString());
    return row;
  }

  private static Map<String, String> messages(Rockpool pool, Description name, Figures figures) {
    Figures.Messages messages = figures.messages(name);
    Map<String, String> row = new LinkedHashMap<>();
    row.put("name", nameLink(name.name()));
    row.put("ready", String.valueOf(messages.ready()));
    row.put("delayed", String.valueOf(messages.delayed()));
    row.put("in flight", String.valueOf(messages.inFlight()));
    row.put("paused", messages.isPaused() ? "yes" : "no");
    String dead = messages.deadLetters();
    if (dead != null) {
      String count = pool.names().find(dead).map(figures::entries).orElse("0");
      row.put("dead letters", escaped(count) + " in " + nameLink(dead));
    }
    return row;
  }

  /** The page of a name; null if the store does not have it. */
  @Nullable String name(Rockpool pool, Request request) {
    Description name = pool.names().find(nameIn(request)).orElse(null);
    if (name == null) {
      return null;
    }
    String prefix = request.query().getOrDefault(PREFIX, "");
    String after = request.query().get("after");
    Decoder decoder = Decoder.of(pool, name, classes);
    Elements.Page page =
        Elements.of(pool, name)
            .page(
                after == null ? null : places.open(after),
                SIZE,
                element -> prefix.isEmpty() || matches(decoder, element, prefix));
    Figures figures = new Figures(pool);
    StringBuilder html = new StringBuilder(facts(Info.ofName(pool, name)));
    if (QueueMessages.areIn(name.type())) {
      html.append(table("queues", List.of(messages(pool, name, figures))));
    }
    html.append("<h2>Elements: ").append(escaped(figures.entries(name))).append("</h2>\n");
    if (Scan.hasKeys(name.type())) {
      html.append(search("name", Map.of("name", name.name()), prefix, "Keys that begin with"));
    }
    html.append(
        table(
            "elements",
            page.elements().stream().map(each -> row(name.name(), decoder, each)).toList()));
    if (page.elements().isEmpty()) {
      html.append("<p>There are none here.</p>\n");
    }
    RecordKey last = page.last();
    if (last != null) {
      html.append(
          next(nameAddress(name.name()) + "&prefix=" + encoded(prefix) + "&after=" + place(last)));
    }
    return whole(name.name(), request, html.toString());
  }

  private static boolean matches(Decoder decoder, Element element, String prefix) {
    return element.key() == null
        || decoder.keyText(element.key()).startsWith(prefix)
        || (element.row() != null && decoder.rowText(element.row()).startsWith(prefix));
  }

  private String place(RecordKey record) {
    return encoded(places.seal(record));
  }

  private Map<String, String> row(String name, Decoder decoder, Elements.Found found) {
    Map<String, String> row = new LinkedHashMap<>();
    boolean isWhole = true;
    for (Map.Entry<String, Object> part : decoder.show(found.element(), false).entrySet()) {
      String text = Output.text(part.getValue());
      isWhole &= text.length() <= MAX_CELL && !text.startsWith("{") && !text.startsWith("[");
      row.put(part.getKey(), code(cut(text, MAX_CELL)));
    }
    if (!isWhole) {
      String address = "entry?name=" + encoded(name) + "&at=" + place(found.record());
      row.put("more", link(address, "all of it"));
    }
    return row;
  }

  /** The page of an element; null if the store does not have it. */
  @Nullable String entry(Rockpool pool, Request request) {
    String name = nameIn(request);
    Description described = pool.names().find(name).orElse(null);
    RecordKey record = places.open(request.query().getOrDefault("at", ""));
    Element element = described == null ? null : Elements.of(pool, described).find(record);
    if (described == null || element == null) {
      return null;
    }
    StringBuilder html = new StringBuilder("<p>Of " + nameLink(name) + "</p>\n<dl>\n");
    Decoder.of(pool, described, classes)
        .show(element, false)
        .forEach(
            (part, value) ->
                html.append("<dt>")
                    .append(escaped(part))
                    .append("</dt><dd><pre>")
                    .append(html(cut(Output.pretty(value), MAX_VALUE)))
                    .append("</pre></dd>\n"));
    return whole("An element", request, html + "</dl>\n");
  }

  /** A page that says why there is no other. */
  String failure(String why) {
    return frame("Not shown", "", "<p id=\"failure\">" + escaped(why) + "</p>\n");
  }

  private String whole(String title, Request request, String body) {
    String state =
        directory == null
            ? "<p>What the server has now.</p>\n"
            : "<form method=\"post\" action=\"refresh?to="
                + encoded(request.address())
                + "\"><p>A copy of "
                + code(Output.escaped(directory))
                + ", made at <time id=\"opened\">"
                + request.opened()
                + "</time>. Later changes are not shown."
                + " <button id=\"refresh\">New copy</button></p></form>\n";
    return frame(title, state, body);
  }

  private static String frame(String title, String state, String body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<title>"
        + escaped(title)
        + " - Rockpool</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
        + "<header><a id=\"home\" href=\"./\">Rockpool</a>\n"
        + state
        + "</header>\n<main>\n<h1>"
        + escaped(title)
        + "</h1>\n"
        + body
        + "</main>\n</body>\n</html>\n";
  }

  private static String facts(Map<String, Object> facts) {
    return facts.entrySet().stream()
        .filter(fact -> !fact.getKey().equals("name"))
        .map(
            fact ->
                "<dt>"
                    + escaped(fact.getKey())
                    + "</dt><dd>"
                    + html(Output.text(fact.getValue()))
                    + "</dd>\n")
        .collect(Collectors.joining("", "<dl>\n", "</dl>\n"));
  }

  /** A table of rows of HTML; narrow screens show each row as a list, with the labels of cells. */
  private static String table(String id, List<Map<String, String>> rows) {
    if (rows.isEmpty()) {
      return "";
    }
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    List<String> lines = new ArrayList<>();
    for (Map<String, String> row : rows) {
      lines.add(
          columns.stream()
              .map(
                  column ->
                      row.containsKey(column)
                          ? "<td data-label=\""
                              + escaped(column)
                              + "\">"
                              + row.get(column)
                              + "</td>"
                          : "<td></td>")
              .collect(Collectors.joining("", "<tr>", "</tr>\n")));
    }
    return columns.stream()
            .map(column -> "<th>" + escaped(column) + "</th>")
            .collect(
                Collectors.joining("", "<table id=\"" + id + "\">\n<thead><tr>", "</tr></thead>\n"))
        + lines.stream().collect(Collectors.joining("", "<tbody>\n", "</tbody>\n</table>\n"));
  }

  private static String search(
      String action, Map<String, String> hidden, String prefix, String label) {
    return "<form action=\""
        + (action.isEmpty() ? "./" : action)
        + "\">"
        + hidden.entrySet().stream()
            .map(
                field ->
                    "<input type=\"hidden\" name=\"%s\" value=\"%s\">"
                        .formatted(field.getKey(), value(field.getValue())))
            .collect(Collectors.joining())
        + "<label>"
        + label
        + " <input id=\"prefix\" name=\"prefix\" value=\""
        + value(prefix)
        + "\"></label> <button id=\"search\">Search</button></form>\n";
  }

  private static String next(String address) {
    return "<p><a id=\"next\" href=\"" + html(address) + "\">Next page</a></p>\n";
  }

  private static String nameAddress(String name) {
    return "name?name=" + encoded(name);
  }

  private static String nameLink(String name) {
    return link(nameAddress(name), name);
  }

  private static String link(String address, String text) {
    return "<a href=\"" + html(address) + "\">" + escaped(text) + "</a>";
  }

  private static String code(String text) {
    return "<code>" + html(text) + "</code>";
  }

  private static String nameIn(Request request) {
    return request.query().getOrDefault("name", "");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end) + " … (" + text.length() + " characters)";
  }

  /** A text of the store: hidden characters are shown, and none is HTML. */
  private static String escaped(String text) {
    return html(Output.escaped(text));
  }

  /** The value of a field, which is sent as it was: hidden characters are written by number. */
  private static String value(String text) {
    return html(text)
        .codePoints()
        .mapToObj(c -> Output.isHidden(c) ? "&#" + c + ";" : Character.toString(c))
        .collect(Collectors.joining());
  }

  /** Keeps a text from being HTML, in content and in attributes with quotation marks. */
  static String html(String text) {
    return Objects.requireNonNull(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
