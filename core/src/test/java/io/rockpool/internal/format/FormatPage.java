package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.error.CorruptStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The examples in {@code docs/FORMAT.md}, and how each format's fields are written there. */
final class FormatPage {
  private static final Pattern BLOCK =
      Pattern.compile(
          "^```(golden|refused|derived) (\\S+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern LINE = Pattern.compile("^(\\w+) =(?: (.*))?$", Pattern.MULTILINE);

  private FormatPage() {}

  /** One block: the format, its fields as the page has them, and the bytes in hexadecimal. */
  record Example(String format, Map<String, String> fields, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  /** How a format's fields become bytes and are found in them. */
  interface Format {
    byte[] encode(Map<String, String> fields);

    Map<String, String> decode(byte[] bytes);
  }

  private interface Encoder {
    byte[] encode(Map<String, String> fields);
  }

  private interface Decoder {
    Map<String, String> decode(byte[] bytes);
  }

  private static List<MarkerFormat.Feature> features(@Nullable String field) {
    return field == null || field.isEmpty()
        ? List.of()
        : Stream.of(field.split(", ", -1)).map(FormatPage::feature).toList();
  }

  /** A feature as in {@code readable pages 0.2.0}. */
  private static MarkerFormat.Feature feature(String text) {
    String[] parts = text.split(" ", -1);
    return new MarkerFormat.Feature(parts[0].equals("readable"), parts[1], parts[2]);
  }

  private static String featuresOf(String marker) {
    return MarkerFormat.unknown(marker, /* toWrite= */ true).stream()
        .map(it -> (it.toRead() ? "readable " : "writable ") + it.word() + " " + it.since())
        .collect(Collectors.joining(", "));
  }

  static final Map<String, Format> FORMATS =
      Map.ofEntries(
          format(
              "marker",
              f ->
                  MarkerFormat.encode(
                          number(f.get("format")).intValue(), features(f.get("features")))
                      .getBytes(StandardCharsets.US_ASCII),
              b ->
                  Map.of(
                      "format",
                      ""
                          + MarkerFormat.decode(new String(b, StandardCharsets.US_ASCII))
                              .orElseThrow(),
                      "features",
                      featuresOf(new String(b, StandardCharsets.US_ASCII)))),
          format(
              "recovery-point",
              f ->
                  new RecoveryPoint(
                          Boolean.parseBoolean(f.get("closed")),
                          number(f.get("sequence")),
                          number(f.get("manifest")),
                          number(f.get("manifestBytes")))
                      .encode(),
              b -> {
                RecoveryPoint point = RecoveryPoint.decode(b);
                return Map.of(
                    "closed",
                    "" + point.closed(),
                    "sequence",
                    "" + point.sequence(),
                    "manifest",
                    "" + point.manifest(),
                    "manifestBytes",
                    "" + point.manifestBytes());
              }),
          format(
              "row-key",
              f ->
                  RowKeyFormat.encode(
                      number(f.get("generation")), raw(f.get("hashKey")), raw(f.get("sortKey"))),
              b ->
                  Map.of(
                      "hashKey", text(RowKeyFormat.hashKey(b)),
                      "sortKey", text(RowKeyFormat.sortKey(b)),
                      "generation", "" + Generation.of(b))),
          format(
              "entry-key",
              f -> EntryKeyFormat.encode(number(f.get("generation")), raw(f.get("hashKey"))),
              b ->
                  Map.of(
                      "hashKey",
                      text(EntryKeyFormat.hashKey(b)),
                      "generation",
                      "" + Generation.of(b))),
          format(
              "expiry-index-key",
              f -> ExpiryIndexFormat.encode(number(f.get("expiry")), raw(f.get("recordKey"))),
              b ->
                  Map.of(
                      "expiry",
                      "" + ExpiryIndexFormat.expiryMillis(b),
                      "recordKey",
                      text(ExpiryIndexFormat.recordKey(b)))),
          format(
              "catalog-name-key",
              f -> CatalogKeyFormat.name(new String(raw(f.get("name")), StandardCharsets.UTF_8)),
              b -> Map.of("name", "\"" + CatalogKeyFormat.nameOf(b) + "\"")),
          format(
              "catalog-dead-generation-key",
              f -> CatalogKeyFormat.deadGeneration(number(f.get("generation"))),
              b -> Map.of("generation", "" + CatalogKeyFormat.deadGenerationOf(b))),
          format(
              "catalog-next-generation-key", f -> CatalogKeyFormat.nextGeneration(), b -> Map.of()),
          format(
              "row-record",
              f ->
                  RowRecordFormat.encode(
                      raw(f.get("value")),
                      expiry(f.get("expiry")),
                      Boolean.parseBoolean(f.get("counted"))),
              b -> {
                long expiry = RowRecordFormat.expiryMillis(b, b.length);
                int from = RowRecordFormat.headerLength(expiry);
                return Map.of(
                    "expiry", expiry(expiry),
                    "counted", "" + RowRecordFormat.isCounted(b, b.length),
                    "value", text(Arrays.copyOfRange(b, from, b.length)));
              }),
          format(
              "entry",
              f -> EntryFormat.encode(raw(f.get("value")), expiry(f.get("expiry"))),
              b -> {
                int from = EntryFormat.HEADER_BYTES;
                int to = EntryFormat.valueLength(b, b.length) + from;
                return Map.of(
                    "expiry", expiry(EntryFormat.expiryMillis(b, b.length)),
                    "value", text(Arrays.copyOfRange(b, from, to)));
              }),
          format(
              "cache-value",
              f ->
                  CacheValueFormat.encode(
                      raw(f.get("payload")),
                      expiry(f.get("deadline")),
                      f.get("refresh").equals("unknown")
                          ? CacheValueFormat.NO_REFRESH_TIME
                          : expiry(f.get("refresh")),
                      f.get("tags").equals("none")
                          ? null
                          : EntryTagsFormat.encode(
                              number(f.get("epoch")),
                              Arrays.stream(f.get("tags").split(","))
                                  .map(FormatPage::raw)
                                  .toList())),
              b -> {
                int header = CacheValueFormat.headerBytes(b, 0, b.length);
                long refresh = CacheValueFormat.refreshMillis(b, 0);
                byte[] tags = CacheValueFormat.tags(b, 0, b.length);
                return Map.of(
                    "deadline", expiry(CacheValueFormat.deadlineMillis(b, 0)),
                    "refresh",
                        refresh == CacheValueFormat.NO_REFRESH_TIME ? "unknown" : expiry(refresh),
                    "epoch", tags == null ? "none" : "" + EntryTagsFormat.epoch(tags),
                    "tags",
                        tags == null
                            ? "none"
                            : EntryTagsFormat.tags(tags).stream()
                                .map(FormatPage::text)
                                .collect(Collectors.joining(",")),
                    "payload", text(Arrays.copyOfRange(b, header, b.length)));
              }),
          format(
              "tag-epoch",
              f -> TagEpochFormat.encode(number(f.get("epoch")), number(f.get("first"))),
              b ->
                  Map.of(
                      "epoch", "" + TagEpochFormat.epoch(b),
                      "first", "" + TagEpochFormat.first(b))),
          format(
              "tag-mark",
              f -> TagEpochFormat.encodeMark(number(f.get("epoch"))),
              b -> Map.of("epoch", "" + TagEpochFormat.mark(b))),
          format(
              "hot-keys",
              f ->
                  HotKeysFormat.encode(
                      Arrays.stream(f.get("keys").split(",", -1)).map(FormatPage::raw).toList()),
              b ->
                  Map.of(
                      "keys",
                      HotKeysFormat.decode(b).stream()
                          .map(FormatPage::text)
                          .collect(Collectors.joining(",")))),
          format(
              "pending-change",
              f ->
                  PendingChangeFormat.encode(
                      new PendingChangeFormat.Pending(
                          number(f.get("sequence")),
                          number(f.get("time")),
                          number(f.get("attempts")).intValue(),
                          f.get("cause").equals("none") ? null : f.get("cause"),
                          f.get("value").equals("none") ? null : raw(f.get("value")))),
              b -> {
                PendingChangeFormat.Pending p = PendingChangeFormat.decode(b);
                return Map.of(
                    "sequence", "" + p.sequence(),
                    "time", "" + p.timeMillis(),
                    "attempts", "" + p.attempts(),
                    "cause", p.cause() == null ? "none" : p.cause(),
                    "value", p.value() == null ? "none" : text(p.value()));
              }),
          format(
              "logged-change",
              f ->
                  new LoggedChange(
                          number(f.get("kind")).byteValue(),
                          number(f.get("time")),
                          expiry(f.get("expiry")),
                          number(f.get("offset")).intValue(),
                          raw(f.get("hashKey")),
                          raw(f.get("sortKey")),
                          raw(f.get("value")))
                      .encode(),
              b -> {
                LoggedChange c = LoggedChange.decode(b);
                return Map.of(
                    "kind", "" + c.kind(),
                    "time", "" + c.timeMillis(),
                    "expiry", expiry(c.expiryMillis()),
                    "offset", "" + c.offset(),
                    "hashKey", text(c.hashKey()),
                    "sortKey", text(c.sortKey()),
                    "value", text(c.value()));
              }),
          format(
              "change-log-head",
              f ->
                  new ChangeLogHead(
                          number(f.get("pending")).byteValue(),
                          number(f.get("next")),
                          number(f.get("first")),
                          number(f.get("bytesOfAll")),
                          number(f.get("time")),
                          number(f.get("expiry")))
                      .encode(),
              b -> {
                ChangeLogHead h = ChangeLogHead.decode(b);
                return Map.of(
                    "pending", "" + h.pending(),
                    "next", "" + h.next(),
                    "first", "" + h.first(),
                    "bytesOfAll", "" + h.bytes(),
                    "time", "" + h.timeMillis(),
                    "expiry", "" + h.pendingExpiryMillis());
              }),
          format(
              "count",
              f -> CountFormat.encode(number(f.get("count"))),
              b -> Map.of("count", "" + CountFormat.decode(b, b.length))),
          format(
              "descriptor",
              f ->
                  new Descriptor(
                          Layout.valueOf(f.get("layout")),
                          number(f.get("generation")),
                          number(f.get("created")),
                          number(f.get("opened")),
                          number(f.get("resets")),
                          expiry(f.get("expiry")),
                          attributes(f.get("attributes")))
                      .encode(),
              b -> {
                Descriptor d = Descriptor.decode(b);
                return Map.of(
                    "layout", d.layout().name(),
                    "generation", "" + d.generation(),
                    "created", "" + d.createdMillis(),
                    "opened", "" + d.openedMillis(),
                    "resets", "" + d.resets(),
                    "expiry", expiry(d.expiryMillis()),
                    "attributes", attributes(d.attributes()));
              }),
          format(
              "descriptor-copy",
              f -> {
                byte[] key = CatalogKeyFormat.name(f.get("name"));
                byte[] copy = DescriptorCopy.encode(key, raw(f.get("descriptor")));
                return ByteBuffer.allocate(key.length + copy.length).put(key).put(copy).array();
              },
              b -> {
                byte[] key = CatalogKeyFormat.name("map");
                byte[] copy = Arrays.copyOfRange(b, Math.min(key.length, b.length), b.length);
                byte[] descriptor = DescriptorCopy.decode(key, copy).encode();
                return Map.of(
                    "name", "map", "descriptor", "0x" + HexFormat.of().formatHex(descriptor));
              }),
          format(
              "dead-generation",
              f ->
                  new DeadGeneration(Layout.valueOf(f.get("layout")), number(f.get("died")))
                      .encode(),
              b -> {
                DeadGeneration dead = DeadGeneration.decode(b);
                return Map.of("layout", dead.layout().name(), "died", "" + dead.diedMillis());
              }),
          format(
              "position",
              f -> PositionFormat.encode(number(f.get("position"))),
              b -> Map.of("position", "" + PositionFormat.decode(b))),
          format(
              "deque-ends",
              f ->
                  new DequeEnds(
                          number(f.get("from")),
                          number(f.get("to")),
                          number(f.get("offGrid")),
                          expiry(f.get("nextExpiry")))
                      .encode(),
              b -> {
                DequeEnds ends = DequeEnds.decode(b);
                return Map.of(
                    "from", "" + ends.from(),
                    "to", "" + ends.to(),
                    "offGrid", "" + ends.offGrid(),
                    "nextExpiry", expiry(ends.nextExpiryMillis()));
              }),
          format("queue-head", FormatPage::queueHead, FormatPage::queueHead),
          format("queue-attempts", FormatPage::queueAttempts, FormatPage::queueAttempts),
          format("queue-message", FormatPage::queueMessage, FormatPage::queueMessage),
          format(
              "newest-firing",
              f -> {
                byte[] key = QueueKeyFormat.newestFiring();
                byte[] value = new NewestFiring(number(f.get("id")), f.get("schedule")).encode();
                return ByteBuffer.allocate(key.length + value.length).put(key).put(value).array();
              },
              b -> {
                byte[] key = QueueKeyFormat.newestFiring();
                if (!Arrays.equals(key, Arrays.copyOf(b, key.length))) {
                  throw new CorruptStoreException("it does not begin with the key", null);
                }
                NewestFiring newest =
                    NewestFiring.decode(Arrays.copyOfRange(b, key.length, b.length));
                return Map.of("id", "" + newest.id(), "schedule", newest.schedule());
              }),
          format(
              "next-generation",
              f -> NextGenerationFormat.encode(number(f.get("generation"))),
              b -> Map.of("generation", "" + NextGenerationFormat.decode(b))),
          format(
              "scored-member",
              f -> ScoredSetFormat.memberValue(score(f), expiry(f.get("expiry"))),
              b ->
                  Map.of(
                      "score",
                      "" + ScoredSetFormat.memberScore(b, 0, b.length),
                      "expiry",
                      expiry(ScoredSetFormat.memberExpiryMillis(b, 0, b.length)))),
          format(
              "scored-place-key",
              f -> ScoredSetFormat.placeKey(score(f), raw(f.get("element"))),
              b ->
                  Map.of(
                      "score",
                      "" + ScoredSetFormat.score(b),
                      "element",
                      text(ScoredSetFormat.element(b)))),
          format(
              "scored-due-key",
              f -> ScoredSetFormat.dueKey(number(f.get("expiry")), raw(f.get("element"))),
              b ->
                  Map.of(
                      "expiry",
                      "" + ScoredSetFormat.expiryMillis(b),
                      "element",
                      text(ScoredSetFormat.element(b)))),
          format(
              "rank-node",
              f -> RankNodeFormat.encode(node(f)),
              b -> {
                RankNodeFormat.Node node = RankNodeFormat.decode(b);
                return Map.of("level", "" + node.level(), "shares", shares(node));
              }));

  private static double score(Map<String, String> fields) {
    return Double.parseDouble(fields.get("score"));
  }

  private static RankNodeFormat.Node node(Map<String, String> fields) {
    List<byte[]> separators = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (String share : fields.get("shares").split(",", -1)) {
      separators.add(raw(share.substring(0, share.indexOf(':'))));
      places.add(number(share.substring(share.indexOf(':') + 1)));
    }
    return new RankNodeFormat.Node(
        number(fields.get("level")).intValue(),
        places.stream().mapToLong(Long::longValue).toArray(),
        Separators.of(separators));
  }

  private static String shares(RankNodeFormat.Node node) {
    List<String> shares = new ArrayList<>();
    for (int i = 0; i < node.places().length; i++) {
      shares.add(text(node.separators().get(i)) + ":" + node.places()[i]);
    }
    return String.join(",", shares);
  }

  /** The hash key of the bucket row that the fields speak of. */
  static byte[] bucket(Map<String, String> fields) {
    int buckets = number(fields.get("buckets")).intValue();
    return BucketFormat.hashKey(BucketFormat.bucketOf(raw(fields.get("key")), buckets));
  }

  private static Map.Entry<String, Format> format(String name, Encoder encoder, Decoder decoder) {
    return Map.entry(
        name,
        new Format() {
          @Override
          public byte[] encode(Map<String, String> fields) {
            return encoder.encode(fields);
          }

          @Override
          public Map<String, String> decode(byte[] bytes) {
            return new TreeMap<>(decoder.decode(bytes));
          }
        });
  }

  static Format format(Example example) {
    return FORMATS.get(example.format());
  }

  private static byte[] queueHead(Map<String, String> f) {
    List<Long> leases = numbers(f.get("leases"));
    List<QueueLane> lanes = new ArrayList<>();
    for (String lane : f.get("lanes").isEmpty() ? new String[0] : f.get("lanes").split("; ", -1)) {
      List<Long> of = numbers(lane);
      lanes.add(new QueueLane(of.get(0).intValue(), of.get(1), of.get(2), of.get(3)));
    }
    List<QueueLease> here = new ArrayList<>();
    for (String lease : f.get("here").isEmpty() ? new String[0] : f.get("here").split("; ", -1)) {
      String[] parts = lease.split(" ", -1);
      byte[] attempts = HexFormat.of().parseHex(parts[1]);
      here.add(new QueueLease(Long.parseLong(parts[0]), QueueAttempts.decode(attempts)));
    }
    return new QueueHead(
            number(f.get("owner")),
            Boolean.parseBoolean(f.get("paused")),
            number(f.get("nextId")),
            number(f.get("dying")),
            number(f.get("lasting")),
            new QueueLeases(
                leases.get(0),
                leases.get(1),
                leases.get(2),
                leases.get(3),
                leases.get(4),
                leases.get(5),
                leases.get(6),
                leases.get(7),
                leases.get(8),
                here),
            lanes)
        .encode();
  }

  private static List<Long> numbers(String text) {
    return Arrays.stream(text.split(" ", -1)).map(FormatPage::expiry).toList();
  }

  private static Map<String, String> queueHead(byte[] bytes) {
    QueueHead head = QueueHead.decode(bytes);
    QueueLeases leases = head.leases();
    return Map.of(
        "owner",
        "" + head.owner(),
        "paused",
        "" + head.paused(),
        "nextId",
        "" + head.nextId(),
        "dying",
        "" + head.dying(),
        "lasting",
        "" + head.lasting(),
        "here",
        leases.here().stream()
            .map(
                lease -> lease.number() + " " + HexFormat.of().formatHex(lease.attempts().encode()))
            .collect(Collectors.joining("; ")),
        "leases",
        leases.next()
            + (" " + leases.orphansFrom() + " " + leases.orphansTo())
            + (" " + leases.lineFrom() + " " + expiry(leases.lineDueMillis()))
            + (" " + leases.lineLastMillis() + " " + leases.checked())
            + (" " + leases.outsideFrom() + " " + expiry(leases.outsideDueMillis())),
        "lanes",
        head.lanes().stream()
            .map(
                lane ->
                    lane.lane()
                        + (" " + lane.from() + " " + lane.to())
                        + (" " + expiry(lane.dueMillis())))
            .collect(Collectors.joining("; ")));
  }

  private static byte[] queueAttempts(Map<String, String> f) {
    return new QueueAttempts(
            number(f.get("token")),
            Boolean.parseBoolean(f.get("outside")),
            number(f.get("due")),
            number(f.get("deliveries")).intValue(),
            number(f.get("first")),
            f.get("cause"),
            HexFormat.of().parseHex(f.get("key")))
        .encode();
  }

  private static Map<String, String> queueAttempts(byte[] bytes) {
    QueueAttempts attempts = QueueAttempts.decode(bytes);
    return Map.of(
        "token", "" + attempts.token(),
        "outside", "" + attempts.outside(),
        "due", "" + attempts.dueMillis(),
        "deliveries", "" + attempts.deliveries(),
        "first", "" + attempts.firstMillis(),
        "cause", attempts.cause(),
        "key", HexFormat.of().formatHex(attempts.messageKey()));
  }

  private static byte[] queueMessage(Map<String, String> f) {
    Map<String, String> headers = new TreeMap<>();
    for (String header : f.get("headers").isEmpty() ? new String[0] : f.get("headers").split(" ")) {
      headers.put(header.split("=", -1)[0], header.split("=", -1)[1]);
    }
    QueueDeath death = null;
    if (!f.get("death").isEmpty()) {
      String[] of = f.get("death").split(" ", -1);
      List<Long> numbers = Arrays.stream(of).skip(3).map(FormatPage::number).toList();
      death =
          new QueueDeath(
              of[0],
              of[1],
              of[2].equals("-") ? null : of[2],
              numbers.get(0),
              numbers.get(1).intValue(),
              numbers.get(2).intValue(),
              numbers.get(3),
              numbers.get(4));
    }
    return new QueueMessage(number(f.get("sent")), headers, death, raw(f.get("content")), 0)
        .encode();
  }

  private static Map<String, String> queueMessage(byte[] bytes) {
    QueueMessage message = QueueMessage.decode(bytes);
    QueueDeath death = message.death();
    return Map.of(
        "sent",
        "" + message.sentMillis(),
        "headers",
        message.headers().entrySet().stream()
            .map(header -> header.getKey() + "=" + header.getValue())
            .collect(Collectors.joining(" ")),
        "death",
        death == null
            ? ""
            : String.join(
                    " ",
                    death.queue(),
                    death.cause(),
                    Objects.requireNonNullElse(death.group(), "-"))
                + (" " + death.id() + " " + death.priority() + " " + death.deliveries())
                + (" " + death.firstMillis() + " " + death.diedMillis()),
        "content",
        text(Arrays.copyOfRange(bytes, message.contentAt(), bytes.length)));
  }

  /** The blocks of that kind. */
  static List<Example> examples(String kind) throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(page()));
    List<Example> examples = new ArrayList<>();
    while (blocks.find()) {
      if (blocks.group(1).equals(kind)) {
        examples.add(example(blocks.group(2), blocks.group(3)));
      }
    }
    return examples;
  }

  private static Example example(String format, String body) {
    Map<String, String> fields = new TreeMap<>();
    Matcher lines = LINE.matcher(body);
    while (lines.find()) {
      fields.put(lines.group(1), lines.group(2) == null ? "" : lines.group(2));
    }
    String hex = fields.remove("bytes").replace(" ", "");
    return new Example(format, fields, hex);
  }

  /** The page lies in the repository that the build runs in, a module or two above. */
  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/FORMAT.md"))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs/FORMAT.md");
  }

  private static Long number(String text) {
    return Long.valueOf(text);
  }

  private static long expiry(String text) {
    return text.equals("never") ? Expiry.NEVER : number(text);
  }

  private static String expiry(long millis) {
    return millis == Expiry.NEVER ? "never" : "" + millis;
  }

  private static byte[] raw(String text) {
    return text.startsWith("0x")
        ? HexFormat.of().parseHex(text.substring(2))
        : text.substring(1, text.length() - 1).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.US_ASCII);
    return text.matches("[ -~]*") ? "\"" + text + "\"" : "0x" + HexFormat.of().formatHex(bytes);
  }

  private static Map<String, String> attributes(String text) {
    return Arrays.stream(text.split(","))
        .filter(attribute -> !attribute.isEmpty())
        .map(attribute -> attribute.split(":"))
        .collect(Collectors.toMap(attribute -> attribute[0], attribute -> attribute[1]));
  }

  private static String attributes(Map<String, String> attributes) {
    return new TreeMap<>(attributes)
        .entrySet().stream()
            .map(e -> e.getKey() + ":" + e.getValue())
            .collect(Collectors.joining(","));
  }
}
