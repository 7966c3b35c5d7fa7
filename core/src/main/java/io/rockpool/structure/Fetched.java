package io.rockpool.structure;

import java.util.List;
import java.util.Map;

/**
 * A part of a table's row, read atomically; see {@link TableView#fetch}.
 *
 * @param entries the sort keys and values; the list is the caller's
 * @param allFetched whether these are all; false if a limit ended the read before another record
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public record Fetched<S, V>(List<Map.Entry<S, V>> entries, boolean allFetched) {}
