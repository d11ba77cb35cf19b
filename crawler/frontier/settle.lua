-- Admit offers, and end leases with them. ARGV[8] is the segment ('' to admit without a lease), ARGV[9] '1' where
-- robots.txt is asked for; then for each finished lease: token, how it ended (n, 'd' dead, 'v' revisit), its reason or
-- the wait in seconds and the priority of the next visit, the record of the next visit, host, key and record as they were leased, url, number of offers,
-- and for each offer: key, host, origin, prefix, priority, record (refused ones: '', letter, reason).
local segment, asks_robots = ARGV[8], ARGV[9] == '1'

local function admit(at)
  local key, host, origin, prefix = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if key == '' then
    redis.call('HINCRBY', P .. 'refused', origin, 1)
    return host
  end
  if is_seen(key) then return 's' end
  local state = host_key(host)
  if tonumber(redis.call('HGET', state, 'n') or '0') >= HOST_BUDGET then
    redis.call('HINCRBY', P .. 'refused', 'host-budget', 1)
    return 'h'
  end
  if tonumber(redis.call('HGET', P .. 'x:' .. host, prefix) or '0') >= PREFIX_BUDGET then
    redis.call('HINCRBY', P .. 'refused', 'prefix-budget', 1)
    return 'p'
  end
  see(key)
  if redis.call('HINCRBY', state, 'n', 1) == 1 then redis.call('HINCRBY', NUMBERS, 'hosts', 1) end
  redis.call('HINCRBY', P .. 'x:' .. host, prefix, 1)
  if asks_robots and redis.call('HSETNX', P .. 'robots', origin, '') == 1 then
    enqueue(host, '1e12', 'r' .. origin .. '/robots.txt')
  end
  enqueue(host, ARGV[at + 4], ARGV[at + 5])
  return 'q'
end

local function is_ours(token, host, key, record)
  local lease = lease_of(token)
  if lease and lease.record == record then return true end
  -- A lease that was taken from a dead process counts if nobody else has the address now,
  if redis.call('ZREM', P .. 'q:' .. host, record) == 1 then
    redis.call('HINCRBY', NUMBERS, 'queued', -1)
    place(host)
    return true
  end
  return see(key) -- and if this server knows nothing of it, since it has lost its memory.
end

local answers = {}
local at = 10
while at <= #ARGV do
  local token, ending, reason, next_record = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local host, key, record, url = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local count = tonumber(ARGV[at + 8])
  at = at + 9
  local answer = segment ~= '' and redis.call('HGET', P .. 'r:' .. segment, token)
  if not answer and (segment == '' or is_ours(token, host, key, record)) then
    local letters = {}
    for i = 1, count do letters[i] = admit(at + (i - 1) * 6) end
    answer = table.concat(letters)
    if segment ~= '' then
      end_lease(token, host, now)
      if ending == 'd' then
        redis.call('HSET', P .. 'dead', url, reason)
      elseif ending == 'v' then
        local wait, priority = string.match(reason, '^(%S+) (%S+)$')
        redis.call('ZADD', P .. 'revisit', number(now + tonumber(wait)), later_name(host, priority, next_record))
      end
      if ending ~= 'd' then redis.call('HINCRBY', NUMBERS, 'done', 1) end
      redis.call('HSET', P .. 'r:' .. segment, token, answer)
    end
  end
  answers[#answers + 1] = answer
  at = at + count * 6
end
return answers
