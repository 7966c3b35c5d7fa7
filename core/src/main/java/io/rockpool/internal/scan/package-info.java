/** How iterators of caches and collections read records. */
@NullMarked
package io.rockpool.internal.scan;

import org.jspecify.annotations.NullMarked;
