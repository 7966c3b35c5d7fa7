package io.rockpool.sample.payments;

/** What a client asks for. */
record Payment(String from, String to, long cents) {}
