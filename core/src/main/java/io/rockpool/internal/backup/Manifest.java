package io.rockpool.internal.backup;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What a backup consists of, in JSON.
 *
 * @param info what users see
 * @param storeId the id of the store, or empty if it is not known
 * @param timeline of the store, which its log has, too; see {@link SegmentName}
 * @param until when the last change was made, at the latest
 * @param files the files of the store
 */
record Manifest(
    BackupInfo info, String storeId, String timeline, Instant until, List<StoredFile> files) {
  /** The format of the manifest and of the objects that it names. */
  static final long FORMAT = 1;

  /** A path stays below the store's directory, one level deep at most, and is not hidden. */
  private static final Pattern PATH = Pattern.compile("(\\w[\\w.-]*/)?\\w[\\w.-]*");

  private static final Pattern TIMELINE = Pattern.compile("[0-9a-f]{16}");

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  String encode() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("format", FORMAT);
    object.put("number", info.number());
    object.put("created", info.created().toString());
    object.put("store", info.store());
    object.put("storeId", storeId);
    object.put("storeFormat", (long) info.storeFormat());
    object.put("sequence", info.sequence());
    object.put("timeline", timeline);
    object.put("until", until.toString());
    object.put("addedBytes", info.addedBytes());
    object.put("names", info.names().stream().map(Manifest::encode).toList());
    object.put("files", files.stream().map(Manifest::encode).toList());
    return JsonWriter.write(object);
  }

  private static Map<String, Object> encode(BackedUpName name) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", name.name());
    object.put("type", name.type());
    name.count().ifPresent(count -> object.put("count", count));
    return object;
  }

  private static Map<String, Object> encode(StoredFile file) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("path", file.path());
    object.put("bytes", file.bytes());
    object.put("sha256", file.sha256());
    object.put("stamp", file.stamp());
    return object;
  }

  /**
   * Reads a manifest.
   *
   * @throws IllegalArgumentException if it is none, or of another format
   */
  static Manifest decode(String text) {
    Map<String, Object> object = JsonReader.read(text);
    if (number(object, "format") != FORMAT) {
      throw new IllegalArgumentException("its format is not " + FORMAT);
    }
    List<StoredFile> files = list(object, "files").stream().map(Manifest::file).toList();
    return new Manifest(
        new BackupInfo(
            number(object, "number"),
            time(object, "created"),
            string(object, "store"),
            Math.toIntExact(number(object, "storeFormat")),
            number(object, "sequence"),
            files.size(),
            files.stream().mapToLong(StoredFile::bytes).sum(),
            number(object, "addedBytes"),
            list(object, "names").stream().map(Manifest::name).toList()),
        string(object, "storeId"),
        matching(TIMELINE, string(object, "timeline")),
        time(object, "until"),
        files);
  }

  private static Instant time(Map<?, ?> object, String name) {
    try {
      return Instant.parse(string(object, name));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("it has no time", e);
    }
  }

  private static BackedUpName name(Map<?, ?> object) {
    return new BackedUpName(
        string(object, "name"),
        string(object, "type"),
        object.containsKey("count")
            ? OptionalLong.of(number(object, "count"))
            : OptionalLong.empty());
  }

  private static StoredFile file(Map<?, ?> object) {
    return new StoredFile(
        matching(PATH, string(object, "path")),
        number(object, "bytes"),
        matching(SHA256, string(object, "sha256")),
        string(object, "stamp"));
  }

  private static String matching(Pattern pattern, String text) {
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException("\"" + text + "\" does not match " + pattern);
    }
    return text;
  }

  private static String string(Map<?, ?> object, String name) {
    return member(object, name, String.class);
  }

  private static long number(Map<?, ?> object, String name) {
    return member(object, name, Long.class);
  }

  private static List<Map<?, ?>> list(Map<?, ?> object, String name) {
    List<Map<?, ?>> objects = new ArrayList<>();
    for (Object element : member(object, name, List.class)) {
      if (!(element instanceof Map<?, ?> one)) {
        throw new IllegalArgumentException("\"" + name + "\" has more than objects");
      }
      objects.add(one);
    }
    return objects;
  }

  private static <T> T member(Map<?, ?> object, String name, Class<T> type) {
    Object value = object.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException("\"" + name + "\" is missing or of another type");
    }
    return type.cast(value);
  }
}
