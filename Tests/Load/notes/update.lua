-- Sends updateNote requests one after another. An account has at most one request in flight.
--
-- wrk … -s update.lua URL -- FILE THREADS BEFORE_TITLE BEFORE_BODY AFTER_BODY
--
-- FILE has a line per account: its subject, its revision, the word in each of its notes, and a token. The lengths are
-- those of the text before and after the word, which a delta retains. The word alternates between white and green.

local threads = {}

function setup(thread)
    thread:set("number", #threads)
    table.insert(threads, thread)
end

function init(arguments)
    local file, count = arguments[1], tonumber(arguments[2])
    accounts, waiting, taken, added, refused = {}, {}, 0, 0, 0
    edits = {}
    for old, new in pairs({ white = "green", green = "white" }) do
        edits[old] = string.format('"title":[%s,-5,"%s"],"body":[%s,-5,"%s",%s]', arguments[3], new, arguments[4], new,
            arguments[5])
    end
    local line_number = 0
    for line in io.lines(file) do
        local subject, revision, words, token = line:match("^(%S+) (%S+) (%S+) (%S+)$")
        if line_number % count == number then
            local account = { revision = revision, words = {}, headers = {
                ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" } }
            for word in words:gmatch("%a+") do table.insert(account.words, word) end
            accounts[subject] = account
            put_back(subject)
        end
        line_number = line_number + 1
    end
    math.randomseed(os.time() * 64 + number)
end

function put_back(subject)
    added = added + 1
    waiting[added] = subject
end

function request()
    taken = taken + 1
    local subject = waiting[taken]
    waiting[taken] = nil
    -- Every connection of this thread waits for a response that never came.
    if not subject then return wrk.format("GET", "/none-left") end
    local account = accounts[subject]
    local note = math.random(#account.words)
    local word = account.words[note]
    account.words[note] = word == "white" and "green" or "white"
    -- The action's id contains the account, so that the response reveals it.
    return wrk.format("POST", nil, account.headers, string.format(
        '[["updateNote",{"action_id":"%s-%06d%06d","id":"%d","base":%s,%s}]]', subject, math.random(0, 999999),
        math.random(0, 999999), note - 1, account.revision, edits[word]))
end

function response(status, _, body)
    local revision = body:match('^{"revision":(%d+)')
    local subject = body:match('"status":"applied","id":"%d","action_id":"(%d+)%-')
    if status ~= 200 or not subject then
        refused = refused + 1
        io.stderr:write(status, " ", body:sub(1, 500), "\n")
        return
    end
    accounts[subject].revision = revision
    put_back(subject)
end

function done()
    local sum = 0
    for _, thread in ipairs(threads) do sum = sum + thread:get("refused") end
    io.write("Refused: ", sum, "\n")
end
