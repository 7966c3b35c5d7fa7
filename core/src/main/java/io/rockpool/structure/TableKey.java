package io.rockpool.structure;

/**
 * The place of a record in a table.
 *
 * @param hashKey the row
 * @param sortKey the sort key in the row
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 */
public record TableKey<H, S>(H hashKey, S sortKey) {}
