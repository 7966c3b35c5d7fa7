package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.catalog.Catalog;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the catalog has of a name: the id of its space, which never repeats, and its description.
 * All spaces are of {@link Layout#ENTRIES}.
 *
 * @param era the catalog that had the entry when it was read; not stored with it
 */
record CatalogEntry(long id, SpaceInfo info, long era) {
  private static final byte FORMAT = 1;
  private static final int NUMBERS = 1 + 5 * Long.BYTES + Integer.BYTES;

  byte[] bytes() {
    List<byte[]> texts = new ArrayList<>();
    int length = NUMBERS;
    for (var attribute : new TreeMap<>(info.attributes()).entrySet()) {
      byte[] name = attribute.getKey().getBytes(UTF_8);
      byte[] value = attribute.getValue().getBytes(UTF_8);
      texts.add(name);
      texts.add(value);
      length += name.length + value.length + 2 * Integer.BYTES;
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(length)
            .put(FORMAT)
            .putLong(id)
            .putLong(info.createdMillis())
            .putLong(info.openedMillis())
            .putLong(info.resets())
            .putLong(info.expiresMillis())
            .putInt(info.attributes().size());
    texts.forEach(text -> bytes.putInt(text.length).put(text));
    return bytes.array();
  }

  static CatalogEntry of(String name, byte[] stored, long era) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    try {
      if (bytes.get() != FORMAT) {
        throw corrupt(name);
      }
      long id = bytes.getLong();
      long created = bytes.getLong();
      long opened = bytes.getLong();
      long resets = bytes.getLong();
      long expires = bytes.getLong();
      Map<String, String> attributes = new LinkedHashMap<>();
      for (int left = bytes.getInt(); left > 0; left--) {
        attributes.put(text(bytes), text(bytes));
      }
      return new CatalogEntry(
          id,
          new SpaceInfo(name, Layout.ENTRIES, attributes, created, opened, resets, expires),
          era);
    } catch (BufferUnderflowException e) {
      throw corrupt(name);
    }
  }

  private static String text(ByteBuffer bytes) {
    byte[] text = new byte[Math.min(bytes.getInt(), bytes.remaining())];
    bytes.get(text);
    return new String(text, UTF_8);
  }

  private static CorruptStoreException corrupt(String name) {
    return new CorruptStoreException(
        "The catalog's entry of \""
            + name
            + "\" cannot be read. Use the version of Rockpool that wrote it, or another prefix.",
        (Throwable) null);
  }

  /** The entry as another catalog has it. */
  CatalogEntry in(long another) {
    return new CatalogEntry(id, info, another);
  }

  /** Whether another space holds the same: types and codecs, not options. */
  boolean holdsTheSame(CatalogEntry other) {
    return Catalog.entry(info).identity().equals(Catalog.entry(other.info).identity());
  }

  CatalogEntry opened(long millis) {
    return with(info.attributes(), millis, info.expiresMillis());
  }

  CatalogEntry with(Map<String, String> attributes) {
    return with(attributes, info.openedMillis(), info.expiresMillis());
  }

  CatalogEntry expiring(long expiryMillis) {
    return with(info.attributes(), info.openedMillis(), expiryMillis);
  }

  /** The description as of a time: an expiry that has passed is none. */
  SpaceInfo infoAt(long nowMillis) {
    return info.expiresMillis() <= nowMillis ? expiring(Expiry.NEVER).info : info;
  }

  private CatalogEntry with(Map<String, String> attributes, long opened, long expires) {
    return new CatalogEntry(
        id,
        new SpaceInfo(
            info.name(),
            info.layout(),
            attributes,
            info.createdMillis(),
            opened,
            info.resets(),
            expires),
        era);
  }
}
