package io.rockpool.sample.world;

import java.text.Collator;
import java.text.NumberFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.zone.ZoneOffsetTransition;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * What the JDK knows of countries, currencies, languages and time zones, joined the slow way: each
 * answer searches all of them. {@code application.properties} has how long answers are kept.
 */
@Service
public class Atlas {
  private static final double AMOUNT = 1_234.5;

  /** A country, in a language; kept for a week. */
  @Cacheable("countries")
  public Country country(String code, String language) {
    long began = System.nanoTime();
    Locale reader = Locale.forLanguageTag(language);
    Currency currency = currency(code);
    return new Country(
        code,
        place(code).getDisplayCountry(reader),
        currency == null ? null : currency.getCurrencyCode(),
        currency == null ? null : currency.getDisplayName(reader),
        currency == null ? List.of() : payingWith(currency, code, reader),
        customs(code, reader),
        Making.since(began));
  }

  /** Makes a country again, which all instances then have. */
  @CachePut("countries")
  public Country again(String code, String language) {
    return country(code, language);
  }

  private static List<String> payingWith(Currency currency, String except, Locale reader) {
    return Stream.of(Locale.getISOCountries())
        .filter(code -> !code.equals(except) && currency.equals(currency(code)))
        .map(code -> place(code).getDisplayCountry(reader))
        .sorted(Collator.getInstance(reader))
        .toList();
  }

  private static List<Country.Custom> customs(String code, Locale reader) {
    return Arrays.stream(Locale.getAvailableLocales())
        .filter(locale -> locale.getCountry().equals(code) && locale.getScript().isEmpty())
        .map(
            locale ->
                new Country.Custom(
                    locale.getDisplayLanguage(reader),
                    NumberFormat.getCurrencyInstance(locale).format(AMOUNT),
                    DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL)
                        .withLocale(locale)
                        .format(LocalDate.EPOCH)))
        .sorted(Comparator.comparing(Country.Custom::language, Collator.getInstance(reader)))
        .toList();
  }

  private static Locale place(String code) {
    return new Locale.Builder().setRegion(code).build();
  }

  private static @Nullable Currency currency(String code) {
    return Currency.getInstance(place(code));
  }

  /**
   * A time zone, in a language; kept for an hour, and after five minutes found out again in the
   * background, while the old answer is given.
   */
  @Cacheable(cacheNames = "clocks", sync = true)
  public Clock clock(String zone, String language) {
    long began = System.nanoTime();
    Instant now = Instant.now();
    ZoneId id = ZoneId.of(zone);
    ZoneOffset offset = id.getRules().getOffset(now);
    ZoneOffsetTransition next = id.getRules().nextTransition(now);
    return new Clock(
        zone,
        TimeZone.getTimeZone(id)
            .getDisplayName(
                id.getRules().isDaylightSavings(now),
                TimeZone.LONG,
                Locale.forLanguageTag(language)),
        offset.getId(),
        next == null ? null : next.getInstant().toString(),
        ZoneId.getAvailableZoneIds().stream()
            .filter(other -> ZoneId.of(other).getRules().getOffset(now).equals(offset))
            .sorted()
            .toList(),
        Making.since(began));
  }
}
