package io.rockpool.sample.world;

import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.time.ZoneId;
import java.util.Arrays;
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
  private final PersistentDeque<Preparation> preparations;

  WorldController(
      Atlas atlas,
      PersistentScoredSet<String> popularity,
      PersistentDeque<Preparation> preparations) {
    this.atlas = atlas;
    this.popularity = popularity;
    this.preparations = preparations;
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
  int waiting() {
    return preparations.size();
  }

  /** Has all countries prepared in a language, in the background, even by a later process. */
  @PostMapping("/api/preparations")
  int prepare(@RequestParam String language) {
    preparations.addAll(
        Arrays.stream(Locale.getISOCountries())
            .map(code -> new Preparation(code, language))
            .toList());
    return preparations.size();
  }
}
