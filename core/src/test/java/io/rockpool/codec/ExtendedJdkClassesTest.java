package io.rockpool.codec;

import static io.rockpool.codec.ReadableWhenWrittenTest.assertRefused;
import static io.rockpool.codec.ReadableWhenWrittenTest.codec;
import static io.rockpool.codec.ReadableWhenWrittenTest.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values of an application's classes that extend classes of the JDK. */
@SuppressWarnings("serial") // fields as applications declare them
class ExtendedJdkClassesTest {
  /** Without a name, which is what the JDK's own zones are told by. */
  static class Zone extends TimeZone {
    private static final long serialVersionUID = 1L;
    int hours;

    @Override
    public int getOffset(int era, int year, int month, int day, int dayOfWeek, int millis) {
      return getRawOffset();
    }

    @Override
    public void setRawOffset(int millis) {
      hours = millis / 3_600_000;
    }

    @Override
    public int getRawOffset() {
      return hours * 3_600_000;
    }

    @Override
    public boolean useDaylightTime() {
      return false;
    }

    @Override
    public boolean inDaylightTime(Date date) {
      return false;
    }
  }

  static class Feasts extends GregorianCalendar {
    private static final long serialVersionUID = 1L;
    int easter;
    Object held;
  }

  static class Rules extends SimpleTimeZone {
    private static final long serialVersionUID = 1L;
    int easter = 5;

    Rules() {
      super(3_600_000, "Europe/Paris");
    }
  }

  /** Equal to any other date of its time, whatever class that has. */
  @SuppressWarnings("JavaUtilDate") // which applications have
  static class Due extends Date {
    private static final long serialVersionUID = 1L;
    int easter = 5;

    Due() {
      super(7);
    }
  }

  static class Letters extends Charset {
    Letters() {
      super("x-letters", new String[0]);
    }

    @Override
    public boolean contains(Charset other) {
      return false;
    }

    @Override
    public CharsetDecoder newDecoder() {
      return StandardCharsets.UTF_8.newDecoder();
    }

    @Override
    public CharsetEncoder newEncoder() {
      return StandardCharsets.UTF_8.newEncoder();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTimeZoneOfTheApplicationsComesBack(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    for (String id : Arrays.asList(null, "Europe/Paris", "x")) {
      Zone zone = new Zone();
      zone.hours = 9;
      if (id != null) {
        zone.setID(id);
      }
      Zone back = (Zone) ((Object[]) roundTrip(codec, new Object[] {zone, "beside"}))[0];
      assertThat(back.hours).isEqualTo(9);
      assertThat(back.getID()).isEqualTo(id);
    }
    assertThat(((Rules) roundTrip(codec, new Rules())).easter).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource
  void aCalendarOfTheApplicationsComesBack(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    Feasts feasts = new Feasts();
    feasts.easter = 5;
    Feasts back = (Feasts) ((Object[]) roundTrip(codec, new Object[] {feasts, "beside"}))[0];
    assertThat(back).isEqualTo(feasts);
    assertThat(back.easter).isEqualTo(5);
    feasts.setTimeZone(new Zone());
    assertThat(((Feasts) roundTrip(codec, feasts)).getTimeZone()).isInstanceOf(Zone.class);
    ReadableWhenWrittenTest.Own own = new ReadableWhenWrittenTest.Own();
    own.readable = false;
    feasts.held = own;
    assertRefused(codec, feasts);
    assertThat(((Due) roundTrip(codec, new Due())).easter).isEqualTo(5);
  }

  @Test
  void whatExtendsAClassOfTheJdkIsReadBehindTheAllowList() {
    byte[] bytes = codec(Fallback.FORY).encode(new Feasts());
    Codec<Object> careful = Codecs.defaults().valueCodec(TypeRef.of(Object.class));
    assertThatThrownBy(() -> careful.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("ExtendedJdkClassesTest$Feasts");
    assertRefused(careful, new Feasts());
  }

  @ParameterizedTest
  @EnumSource
  void aCharsetOfTheApplicationsIsRefusedByName(Fallback fallback) {
    assertThatThrownBy(() -> codec(fallback).encode(new Object[] {new Letters()}))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("ExtendedJdkClassesTest$Letters");
  }
}
