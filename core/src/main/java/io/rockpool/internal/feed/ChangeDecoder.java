package io.rockpool.internal.feed;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.format.LoggedChange;
import io.rockpool.internal.format.PositionFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.structure.TableKey;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts logged records to the keys and values that users know.
 *
 * @param identity what the name must hold
 * @param key the key of a put or removal
 * @param value the value of a put
 * @param expiryMillis when the entry of a put expires
 */
record ChangeDecoder<K, V>(
    Identity identity,
    Function<LoggedChange, @Nullable K> key,
    Function<LoggedChange, @Nullable V> value,
    ToLongFunction<LoggedChange> expiryMillis) {

  /**
   * Creates the decoder of a name.
   *
   * @param type what the name holds
   * @throws NameConflictException if that has other types, or no feed can show it
   */
  static <K, V> ChangeDecoder<K, V> of(
      String type, String name, TypeRef<K> keyType, TypeRef<V> valueType, Codecs codecs) {
    return switch (type) {
      case "cache" -> ofCache(keyType, valueType, codecs);
      case "map" -> ofEntries(type, keyType, codecs.keyCodec(keyType), valueType, codecs);
      case "sorted map" -> ofEntries(type, keyType, codecs.orderedFor(keyType), valueType, codecs);
      case "set", "sorted set" -> {
        require(type, name, "values", valueType, Void.class);
        Codec<K> elements =
            type.equals("set") ? codecs.keyCodec(keyType) : codecs.orderedFor(keyType);
        yield of(
            new Identity(type, keyType.toString(), elements.id(), null, null),
            change -> decode(elements, change.sortKey()),
            change -> null);
      }
      case "scored set" -> {
        require(type, name, "values", valueType, Double.class);
        yield ofScores(keyType, valueType, codecs.keyCodec(keyType));
      }
      case "deque" -> {
        require(type, name, "keys", keyType, Long.class);
        Codec<V> elements = codecs.valueCodec(valueType);
        yield of(
            new Identity(type, valueType.toString(), elements.id(), null, null),
            change -> cast(keyType, PositionFormat.decode(change.sortKey())),
            change -> decode(elements, change.value()));
      }
      case "value", "counter" -> {
        require(type, name, "keys", keyType, Void.class);
        Codec<V> values = codecs.valueCodec(valueType);
        yield of(
            new Identity(type, valueType.toString(), values.id(), null, null),
            change -> null,
            change -> decode(values, change.value()));
      }
      default ->
          throw new NameConflictException(
              "The name \""
                  + name
                  + "\" holds a "
                  + type
                  + ", whose feed has other types of keys or does not exist.",
              name);
    };
  }

  private static void require(
      String type, String name, String part, TypeRef<?> asked, Class<?> is) {
    if (!asked.type().equals(is)) {
      throw new NameConflictException(
          "The name \""
              + name
              + "\" holds a "
              + type
              + ", whose feed has "
              + part
              + " of type "
              + is.getSimpleName()
              + ", and was opened with "
              + asked
              + ".",
          name);
    }
  }

  private static <K, V> ChangeDecoder<K, V> of(
      Identity identity,
      Function<LoggedChange, @Nullable K> key,
      Function<LoggedChange, @Nullable V> value) {
    return new ChangeDecoder<>(identity, key, value, LoggedChange::expiryMillis);
  }

  private static <K, V> ChangeDecoder<K, V> ofEntries(
      String type, TypeRef<K> keyType, Codec<K> keys, TypeRef<V> valueType, Codecs codecs) {
    Codec<V> values = codecs.valueCodec(valueType);
    return of(
        new Identity(type, keyType.toString(), keys.id(), valueType.toString(), values.id()),
        change -> decode(keys, change.sortKey()),
        change -> decode(values, change.value()));
  }

  private static <K, V> ChangeDecoder<K, V> ofCache(
      TypeRef<K> keyType, TypeRef<V> valueType, Codecs codecs) {
    Codec<K> keys = codecs.cacheKeyCodec(keyType);
    Codec<V> values = codecs.valueCodec(valueType);
    return new ChangeDecoder<>(
        new Identity("cache", keyType.toString(), keys.id(), valueType.toString(), values.id()),
        change -> decode(keys, change.hashKey()),
        change -> {
          byte[] bytes = change.value();
          int header = CacheValueFormat.headerBytes(bytes, 0, bytes.length);
          return values.decode(bytes, header, bytes.length - header);
        },
        change ->
            Math.min(change.expiryMillis(), CacheValueFormat.deadlineMillis(change.value(), 0)));
  }

  private static <K, V> ChangeDecoder<K, V> ofScores(
      TypeRef<K> type, TypeRef<V> scoreType, Codec<K> elements) {
    return new ChangeDecoder<>(
        new Identity("scored set", type.toString(), elements.id(), null, null),
        change -> decode(elements, ScoredSetFormat.memberElement(change.sortKey())),
        change ->
            cast(scoreType, ScoredSetFormat.memberScore(change.value(), 0, change.value().length)),
        change -> ScoredSetFormat.memberExpiryMillis(change.value(), 0, change.value().length));
  }

  /** Creates the decoder of a table. */
  static <H, S, V> ChangeDecoder<TableKey<H, S>, V> ofTable(
      TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType, Codecs codecs) {
    Codec<H> hashKeys = codecs.keyCodec(hashKeyType);
    Codec<S> sortKeys = codecs.orderedFor(sortKeyType);
    Codec<V> values = codecs.valueCodec(valueType);
    return of(
        new Identity(
            "table",
            hashKeyType + "/" + sortKeyType,
            hashKeys.id() + "/" + sortKeys.id(),
            valueType.toString(),
            values.id()),
        change ->
            new TableKey<>(decode(hashKeys, change.hashKey()), decode(sortKeys, change.sortKey())),
        change -> decode(values, change.value()));
  }

  private static <T> T decode(Codec<T> codec, byte[] bytes) {
    return codec.decode(bytes, 0, bytes.length);
  }

  @SuppressWarnings("unchecked") // the caller has checked the type
  private static <T> T cast(TypeRef<T> type, Object value) {
    return (T) type.rawType().cast(value);
  }
}
