package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys of any class, for caches that declare none: each says its class, and then what the codec of
 * that class writes. Two keys are the same if class and bytes are.
 *
 * <p>One byte says the class: its place in {@link #KNOWN}, counted from 1 and never changed, or
 * {@link #NAMED}, after which come two bytes of length, big-endian, and the class's name in UTF-8.
 * A named class must be allowed; its name never loads any other.
 */
final class AnyKeyCodec implements Codec<Object> {
  private static final int NAMED = 0xFF;
  private static final int MAX_NAME_BYTES = 0xFFFF;

  /** The classes that one byte stands for. New ones go to the end. */
  private static final List<Class<?>> KNOWN =
      List.of(
          String.class,
          Long.class,
          Integer.class,
          UUID.class,
          Short.class,
          Byte.class,
          Character.class,
          Boolean.class,
          Double.class,
          Float.class,
          byte[].class,
          BigInteger.class,
          BigDecimal.class,
          Date.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          Year.class,
          YearMonth.class);

  private final Codecs codecs;
  private final AllowedNames allowed;
  private final ClassLoader loader;
  private final Map<Class<?>, ClassCodec> byClass = new ConcurrentHashMap<>();

  /** What stands before the bytes of a class's keys, and their codec. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record ClassCodec(byte[] head, Codec<Object> codec) {}

  AnyKeyCodec(Codecs codecs, AllowedNames allowed, ClassLoader loader) {
    this.codecs = codecs;
    this.allowed = allowed;
    this.loader = loader;
  }

  @Override
  public String id() {
    return "jcache:any-key";
  }

  @Override
  public byte[] encode(Object key) {
    ClassCodec of =
        byClass.computeIfAbsent(
            key instanceof Enum<?> e ? e.getDeclaringClass() : key.getClass(), this::classCodec);
    byte[] bytes = of.codec.encode(key);
    return ByteBuffer.allocate(of.head.length + bytes.length).put(of.head).put(bytes).array();
  }

  private ClassCodec classCodec(Class<?> type) {
    int place = KNOWN.indexOf(type);
    if (place >= 0) {
      return new ClassCodec(new byte[] {(byte) (place + 1)}, codec(type));
    }
    String name = type.getName();
    if (!allowed.allows(name)) {
      throw new UnencodableValueException(
          "A key of class "
              + name
              + " was given to a cache without a key type, and the class is not allowed. Declare the"
              + " type with setTypes, or allow it with -D"
              + AllowedNames.PROPERTY
              + "="
              + name
              + ".",
          null);
    }
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_NAME_BYTES) {
      throw new UnencodableValueException(
          "The name of class " + name + " is longer than 65535 bytes.", null);
    }
    byte[] head =
        ByteBuffer.allocate(1 + Short.BYTES + utf8.length)
            .put((byte) NAMED)
            .putShort((short) utf8.length)
            .put(utf8)
            .array();
    try {
      return new ClassCodec(head, codec(type));
    } catch (IllegalArgumentException e) {
      throw new UnencodableValueException(e.getMessage() == null ? name : e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked") // only ever given instances of the class
  private Codec<Object> codec(Class<?> type) {
    return (Codec<Object>)
        (type == Date.class ? new DateKeyCodec() : codecs.keyCodec(TypeRef.of(type)));
  }

  @Override
  public Object decode(byte[] bytes, int offset, int length) {
    int first = length == 0 ? 0 : bytes[offset] & 0xFF;
    Class<?> type;
    int head;
    if (first == NAMED && length >= 1 + Short.BYTES) {
      int nameBytes = ByteBuffer.wrap(bytes, offset + 1, Short.BYTES).getShort() & 0xFFFF;
      head = 1 + Short.BYTES + nameBytes;
      if (length < head) {
        throw damaged("the name of its class is cut off", null);
      }
      type = load(new String(bytes, offset + 1 + Short.BYTES, nameBytes, StandardCharsets.UTF_8));
    } else if (first >= 1 && first <= KNOWN.size()) {
      head = 1;
      type = KNOWN.get(first - 1);
    } else {
      throw damaged("it begins with " + first, null);
    }
    ClassCodec of;
    try {
      of = byClass.computeIfAbsent(type, this::classCodec);
    } catch (UnencodableValueException e) {
      throw damaged("its class cannot be a key any more", e);
    }
    return of.codec.decode(bytes, offset + head, length - head);
  }

  private Class<?> load(String name) {
    if (!allowed.allows(name)) {
      throw damaged(
          "its class " + name + " is not allowed; see the property " + AllowedNames.PROPERTY, null);
    }
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw damaged("its class " + name + " is not there", e);
    }
  }

  private static UndecodableValueException damaged(String what, @Nullable Throwable cause) {
    return new UndecodableValueException(
        "A key of a cache without a key type cannot be read: " + what + ".", cause);
  }

  /** Keys may be of any class: none is shared, and each is known by its bytes. */
  @Override
  public boolean immutable() {
    return false;
  }
}
