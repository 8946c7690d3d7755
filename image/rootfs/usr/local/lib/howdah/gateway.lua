-- What HAProxy does beyond its configuration: connections wait while there is no member to lead to, or while the host holds
-- the door; a new one is seen at once; and the host reads how things stand, and says what it knows.

-- To which members the gateway leads: "primary" or "replica".
local role = ...

-- How long a connection waits for a member. While the door is held it waits as well, and that does not count; the
-- configuration's inspect-delay is longer than both together.
local PATIENCE_MS = 15000
local LONGEST_HOLD_MS = 30000
local LOOK_AGAIN_MS = 10
-- Of all who wait together: a thousand of them look every 200 ms.
local LOOKS_PER_MS = 5
local COUNT_AGAIN_US = 100000
-- Right after nobody leads any more, the members are asked more often than HAProxy's own checks do.
local ASK_AGAIN_MS = 25
local ASK_FOR_MS = 10000
local ANSWER_WITHIN_S = 1
local PATRONI_PORT = 8008

local admitted = Map.new("/run/admitted.map", Map._ip)
local told = Map.new("/run/told.map", Map._str)

-- Another one for every hold, so that the end of an earlier one does not end a later one.
local hold = nil
-- For each member that is being asked, how long already.
local asked_ms = {}
local crowd, counted_at = 0, nil

-- Of the backend's servers, those that are not the waiting room.
local function members()
    local found = {}
    for name, server in pairs(core.backends.members.servers) do
        if name:find("^member") then
            found[name] = server
        end
    end
    return found
end

local function leads()
    return core.backends.members:get_srv_act() > 0
end

-- nil for one of the places that no member has.
local function address_of(server)
    return server:get_addr():match("^(%d+%.%d+%.%d+%.%d+):")
end

-- Who has gone meanwhile, or may no longer connect, does not stay.
local function may_wait(txn)
    return txn.req:may_recv() and admitted:lookup(txn.f:src()) == "yes"
end

-- Counting is dear, and so done once for all who look at that time.
local function step_ms()
    local now = core.now()
    local at = now.sec * 1000000 + now.usec
    if not counted_at or math.abs(at - counted_at) > COUNT_AGAIN_US then
        crowd, counted_at = core.frontends.endpoint:get_stats().scur, at
    end
    return math.max(LOOK_AGAIN_MS, crowd // LOOKS_PER_MS)
end

core.register_action("wait_for_member", { "tcp-req" }, function(txn)
    local left_ms = PATIENCE_MS
    while hold or not leads() do
        if left_ms <= 0 or not may_wait(txn) then
            return act.DENY
        end
        local ms = step_ms()
        core.msleep(ms)
        if not hold then
            left_ms = left_ms - ms
        end
    end
end)

-- The same two things that the configuration expects of an answer.
local function has_role(address)
    local connection = core.tcp()
    connection:settimeout(ANSWER_WITHIN_S)
    local answer = connection:connect(address, PATRONI_PORT)
        and connection:send("GET /" .. role .. " HTTP/1.0\r\n\r\n")
        and connection:receive("*a")
    connection:close()
    return answer and answer:find("^HTTP/1%.%d 200 ") and answer:find('"state": "running".*"role": "' .. role .. '"')
end

local function ask(name)
    local server = members()[name]
    while not leads() and asked_ms[name] < ASK_FOR_MS do
        local address = address_of(server)
        local asked, is_so = pcall(has_role, address)
        if address and asked and is_so and address_of(server) == address then
            server:check_force_up()
        end
        core.msleep(ASK_AGAIN_MS)
        asked_ms[name] = asked_ms[name] + ASK_AGAIN_MS
    end
    asked_ms[name] = nil
end

-- Each by itself, so that one that does not answer holds up nobody.
local function ask_everybody()
    for name, server in pairs(members()) do
        local is_asked = asked_ms[name] ~= nil
        asked_ms[name] = 0
        if not is_asked then
            core.register_task(ask, name)
        end
    end
end

-- HAProxy takes every server for one that is there until it has looked.
core.register_init(function()
    for _, server in pairs(members()) do
        server:check_force_down()
    end
end)
core.register_task(ask_everybody)
core.event_sub({ "SERVER_DOWN" }, function(_, server)
    if server.proxy_name == "members" and not leads() then
        ask_everybody()
    end
end)

local function hold_door(for_ms)
    local mine = {}
    hold = mine
    core.register_task(function()
        core.msleep(for_ms)
        if hold == mine then
            hold = nil
        end
    end)
end

-- The host knows for certain that a member is dead.
local function take_for_dead(address)
    for _, server in pairs(members()) do
        if address_of(server) == address then
            server:check_force_down()
        end
    end
end

local function state()
    local leading_to = {}
    for _, server in pairs(members()) do
        if server:get_stats().status:find("^UP") then
            table.insert(leading_to, '"' .. address_of(server) .. '"')
        end
    end
    local format = '{"members":[%s],"pooling":%d,"allowed":%s}'
    local pooling = core.backends.pooler:get_srv_act()
    return format:format(table.concat(leading_to, ","), pooling, told:lookup("allowed") or "null")
end

-- Returns a status and a body.
local function answer(method, path, query)
    if method == "GET" and path == "/" then
        return 200, state()
    end
    if method ~= "POST" then
        return 405, "null"
    end
    local for_ms = tonumber(query:match("^ms=(%d+)$"))
    local address = query:match("^address=([%d.]+)$")
    if path == "/hold" and for_ms and for_ms <= LONGEST_HOLD_MS then
        hold_door(for_ms)
    elseif path == "/release" then
        hold = nil
    elseif path == "/dead" and address then
        take_for_dead(address)
    else
        return 400, "null"
    end
    return 200, state()
end

core.register_service("state", "http", function(applet)
    local status, body = answer(applet.method, applet.path, applet.qs or "")
    applet:set_status(status)
    applet:add_header("content-type", "application/json")
    applet:add_header("content-length", tostring(#body))
    applet:start_response()
    applet:send(body)
end)
