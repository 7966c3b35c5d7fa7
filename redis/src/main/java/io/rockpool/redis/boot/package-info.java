/** Takes the connection to Redis from Spring Boot. */
@NullMarked
package io.rockpool.redis.boot;

import org.jspecify.annotations.NullMarked;
