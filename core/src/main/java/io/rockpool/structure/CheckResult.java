package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check and of the change that depends on it.
 *
 * @param passed whether the check passed, and so the change was made
 * @param found the checked value; null if there was none
 * @param <V> the type of values
 */
public record CheckResult<V>(boolean passed, @Nullable V found) {}
