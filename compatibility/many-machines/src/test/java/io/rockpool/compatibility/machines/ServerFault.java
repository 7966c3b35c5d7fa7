package io.rockpool.compatibility.machines;

/** What a campaign does in the middle of the machines' work. */
enum ServerFault {
  KILL_SERVER,
  KILL_MACHINE,
  PARTITION,
  STOP_SERVER,
  STOP_MACHINE,
  SLOW_LINK,
  LOST_FEED,
  WRONG_CLOCK
}
