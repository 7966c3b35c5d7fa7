package io.rockpool.codec;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The byte in front of every stored value, which says which codec wrote it. Numbers are never
 * reused.
 *
 * <table>
 * <caption>Tags</caption>
 * <tr><th>tag</th><th>codec id</th><th>type</th></tr>
 * <tr><td>{@code 01}</td><td>{@code string}</td><td>String</td></tr>
 * <tr><td>{@code 02}</td><td>{@code bytes}</td><td>byte[]</td></tr>
 * <tr><td>{@code 03}</td><td>{@code ordered:boolean}</td><td>Boolean</td></tr>
 * <tr><td>{@code 04}</td><td>{@code ordered:byte}</td><td>Byte</td></tr>
 * <tr><td>{@code 05}</td><td>{@code ordered:short}</td><td>Short</td></tr>
 * <tr><td>{@code 06}</td><td>{@code ordered:char}</td><td>Character</td></tr>
 * <tr><td>{@code 07}</td><td>{@code ordered:int}</td><td>Integer</td></tr>
 * <tr><td>{@code 08}</td><td>{@code ordered:long}</td><td>Long</td></tr>
 * <tr><td>{@code 09}</td><td>{@code ordered:float}</td><td>Float</td></tr>
 * <tr><td>{@code 0A}</td><td>{@code ordered:double}</td><td>Double</td></tr>
 * <tr><td>{@code 0B}</td><td>{@code ordered:uuid}</td><td>UUID</td></tr>
 * <tr><td>{@code 0C}</td><td>{@code ordered:biginteger}</td><td>BigInteger</td></tr>
 * <tr><td>{@code 0D}</td><td>{@code decimal}</td><td>BigDecimal</td></tr>
 * <tr><td>{@code 0E}</td><td>{@code enum}</td><td>any enum</td></tr>
 * <tr><td>{@code 10}</td><td>{@code ordered:instant}</td><td>Instant</td></tr>
 * <tr><td>{@code 11}</td><td>{@code ordered:duration}</td><td>Duration</td></tr>
 * <tr><td>{@code 12}</td><td>{@code ordered:date}</td><td>LocalDate</td></tr>
 * <tr><td>{@code 13}</td><td>{@code ordered:time}</td><td>LocalTime</td></tr>
 * <tr><td>{@code 14}</td><td>{@code ordered:datetime}</td><td>LocalDateTime</td></tr>
 * <tr><td>{@code 15}</td><td>{@code ordered:offsetdatetime}</td><td>OffsetDateTime</td></tr>
 * <tr><td>{@code 16}</td><td>{@code ordered:zoneddatetime}</td><td>ZonedDateTime</td></tr>
 * <tr><td>{@code 17}</td><td>{@code ordered:year}</td><td>Year</td></tr>
 * <tr><td>{@code 18}</td><td>{@code ordered:yearmonth}</td><td>YearMonth</td></tr>
 * <tr><td>{@code 19}</td><td>{@code ordered:javadate}</td><td>Date</td></tr>
 * <tr><td>{@code 20}</td><td>{@code text:uri}</td><td>URI</td></tr>
 * <tr><td>{@code 21}</td><td>{@code text:locale}</td><td>Locale</td></tr>
 * <tr><td>{@code 22}</td><td>{@code text:zone}</td><td>ZoneId</td></tr>
 * <tr><td>{@code 23}</td><td>{@code text:currency}</td><td>Currency</td></tr>
 * <tr><td>{@code F0}</td><td>{@code fory}</td><td>anything else</td></tr>
 * <tr><td>{@code F1}</td><td>{@code java}</td><td>anything else, if so configured</td></tr>
 * <tr><td>{@code FF}</td><td>a user's</td><td>what it was registered for</td></tr>
 * </table>
 */
final class ValueTag {
  static final byte FORY = (byte) 0xF0;
  static final byte JAVA = (byte) 0xF1;
  static final byte USER = (byte) 0xFF;

  /** Ids of codecs that other classes name, here so that they need not know the codecs. */
  static final String FORY_ID = "fory";

  static final String JAVA_ID = "java";
  static final String ANY_ID = "any";
  static final String KEY_ID = "key";

  private static final Map<String, Integer> BY_ID =
      Map.ofEntries(
          Map.entry("string", 0x01),
          Map.entry("bytes", 0x02),
          Map.entry("ordered:boolean", 0x03),
          Map.entry("ordered:byte", 0x04),
          Map.entry("ordered:short", 0x05),
          Map.entry("ordered:char", 0x06),
          Map.entry("ordered:int", 0x07),
          Map.entry("ordered:long", 0x08),
          Map.entry("ordered:float", 0x09),
          Map.entry("ordered:double", 0x0A),
          Map.entry("ordered:uuid", 0x0B),
          Map.entry("ordered:biginteger", 0x0C),
          Map.entry("decimal", 0x0D),
          Map.entry("enum", 0x0E),
          Map.entry("ordered:instant", 0x10),
          Map.entry("ordered:duration", 0x11),
          Map.entry("ordered:date", 0x12),
          Map.entry("ordered:time", 0x13),
          Map.entry("ordered:datetime", 0x14),
          Map.entry("ordered:offsetdatetime", 0x15),
          Map.entry("ordered:zoneddatetime", 0x16),
          Map.entry("ordered:year", 0x17),
          Map.entry("ordered:yearmonth", 0x18),
          Map.entry("ordered:javadate", 0x19),
          Map.entry("text:uri", 0x20),
          Map.entry("text:locale", 0x21),
          Map.entry("text:zone", 0x22),
          Map.entry("text:currency", 0x23),
          Map.entry(FORY_ID, FORY & 0xFF),
          Map.entry(JAVA_ID, JAVA & 0xFF));

  private ValueTag() {}

  /** Returns the tag of a codec; that of a user's codec if the id is not one of the table's. */
  static byte of(String codecId) {
    Integer tag = BY_ID.get(codecId);
    return tag == null ? USER : tag.byteValue();
  }

  /** Refuses a user's codec with an id of the library's: a descriptor stores only the id. */
  static void refuseReservedId(Codec<?> codec) {
    String id = codec.id();
    boolean reserved =
        BY_ID.containsKey(id)
            || id.equals(ANY_ID)
            || id.equals(KEY_ID)
            || id.startsWith(KEY_ID + "(")
            || id.startsWith("ordered:")
            || id.startsWith("text:");
    if (reserved && !(codec instanceof HeadroomCodec)) {
      throw new IllegalArgumentException(
          "Codec id '" + id + "' belongs to the library: give " + codec + " another.");
    }
  }

  /** Returns the text for a tag's codec in messages. */
  static String describe(byte tag) {
    String name = tag == USER ? "a codec registered by the application" : idOf(tag);
    return String.format(Locale.ROOT, "%s (tag %02X)", name == null ? "no known codec" : name, tag);
  }

  private static @Nullable String idOf(byte tag) {
    for (Map.Entry<String, Integer> entry : BY_ID.entrySet()) {
      if (entry.getValue().byteValue() == tag) {
        return "codec '" + entry.getKey() + "'";
      }
    }
    return null;
  }
}
