package io.rockpool.sample.world;

import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The service's answers. */
@RestController
class WorldController {
  private static final int SHOWN = 10;
  private static final Set<String> CODES = Set.of(Locale.getISOCountries());

  private final Atlas atlas;
  private final PersistentScoredSet<String> popularity;
  private final Preparer preparer;

  WorldController(Atlas atlas, PersistentScoredSet<String> popularity, Preparer preparer) {
    this.atlas = atlas;
    this.popularity = popularity;
    this.preparer = preparer;
  }

  @GetMapping("/api/countries")
  List<String> codes() {
    return CODES.stream().sorted().toList();
  }

  @GetMapping("/api/countries/{code}")
  Country country(@PathVariable String code, @RequestParam(defaultValue = "en") String language) {
    if (!CODES.contains(code)) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such country.");
    }
    popularity.incrementScore(code, 1);
    return atlas.country(code, language);
  }

  @GetMapping("/api/clocks")
  Clock clock(@RequestParam String zone, @RequestParam(defaultValue = "en") String language) {
    if (!ZoneId.getAvailableZoneIds().contains(zone)) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such zone.");
    }
    return atlas.clock(zone, language);
  }

  /** A country and how often it was asked for. */
  record Popular(String code, String name, long times) {}

  @GetMapping("/api/leaderboard")
  List<Popular> leaderboard() {
    return popularity.last(SHOWN).stream().map(WorldController::popular).toList();
  }

  private static Popular popular(ScoredElement<String> place) {
    Locale country = new Locale.Builder().setRegion(place.element()).build();
    return new Popular(
        place.element(), country.getDisplayCountry(Locale.ENGLISH), (long) place.score());
  }

  @GetMapping("/api/preparations")
  long waiting() {
    return preparer.waiting();
  }

  /** Has all countries prepared in a language. */
  @PostMapping("/api/preparations")
  long prepare(@RequestParam String language) {
    preparer.prepareLater(CODES, language);
    return preparer.waiting();
  }
}
