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
  WRONG_CLOCK,
  /** The primary is killed, and its standby promoted. */
  KILL_PRIMARY,
  /** The primary hangs, its standby is promoted, and then the old primary is back. */
  STOP_PRIMARY,
  /** The standby hangs for two seconds. Then the primary is killed, and the standby promoted. */
  LAGGING_STANDBY,
  /** The operator replaces a primary that works. */
  SWITCHOVER
}
