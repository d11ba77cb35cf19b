-- Shared by all scripts of the frontier. KEYS[1] is the prefix of all keys; ARGV[1] the time, or '' for the server's own.
-- ARGV[2..5]: requests to a host at once, seconds between two, addresses of a host, addresses of a prefix; ARGV[6..7]:
-- requests to a network address at once (0: nobody looks at network addresses), seconds between two.
-- Records are strings that only Python reads; the first letter is the kind of address ('r' is robots.txt).
local P = KEYS[1]
local now = tonumber(ARGV[1])
if not now then -- the server's clock; where it was set back, it goes on from where it was
  local t = redis.call('TIME')
  local clock = redis.call('HMGET', P .. 'numbers', 'clock', 'clock_ahead')
  local last, ahead = tonumber(clock[1] or '0'), tonumber(clock[2] or '0')
  now = tonumber(t[1]) + tonumber(t[2]) / 1e6 + ahead
  if now < last - 1 then
    redis.call('HINCRBY', P .. 'numbers', 'clock_ahead', math.ceil(last - now))
    now = last
  elseif now > last + 1 then
    redis.call('HSET', P .. 'numbers', 'clock', math.floor(now))
  end
end
local CONCURRENCY, DELAY = tonumber(ARGV[2]), tonumber(ARGV[3])
local HOST_BUDGET, PREFIX_BUDGET = tonumber(ARGV[4]), tonumber(ARGV[5])
local AT_CONCURRENCY, AT_DELAY = tonumber(ARGV[6]), tonumber(ARGV[7])
local NUMBERS = P .. 'numbers'
local BUCKET = 128 -- keys of a bucket before one more is split; Redis keeps up to 512 integers as a sorted array

-- Seen addresses: linear hashing. There are `buckets` sets; a key belongs to the set of its low bits.
local function low_bits(member, modulus)
  if #member == 16 and not string.match(member, '^%-?%d+$') then -- 128 bits, as bytes
    local a, b, c, d = string.byte(member, 1, 4)
    return (a + b * 256 + c * 65536 + d * 16777216) % modulus
  end
  local digits, is_negative = member, false
  if string.sub(digits, 1, 1) == '-' then digits, is_negative = string.sub(digits, 2), true end
  local high, low = tonumber(string.sub(digits, 1, -10)) or 0, tonumber(string.sub(digits, -9))
  local rest = ((high % modulus) * (1e9 % modulus) + low) % modulus
  if is_negative and rest > 0 then rest = modulus - rest end
  return rest
end

local function power_below(n) -- the largest power of two that is not above n
  local power = 1
  while power * 2 <= n do power = power * 2 end
  return power
end

local buckets = tonumber(redis.call('HGET', NUMBERS, 'buckets') or '1')
local half = power_below(buckets)

local function bucket_of(member)
  local n = low_bits(member, half * 2)
  if n >= buckets then n = n - half end
  return n
end

local function split_one()
  local from, to = buckets - half, buckets
  buckets = buckets + 1
  local moving = {}
  for _, member in ipairs(redis.call('SMEMBERS', P .. 's:' .. from)) do
    if low_bits(member, half * 2) == to then moving[#moving + 1] = member end
  end
  for i = 1, #moving, 500 do
    local part = {}
    for j = i, math.min(i + 499, #moving) do part[#part + 1] = moving[j] end
    redis.call('SREM', P .. 's:' .. from, unpack(part))
    redis.call('SADD', P .. 's:' .. to, unpack(part))
  end
  if buckets == half * 2 then half = buckets end
  redis.call('HSET', NUMBERS, 'buckets', buckets)
end

local function is_seen(member)
  return redis.call('SISMEMBER', P .. 's:' .. bucket_of(member), member) == 1
end

local function see(member) -- true where it is new
  if redis.call('SADD', P .. 's:' .. bucket_of(member), member) == 0 then return false end
  local seen = redis.call('HINCRBY', NUMBERS, 'seen', 1)
  if seen > buckets * BUCKET then split_one() end
  return true
end

-- Hosts. waiting: host by the time from which it may be asked; since: hosts that may be asked now by when that began;
-- ready: the same by head score, equal ones by turn (the name begins with it, the longest ready has the largest name).
local function host_key(host) return P .. 'h:' .. host end
local function ready_name(turn, host) return string.format('%016.0f', 1e15 - turn) .. host end

local function make_ready(host, since, score)
  local turn = redis.call('HINCRBY', NUMBERS, 'turn', 1)
  redis.call('HSET', host_key(host), 'turn', turn)
  redis.call('ZADD', P .. 'since', since, host)
  redis.call('ZADD', P .. 'ready', score, ready_name(turn, host))
end

local function unready(host)
  if redis.call('ZREM', P .. 'since', host) == 1 then
    redis.call('ZREM', P .. 'ready', ready_name(tonumber(redis.call('HGET', host_key(host), 'turn')), host))
  end
end

local function number(text) return string.format('%.6f', text) end

-- Network addresses. at:ADDRESS: requests that run, time from which it may be asked; b:ADDRESS: hosts that could be
-- asked if it were not for the address, by when that began; busy: addresses with such hosts by their time.
local function address_key(address) return P .. 'at:' .. address end

local function is_free(address)
  local state = redis.call('HMGET', address_key(address), 'active', 'next_at')
  return tonumber(state[1] or '0') < AT_CONCURRENCY and tonumber(state[2] or '0') <= now
end

local function place_address(address)
  local state = redis.call('HMGET', address_key(address), 'active', 'next_at')
  if tonumber(state[1] or '0') < AT_CONCURRENCY and redis.call('EXISTS', P .. 'b:' .. address) == 1 then
    redis.call('ZADD', P .. 'busy', state[2] or '0', address)
  else
    redis.call('ZREM', P .. 'busy', address)
  end
end

local function occupy(token, address)
  local next_at = number(now + AT_DELAY)
  redis.call('HSET', P .. 'held_at', token, next_at .. ' ' .. address)
  redis.call('HINCRBY', address_key(address), 'active', 1)
  redis.call('HSET', address_key(address), 'next_at', next_at)
  place_address(address)
end

local function leave(token, is_asked, at)
  local held = redis.call('HGET', P .. 'held_at', token)
  if not held then return end
  local next_at, address = string.match(held, '^(%S+) (.*)$')
  redis.call('HDEL', P .. 'held_at', token)
  redis.call('HINCRBY', address_key(address), 'active', -1)
  if not is_asked and redis.call('HGET', address_key(address), 'next_at') == next_at then -- nobody was asked since
    redis.call('HSET', address_key(address), 'next_at', 0)
  elseif at and AT_CONCURRENCY == 1 then -- one after the other: from the answer on
    local before = tonumber(redis.call('HGET', address_key(address), 'next_at') or '0')
    redis.call('HSET', address_key(address), 'next_at', number(math.max(before, at + AT_DELAY)))
  end
  place_address(address)
end

local function unblock(host, address)
  redis.call('ZREM', P .. 'b:' .. address, host)
  place_address(address)
end

local function place(host)
  local state = redis.call('HMGET', host_key(host), 'active', 'gate', 'next_at', 'turn', 'at')
  local head = redis.call('ZREVRANGE', P .. 'q:' .. host, 0, 0, 'WITHSCORES')
  local blocked = state[5] and redis.call('ZSCORE', P .. 'b:' .. state[5], host)
  if #head == 0 or state[2] == '1' or tonumber(state[1] or '0') >= CONCURRENCY then
    redis.call('ZREM', P .. 'waiting', host)
    unready(host)
    if blocked then unblock(host, state[5]) end
    return
  end
  local next_at, since = tonumber(state[3] or '0'), redis.call('ZSCORE', P .. 'since', host)
  if blocked then
    if next_at <= tonumber(blocked) then return end -- it stays where it is
    unblock(host, state[5])
  end
  if since and next_at <= tonumber(since) then
    redis.call('ZADD', P .. 'ready', head[2], ready_name(tonumber(state[4]), host))
  else
    unready(host)
    redis.call('ZADD', P .. 'waiting', next_at, host)
  end
end

local function delay_of(host)
  return math.max(DELAY, tonumber(redis.call('HGET', host_key(host), 'delay') or '0'))
end

local function enqueue(host, priority, record)
  if redis.call('ZADD', P .. 'q:' .. host, priority, record) == 0 then return end
  redis.call('HINCRBY', NUMBERS, 'queued', 1)
  if redis.call('ZCARD', P .. 'q:' .. host) == 1 then
    local next_at = tonumber(redis.call('HGET', host_key(host), 'next_at') or '0')
    if next_at < now then redis.call('HSET', host_key(host), 'next_at', number(now)) end
  end
  place(host)
end

-- Leases. leases: token -> worker, host, priority, record; held: tokens that occupy a place of their host.
local function lease_of(token)
  local text = redis.call('HGET', P .. 'leases', token)
  if not text then return nil end
  local worker, host, priority, record = string.match(text, '^(.-)\n(.-)\n(.-)\n(.*)$')
  return {worker = worker, host = host, priority = priority, record = record}
end

local function release(token, host, at)
  if redis.call('SREM', P .. 'held', token) == 0 then return end
  redis.call('HINCRBY', host_key(host), 'active', -1)
  leave(token, true, at)
  if at and CONCURRENCY == 1 then
    local next_at = tonumber(redis.call('HGET', host_key(host), 'next_at') or '0')
    redis.call('HSET', host_key(host), 'next_at', number(math.max(next_at, at + delay_of(host))))
  end
  place(host)
end

local function end_lease(token, host, at)
  redis.call('HDEL', P .. 'leases', token)
  redis.call('ZREM', P .. 'expiry', token)
  release(token, host, at)
end

local function requeue(token, lease)
  end_lease(token, lease.host, nil)
  if string.sub(lease.record, 1, 1) == 'r' then redis.call('HDEL', host_key(lease.host), 'gate') end
  enqueue(lease.host, lease.priority, lease.record)
end

-- What waits for a time: name -> host, priority, record in one string.
local function later_name(host, priority, record) return host .. '\n' .. priority .. '\n' .. record end
local function read_later(name) return string.match(name, '^(.-)\n(.-)\n(.*)$') end
