package io.rockpool.sample.payments;

/**
 * What a client gets.
 *
 * @param number counts the payments, from 1
 */
record Receipt(long number, Payment payment) {}
