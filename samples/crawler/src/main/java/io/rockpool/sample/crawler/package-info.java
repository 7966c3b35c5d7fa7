/** A crawler of the running JDK that can be killed at any time and continues where it was. */
@NullMarked
package io.rockpool.sample.crawler;

import org.jspecify.annotations.NullMarked;
