package io.rockpool.cache;

import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One option of a cache: its names, its type and its range. Files, properties and stored
 * configurations read and write options by these descriptions; {@link CacheSettings#OPTIONS} lists
 * the options that can be written as text. Immutable; two options are equal if their keys are.
 *
 * @param <T> the type of values
 */
public final class CacheOption<T> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The type of an option's text. */
  public enum Kind {
    /** A whole number, 0 or more. */
    NUMBER,
    /** A number of bytes, 0 or more. */
    BYTES,
    /** A number of entries, or of bytes with a unit, 0 or more. */
    HOT_SIZE,
    /** A fraction from 0 to below 1. */
    FRACTION,
    /** A duration that is not negative. */
    DURATION,
    /** True or false. */
    FLAG,
    /** A constant of an enum. */
    CHOICE,
    /** Any text. */
    TEXT,
    /** An object without a text, such as a codec. */
    CODE
  }

  private final String name;
  private final String key;
  private final Kind kind;
  private final Class<?> type;
  private final boolean positive;

  private CacheOption(String name, String key, Kind kind, Class<?> type, boolean positive) {
    this.name = Objects.requireNonNull(name, "name");
    this.key = key;
    this.kind = kind;
    this.type = type;
    this.positive = positive;
  }

  private static <T> CacheOption<T> of(String name, Kind kind, Class<?> type) {
    String key = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return new CacheOption<>(name, key, kind, type, false);
  }

  /** An option that is a whole number. */
  public static CacheOption<Long> number(String name) {
    return of(name, Kind.NUMBER, Long.class);
  }

  /** An option that is a number of bytes. */
  public static CacheOption<Long> bytes(String name) {
    return of(name, Kind.BYTES, Long.class);
  }

  /** An option that is a size in memory. */
  static CacheOption<HotSize> hotSize(String name) {
    return of(name, Kind.HOT_SIZE, HotSize.class);
  }

  /** An option that is a fraction. */
  public static CacheOption<Double> fraction(String name) {
    return of(name, Kind.FRACTION, Double.class);
  }

  /** An option that is a duration. */
  public static CacheOption<Duration> duration(String name) {
    return of(name, Kind.DURATION, Duration.class);
  }

  /** An option that is on or off. */
  public static CacheOption<Boolean> flag(String name) {
    return of(name, Kind.FLAG, Boolean.class);
  }

  /** An option that is a constant of an enum. */
  public static <E extends Enum<E>> CacheOption<E> choice(String name, Class<E> type) {
    return of(name, Kind.CHOICE, type);
  }

  /** An option that is a text. */
  public static CacheOption<String> text(String name) {
    return of(name, Kind.TEXT, String.class);
  }

  /** An option that is an object without a text. */
  public static CacheOption<Object> code(String name) {
    return of(name, Kind.CODE, Object.class);
  }

  /** Returns the option with another key in files. */
  CacheOption<T> key(String other) {
    return new CacheOption<>(name, other, kind, type, positive);
  }

  /** Returns the option, which then rejects 0. */
  public CacheOption<T> positive() {
    return new CacheOption<>(name, key, kind, type, true);
  }

  /** The name of the method that sets it, such as {@code hotSize}. */
  public String name() {
    return name;
  }

  /** Its key in files and properties, such as {@code hot-size}. */
  public String key() {
    return key;
  }

  /** The type of its text. */
  public Kind kind() {
    return kind;
  }

  /** The class of its values. */
  @SuppressWarnings("unchecked") // the factories pass the class of T
  public Class<T> type() {
    return (Class<T>) type;
  }

  /** Returns null if the value is in range, otherwise advice such as "give 0 or more.". */
  public @Nullable String adviceAgainst(T value) {
    if (value instanceof Double number) {
      boolean inRange = number >= 0 && number < 1;
      return inRange ? null : "give a fraction from 0 to below 1, such as 0.1.";
    }
    Function<Duration, Integer> sign = it -> it.isNegative() ? -1 : it.isZero() ? 0 : 1;
    Object number = value instanceof HotSize size ? Long.valueOf(size.amount()) : value;
    int signum =
        number instanceof Long whole
            ? Long.signum(whole)
            : number instanceof Duration duration ? sign.apply(duration) : 1;
    if (positive) {
      return signum > 0 ? null : "give more than 0, or leave it out.";
    }
    return signum >= 0 ? null : "give 0 for none, or more.";
  }

  /**
   * Checks a value.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  T check(T value) {
    String advice = adviceAgainst(Objects.requireNonNull(value, name));
    if (advice != null) {
      throw new IllegalArgumentException(name + " is " + value + "; " + advice);
    }
    return value;
  }

  /** Returns the text of a value, which {@link #parse} reads. */
  public String format(T value) {
    return value instanceof Enum<?> constant ? constant.name() : value.toString();
  }

  /**
   * Returns the value of a text from {@link #format}.
   *
   * @throws IllegalArgumentException if the text is not a value of this option
   * @throws java.time.format.DateTimeParseException if the text is not a duration
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // the factories choose the kind and the type
  public T parse(String text) {
    Object value =
        switch (kind) {
          case NUMBER, BYTES -> Long.valueOf(text);
          case HOT_SIZE -> HotSize.parse(text);
          case FRACTION -> Double.valueOf(text);
          case DURATION -> Duration.parse(text);
          case FLAG -> Boolean.valueOf(text);
          case CHOICE -> Enum.valueOf((Class) type, text);
          case TEXT -> text;
          case CODE -> throw new IllegalArgumentException(name + " has no text.");
        };
    return check((T) value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CacheOption<?> option && key.equals(option.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return key;
  }
}
