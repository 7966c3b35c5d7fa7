package io.rockpool.sample.world;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
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
  private final Instances instances;
  private final String store;
  private final @Nullable PersistentScoredSet<String> popularity;
  private final @Nullable Preparer preparer;

  WorldController(
      Atlas atlas,
      Instances instances,
      Rockpool pool,
      ObjectProvider<PersistentScoredSet<String>> popularity,
      ObjectProvider<Preparer> preparer) {
    this.atlas = atlas;
    this.instances = instances;
    this.store = pool.toString();
    this.popularity = popularity.getIfAvailable();
    this.preparer = preparer.getIfAvailable();
  }

  @GetMapping("/api/countries")
  List<String> codes() {
    return CODES.stream().sorted().toList();
  }

  @GetMapping("/api/countries/{code}")
  Country country(@PathVariable String code, @RequestParam(defaultValue = "en") String language) {
    requireCountry(code);
    if (popularity != null) {
      popularity.incrementScore(code, 1);
    }
    return atlas.country(code, language);
  }

  /** Makes a country again, for all instances. */
  @PostMapping("/api/countries/{code}")
  Country again(@PathVariable String code, @RequestParam(defaultValue = "en") String language) {
    requireCountry(code);
    return atlas.again(code, language);
  }

  private static void requireCountry(String code) {
    if (!CODES.contains(code)) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such country.");
    }
  }

  /**
   * The instances that share the store.
   *
   * @param collections whether the store has collections; the queue and the leaderboard need them
   */
  record Shared(String store, boolean collections, List<Instances.Instance> instances) {}

  @GetMapping("/api/instances")
  Shared instances() {
    return new Shared(store, preparer != null, instances.all());
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
    return popularity == null
        ? List.of()
        : popularity.last(SHOWN).stream().map(WorldController::popular).toList();
  }

  private static Popular popular(ScoredElement<String> place) {
    Locale country = new Locale.Builder().setRegion(place.element()).build();
    return new Popular(
        place.element(), country.getDisplayCountry(Locale.ENGLISH), (long) place.score());
  }

  @GetMapping("/api/preparations")
  long waiting() {
    return preparer == null ? 0 : preparer.waiting();
  }

  /** Has all countries prepared in a language. */
  @PostMapping("/api/preparations")
  long prepare(@RequestParam String language) {
    if (preparer == null) {
      throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED, "The store has no queues.");
    }
    preparer.prepareLater(CODES, language);
    return preparer.waiting();
  }
}
