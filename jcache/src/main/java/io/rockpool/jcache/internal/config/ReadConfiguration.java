package io.rockpool.jcache.internal.config;

import io.rockpool.cache.OptionValues;
import javax.cache.configuration.MutableConfiguration;

/**
 * The configuration of a cache, as read from a file or from the store.
 *
 * @param standard the options of the specification
 * @param options the other options
 */
public record ReadConfiguration(
    MutableConfiguration<Object, Object> standard, OptionValues options) {}
