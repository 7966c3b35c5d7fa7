package io.rockpool.structure;

/**
 * A record of a table, as it was read.
 *
 * @param hashKey the row
 * @param sortKey the sort key in the row
 * @param value the value
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public record TableRecord<H, S, V>(H hashKey, S sortKey, V value) {}
