-- Admit offers, and end leases with them. ARGV[8] is the segment ('' to admit without a lease), ARGV[9] '1' where
-- robots.txt is asked for, ARGV[10..11] how many copies of how many answers close a template (0: none does); then for
-- each finished lease: token, how it ended (n, 'd' dead, 'v' revisit), its reason or the wait in seconds and the
-- priority of the next visit, the record of the next visit, host, key and record as they were leased, url, its
-- template, '1' for a copy ('0' for none, '' where nobody has compared it), number of offers, and for each offer: key,
-- host, origin, prefix, priority, record, template (refused ones: '', letter, reason, and four more).
local segment, asks_robots = ARGV[8], ARGV[9] == '1'
local COPIES, WINDOW = tonumber(ARGV[10]), tonumber(ARGV[11])
local OFFER = 7 -- words of one

-- Templates. t:HOST: the last answers of each that had a copy among them, as '1' and '0'; c:HOST: those that are closed.
local closing_hosts = {}
local function is_closed(host, template)
  if COPIES == 0 then return false end
  if closing_hosts[host] == nil then closing_hosts[host] = redis.call('EXISTS', P .. 'c:' .. host) == 1 end
  return closing_hosts[host] and redis.call('SISMEMBER', P .. 'c:' .. host, template) == 1
end

local function answered(host, template, is_copy) -- true where it closes the template
  local recent = redis.call('HGET', P .. 't:' .. host, template)
  if COPIES == 0 or not (recent or is_copy) then return false end
  recent = string.sub((recent or '') .. (is_copy and '1' or '0'), -WINDOW)
  redis.call('HSET', P .. 't:' .. host, template, recent)
  local _, copies = string.gsub(recent, '1', '')
  if copies < COPIES or redis.call('SADD', P .. 'c:' .. host, template) == 0 then return false end
  closing_hosts[host] = true
  return true
end

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
  if string.sub(ARGV[at + 5], 1, 1) == 'p' and is_closed(host, ARGV[at + 6]) then
    redis.call('HINCRBY', P .. 'refused', 'near-identical', 1)
    return 'n'
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

local function leads_elsewhere(at, letters, host, template)
  for i, letter in ipairs(letters) do
    local offer = at + (i - 1) * OFFER
    local is_page = letter == 'q' and string.sub(ARGV[offer + 5], 1, 1) == 'p'
    if is_page and (ARGV[offer + 1] ~= host or ARGV[offer + 6] ~= template) then return true end
  end
  return false
end

local answers = {}
local at = 12
while at <= #ARGV do
  local token, ending, reason, next_record = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local host, key, record, url = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local template, copy = ARGV[at + 8], ARGV[at + 9]
  local count = tonumber(ARGV[at + 10])
  at = at + 11
  local answer = segment ~= '' and redis.call('HGET', P .. 'r:' .. segment, token)
  if not answer and (segment == '' or is_ours(token, host, key, record)) then
    local letters = {}
    for i = 1, count do letters[i] = admit(at + (i - 1) * OFFER) end
    answer = table.concat(letters)
    if copy ~= '' then
      local is_copy = copy == '1' and not leads_elsewhere(at, letters, host, template)
      if answered(host, template, is_copy) then answer = answer .. '!' end
    end
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
  at = at + count * OFFER
end
return answers
