package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.Base16;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What the server decides by itself. Each script works on keys of one slot. Those that change the
 * catalog or generations run on a full server, too: clears and openings do not need memory.
 */
enum Scripts {
  /**
   * A conditional write of an entry. Keys: the generation, the entry. Arguments: the generation
   * that the caller knows; the condition, {@code A} absent, {@code S} expiry and value same, {@code
   * W} write id same, {@code L} lease not ended, or {@code N} none; what is compared; the new
   * entry, empty to delete; when the server removes it, or 0; now. Returns 0 and the generation if
   * it is another, 1 and the old entry if it was written, 2 and the old entry if not.
   */
  WRITE(
      """
      local generation = redis.call('GET', KEYS[1])
      if generation ~= ARGV[1] then return {0, generation} end
      local old = redis.call('GET', KEYS[2])
      local lease = old and string.sub(old, 2, 17)
      if old then
        local high, low = 0, 0
        if #old >= 25 then high, low = struct.unpack('>I4I4', old, 18) end
        if string.sub(old, 2, 9) ~= string.sub(generation, 1, 8)
            or high * 4294967296 + low <= tonumber(ARGV[6]) then
          old = false
        end
      end
      local made = true
      if ARGV[2] == 'A' then
        made = not old
      elseif ARGV[2] == 'S' then
        made = old and string.sub(old, 18) == ARGV[3]
      elseif ARGV[2] == 'L' then
        made = lease == ARGV[3] and string.sub(lease, 1, 8) == string.sub(generation, 1, 8)
      elseif ARGV[2] == 'W' then
        made = (old and string.sub(old, 10, 17) or '') == ARGV[3]
      end
      if not made then return {2, old} end
      if ARGV[4] == '' then
        if redis.call('DEL', KEYS[2]) == 0 then
          redis.call('SET', KEYS[2], '')
          redis.call('DEL', KEYS[2])
        end
      elseif ARGV[5] == '0' then
        redis.call('SET', KEYS[2], ARGV[4])
      else
        redis.call('SET', KEYS[2], ARGV[4], 'PXAT', ARGV[5])
      end
      return {1, old}
      """),

  /**
   * Puts a placeholder in the place of what is no entry, for a lease. Keys: the generation, the
   * entry. Arguments: the generation that the caller knows; what it has read in the entry's key;
   * the placeholder; its milliseconds. Returns 0 and the generation if it is another, 1 if it was
   * put, 2 if the entry is another.
   */
  LEASE(
      """
      local generation = redis.call('GET', KEYS[1])
      if generation ~= ARGV[1] then return {0, generation} end
      local there = redis.call('GET', KEYS[2])
      if there and there ~= ARGV[2] then return {2} end
      redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
      return {1}
      """),

  /**
   * Sets when a bucket expires. Key: the generation. Arguments: the expiry, a generation in case
   * the bucket has none or has expired, now.
   */
  EXPIRE(
      """
      #!lua flags=allow-oom
      local id = ARGV[2]
      local generation = redis.call('GET', KEYS[1])
      if generation then
        local high, low = struct.unpack('>I4I4', generation, 9)
        if high * 4294967296 + low > tonumber(ARGV[3]) then id = string.sub(generation, 1, 8) end
      end
      redis.call('SET', KEYS[1], id .. ARGV[1])
      return 1
      """),

  /** {@code SET} on a full server. Key; arguments: those of the command. */
  SET(
      """
      #!lua flags=allow-oom
      redis.call('SET', KEYS[1], unpack(ARGV))
      return 1
      """),

  /** Replaces a value that the caller has read. Key; arguments: the value, the new one. */
  REPLACE(
      """
      #!lua flags=allow-oom
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2])
      return 1
      """),

  /**
   * Replaces a field of the catalog that the caller has read. Key: the catalog. Arguments: the
   * name, its value, the new one, empty to remove the name; now. Notes an id that the catalog no
   * longer has.
   */
  CATALOG(
      """
      #!lua flags=allow-oom
      if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
      if ARGV[3] == '' then
        redis.call('HDEL', KEYS[1], ARGV[1])
      else
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
      end
      local id = string.sub(ARGV[2], 2, 9)
      if id ~= string.sub(ARGV[3], 2, 9) then
        redis.call('HSET', KEYS[1], '\\0' .. id, ARGV[4])
      end
      return 1
      """),

  /**
   * Removes names from the catalog, and notes their ids. Key: the catalog. Arguments: now, the
   * names.
   */
  DROP(
      """
      #!lua flags=allow-oom
      for i = 2, #ARGV do
        local old = redis.call('HGET', KEYS[1], ARGV[i])
        if old then
          redis.call('HSET', KEYS[1], '\\0' .. string.sub(old, 2, 9), ARGV[1])
          redis.call('HDEL', KEYS[1], ARGV[i])
        end
      end
      return 1
      """),

  /**
   * Adds a field to the catalog unless it is there, or its id was dropped. Key: the catalog.
   * Arguments: the name, its value, the era if the catalog is new. Returns whether it was added,
   * the value and the era.
   */
  ADD(
      """
      #!lua flags=allow-oom
      local added = 0
      if not redis.call('HGET', KEYS[1], '\\0' .. string.sub(ARGV[2], 2, 9)) then
        added = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
      end
      redis.call('HSETNX', KEYS[1], '', ARGV[3])
      return {added, redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[1], '')}
      """),

  /** Removes an entry of a generation that is over. Key: the entry; argument: the generation. */
  SWEEP(
      """
      if redis.call('GETRANGE', KEYS[1], 1, 8) ~= ARGV[1] then return 0 end
      return redis.call('UNLINK', KEYS[1])
      """);

  private static final Pattern CALL = Pattern.compile("redis\\.call\\('([A-Z]+)'");

  private final String source;
  private final String digest;

  Scripts(String source) {
    this.source = source;
    this.digest = Base16.digest(source.getBytes(UTF_8));
  }

  /** The commands that the scripts run, sorted. */
  static Set<String> commands() {
    Set<String> found = new TreeSet<>();
    for (Scripts script : values()) {
      CALL.matcher(script.source)
          .results()
          .forEach(call -> found.add(call.group(1).toLowerCase(Locale.ROOT)));
    }
    return found;
  }

  byte[] source() {
    return source.getBytes(UTF_8);
  }

  String digest() {
    return digest;
  }
}
