-- Small changes, by name. ARGV[8] is the name, the rest its arguments; answers 1 where something was changed.
local name = ARGV[8]

if name == 'give_back' then -- token, wait, record of the next attempt
  local lease = lease_of(ARGV[9])
  if not lease then return 0 end
  end_lease(ARGV[9], lease.host, now)
  redis.call('ZADD', P .. 'retry', number(now + tonumber(ARGV[10])), later_name(lease.host, lease.priority, ARGV[11]))
  return 1
elseif name == 'set_robots' then -- token, origin, rules, delay or ''
  local lease = lease_of(ARGV[9])
  if not lease then return 0 end
  end_lease(ARGV[9], lease.host, now)
  local key = host_key(lease.host)
  redis.call('HSET', P .. 'robots', ARGV[10], ARGV[11])
  if ARGV[12] ~= '' then redis.call('HSET', key, 'delay', ARGV[12]) end
  redis.call('HDEL', key, 'gate')
  local next_at = tonumber(redis.call('HGET', key, 'next_at') or '0')
  redis.call('HSET', key, 'next_at', number(math.max(next_at, now + delay_of(lease.host))))
  place(lease.host)
  return 1
elseif name == 'ask_robots' then -- origin, host
  if redis.call('HGET', host_key(ARGV[10]), 'gate') == '1' then return 0 end
  enqueue(ARGV[10], '1e12', 'r' .. ARGV[9] .. '/robots.txt')
  return 1
elseif name == 'slow_down' then -- host, wait
  local key = host_key(ARGV[9])
  local next_at = tonumber(redis.call('HGET', key, 'next_at') or '0')
  redis.call('HSET', key, 'next_at', number(math.max(next_at, now + tonumber(ARGV[10]))))
  place(ARGV[9])
  return 1
elseif name == 'locate' then -- token, network address
  local token, address = ARGV[9], ARGV[10]
  local lease = lease_of(token)
  if not lease or redis.call('SISMEMBER', P .. 'held', token) == 0 then return 0 end
  local before = redis.call('HGET', host_key(lease.host), 'at')
  redis.call('HSET', host_key(lease.host), 'at', address, 'located_at', number(now))
  if before and before ~= address then -- it has moved, and may queue up at its old address
    unblock(lease.host, before)
    place(lease.host)
  end
  if redis.call('HEXISTS', P .. 'held_at', token) == 1 then return 1 end
  if is_free(address) then
    occupy(token, address)
    return 1
  end
  redis.call('HSET', host_key(lease.host), 'next_at', number(now)) -- it was not asked
  requeue(token, lease)
  return 0
elseif name == 'reclaim' then -- worker, then the tokens that it still has
  local count, kept = 0, {}
  for i = 10, #ARGV do kept[ARGV[i]] = true end
  for _, token in ipairs(redis.call('HKEYS', P .. 'leases')) do
    local lease = lease_of(token)
    if lease.worker == ARGV[9] and not kept[token] then
      requeue(token, lease)
      count = count + 1
    end
  end
  return count
elseif name == 'remember' then -- keys with their hosts
  local count = 0
  for i = 9, #ARGV, 2 do
    if see(ARGV[i]) then
      count = count + 1
      if redis.call('HINCRBY', host_key(ARGV[i + 1]), 'n', 1) == 1 then redis.call('HINCRBY', NUMBERS, 'hosts', 1) end
      redis.call('HINCRBY', NUMBERS, 'done', 1)
    end
  end
  return count
elseif name == 'hasten' then -- kind of address, or ''
  for _, waiting in ipairs(redis.call('ZRANGE', P .. 'retry', 0, -1)) do
    local _, _, record = read_later(waiting)
    if ARGV[9] == '' or string.sub(record, 1, 1) == ARGV[9] then redis.call('ZADD', P .. 'retry', 0, waiting) end
  end
  return 1
elseif name == 'retry' then -- url, host, priority and record of dead letters
  local count = 0
  for i = 9, #ARGV, 4 do
    if redis.call('HDEL', P .. 'dead', ARGV[i]) == 1 then
      enqueue(ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
      count = count + 1
    end
  end
  return count
elseif name == 'rescore' then -- host, then priorities with their records
  for i = 10, #ARGV, 2 do redis.call('ZADD', P .. 'q:' .. ARGV[9], 'XX', ARGV[i], ARGV[i + 1]) end
  place(ARGV[9])
  return 1
end
return redis.error_reply('no change named ' .. name)
