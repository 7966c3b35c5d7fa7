/**
 * Code that the engines share: spaces that join transactions, notes of a transaction, verification.
 */
@NullMarked
package io.rockpool.internal.engine;

import org.jspecify.annotations.NullMarked;
