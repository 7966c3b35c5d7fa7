/** Random operations on collections and on a real Redis server, which must agree. */
@NullMarked
package io.rockpool.comparison;

import org.jspecify.annotations.NullMarked;
