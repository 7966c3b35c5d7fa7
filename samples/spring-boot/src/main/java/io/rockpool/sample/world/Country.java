package io.rockpool.sample.world;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A country, described in a language.
 *
 * @param code of two letters
 * @param currency the code of what is paid with there; null where nothing is
 * @param sameCurrency the names of the other countries that pay with it
 * @param customs how its people write, in each of their languages
 * @param making how much trouble it was to find out
 */
public record Country(
    String code,
    String name,
    @Nullable String currency,
    @Nullable String currencyName,
    List<String> sameCurrency,
    List<Custom> customs,
    Making making) {
  /** How an amount and a date are written in a language. */
  public record Custom(String language, String amount, String date) {}
}
