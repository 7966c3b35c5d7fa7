/** A web service that makes each payment once, however often it is requested. */
@NullMarked
package io.rockpool.sample.payments;

import org.jspecify.annotations.NullMarked;
