-- Free the places of hosts that have answered, take back what has expired or is due, then lease.
-- ARGV[8] how many, ARGV[9] seconds of a lease, ARGV[10] patience, ARGV[11] worker, then tokens with the seconds since
-- their answer.
local wanted, seconds, patience, worker = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), ARGV[11]
local AT_ONCE = 1000 -- of what has expired, is due or becomes ready
local LOCATED_SECONDS = 3600 -- as in contract.py

for i = 12, #ARGV, 2 do
  local lease = lease_of(ARGV[i])
  local age = tonumber(ARGV[i + 1])
  if lease and age < 0 then -- its host was not asked
    redis.call('HSET', host_key(lease.host), 'next_at', number(now))
    leave(ARGV[i], false)
    release(ARGV[i], lease.host, nil)
  elseif lease then
    release(ARGV[i], lease.host, now - age)
  end
end
for _, token in ipairs(redis.call('ZRANGEBYSCORE', P .. 'expiry', '-inf', now, 'LIMIT', 0, AT_ONCE)) do
  local lease = lease_of(token)
  if lease then requeue(token, lease) else redis.call('ZREM', P .. 'expiry', token) end
end
for _, list in ipairs({'retry', 'revisit'}) do
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', P .. list, '-inf', now, 'LIMIT', 0, AT_ONCE)) do
    redis.call('ZREM', P .. list, name)
    local host, priority, record = read_later(name)
    if string.sub(record, 1, 1) == 'r' then redis.call('HDEL', host_key(host), 'gate') end
    enqueue(host, priority, record)
  end
end

local function wake_hosts()
  -- Of each free address the host that has waited longest; these first, so that equals take turns.
  for _, address in ipairs(redis.call('ZRANGEBYSCORE', P .. 'busy', '-inf', now, 'LIMIT', 0, AT_ONCE)) do
    local first = redis.call('ZPOPMIN', P .. 'b:' .. address)
    if #first > 0 then
      local head = redis.call('ZREVRANGE', P .. 'q:' .. first[1], 0, 0, 'WITHSCORES')
      if #head > 0 then make_ready(first[1], tonumber(first[2]), head[2]) end
    end
    place_address(address)
  end
  local due = redis.call('ZRANGEBYSCORE', P .. 'waiting', '-inf', now, 'WITHSCORES', 'LIMIT', 0, AT_ONCE)
  for i = 1, #due, 2 do
    local host, since = due[i], tonumber(due[i + 1])
    redis.call('ZREM', P .. 'waiting', host)
    local head = redis.call('ZREVRANGE', P .. 'q:' .. host, 0, 0, 'WITHSCORES')
    if #head > 0 then make_ready(host, since, head[2]) end
  end
end

local function best_host()
  local oldest = redis.call('ZRANGE', P .. 'since', 0, 0, 'WITHSCORES')
  if #oldest == 0 then return nil end
  if now - tonumber(oldest[2]) >= patience then return oldest[1] end
  return string.sub(redis.call('ZREVRANGE', P .. 'ready', 0, 0)[1], 17)
end

local function address_of(host) -- nil where it is not known, or not any more
  if AT_CONCURRENCY == 0 then return nil end
  local found = redis.call('HMGET', host_key(host), 'at', 'located_at')
  if not found[1] or now >= tonumber(found[2]) + LOCATED_SECONDS then return nil end
  return found[1]
end

local function next_host() -- and its address
  while true do
    wake_hosts()
    local host = best_host()
    local address = host and address_of(host)
    if not address or is_free(address) then return host, address end
    local since = redis.call('ZSCORE', P .. 'since', host)
    unready(host)
    redis.call('ZADD', P .. 'b:' .. address, since, host)
    place_address(address)
  end
end

local leases = {}
while #leases < wanted do
  local host, address = next_host()
  if not host then break end
  local head = redis.call('ZPOPMAX', P .. 'q:' .. host)
  local record, priority = head[1], head[2]
  local token = redis.call('HINCRBY', NUMBERS, 'token', 1)
  redis.call('HINCRBY', NUMBERS, 'queued', -1)
  redis.call('HSET', P .. 'leases', token, worker .. '\n' .. host .. '\n' .. priority .. '\n' .. record)
  redis.call('ZADD', P .. 'expiry', number(now + seconds), token)
  redis.call('SADD', P .. 'held', token)
  if address then occupy(token, address) end
  redis.call('HINCRBY', host_key(host), 'active', 1)
  redis.call('HSET', host_key(host), 'next_at', number(now + delay_of(host)))
  if string.sub(record, 1, 1) == 'r' then redis.call('HSET', host_key(host), 'gate', 1) end
  unready(host)
  place(host)
  leases[#leases + 1] = {token, host, priority, record, (address or AT_CONCURRENCY == 0) and 1 or 0}
end

local soonest = nil
local function consider(key)
  local first = redis.call('ZRANGE', P .. key, 0, 0, 'WITHSCORES')
  if #first > 0 then
    local time = tonumber(first[2])
    if not soonest or time < soonest then soonest = time end
  end
end
for _, key in ipairs({'since', 'waiting', 'busy', 'retry', 'expiry'}) do consider(key) end
local pending = tonumber(redis.call('HGET', NUMBERS, 'queued') or '0') + redis.call('HLEN', P .. 'leases')
  + redis.call('ZCARD', P .. 'retry')
local is_idle = redis.call('HLEN', P .. 'leases') == 0
for _, key in ipairs({'since', 'waiting', 'busy'}) do is_idle = is_idle and redis.call('ZCARD', P .. key) == 0 end
local closed, asked = {}, {} -- the closed templates of these hosts, so that what is queued of them is not fetched
for _, lease in ipairs(leases) do
  local host = lease[2]
  if not asked[host] then
    asked[host] = true
    local templates = redis.call('SMEMBERS', P .. 'c:' .. host)
    if #templates > 0 then closed[#closed + 1] = {host, templates} end
  end
end
return {leases, soonest and number(math.max(soonest - now, 0)) or '', pending, is_idle and 1 or 0, closed}
