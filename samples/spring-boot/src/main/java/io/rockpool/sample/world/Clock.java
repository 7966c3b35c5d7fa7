package io.rockpool.sample.world;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time zone, described in a language.
 *
 * @param offset from UTC, when this was made
 * @param nextChange when its clocks are put on or back next; null if that is not known
 * @param sameTime the zones whose clocks show the same
 * @param making how much trouble it was to find out
 */
public record Clock(
    String zone,
    String name,
    String offset,
    @Nullable String nextChange,
    List<String> sameTime,
    Making making) {}
