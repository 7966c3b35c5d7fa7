/** Programs of others that use a JCache provider, on Rockpool and on Caffeine's adapter. */
package io.rockpool.compatibility;
