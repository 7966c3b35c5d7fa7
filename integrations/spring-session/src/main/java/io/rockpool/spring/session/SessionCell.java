package io.rockpool.spring.session;

import org.jspecify.annotations.Nullable;

/**
 * A value in the row of a session: its record, or an attribute. So the record's class is one that
 * is declared, and strict codecs allow it.
 */
record SessionCell(@Nullable SessionRecord details, @Nullable Object attribute) {}
