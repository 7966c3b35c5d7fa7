/**
 * Rockpool against the libraries it stands on, in the same run, on the same bytes.
 *
 * <p>Each row of the comparison is a JMH class ({@code HotGet}, {@code Put}, ...), each contestant
 * a {@link io.rockpool.benchmarks.Contestant}. {@link io.rockpool.benchmarks.Ratios} runs the rows
 * with the contestants in turn and prints how they compare.
 */
@NullMarked
package io.rockpool.benchmarks;

import org.jspecify.annotations.NullMarked;
