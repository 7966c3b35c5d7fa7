package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * What came of a check and of the change that depended on it.
 *
 * @param passed whether the check passed, and so the change was made
 * @param found the value that was checked; null if there was none
 * @param <V> the type of values
 */
public record CheckResult<V>(boolean passed, @Nullable V found) {}
