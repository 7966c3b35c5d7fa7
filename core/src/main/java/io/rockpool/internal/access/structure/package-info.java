/**
 * What the front door uses of structures, hidden from users.
 *
 * <p>Start at {@link io.rockpool.internal.access.structure.StoreStructures}.
 */
@NullMarked
package io.rockpool.internal.access.structure;

import org.jspecify.annotations.NullMarked;
