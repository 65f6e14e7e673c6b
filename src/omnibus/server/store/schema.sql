-- What the database holds, on SQLite and on PostgreSQL. It is written in SQLite's words; dialect.py translates the
-- types, the options of tables (STRICT, WITHOUT ROWID) and the column `user` for PostgreSQL.
--
-- Times are seconds since 1970, unless another clock is named. What is true or false is 1 or 0.

-- Which schema the database has: one row, written when the database is made, and at each migration.
CREATE TABLE installed_schema (
    digest TEXT NOT NULL, -- of this file as it was then
    migrations INTEGER NOT NULL -- how many of the migrations have been carried out
) STRICT;

-- People

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created REAL NOT NULL,
    seen REAL NOT NULL, -- when they were last here
    webhook TEXT NOT NULL DEFAULT '', -- where they are told that it is their turn
    mail TEXT NOT NULL DEFAULT '',
    confirmed INTEGER NOT NULL DEFAULT 0, -- whether emails are wanted at that address
    language TEXT NOT NULL DEFAULT 'en', -- of messages to them
    open_data INTEGER NOT NULL DEFAULT 0 -- whether finished games may be published
) STRICT;

CREATE TABLE claims (
    user TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    folded TEXT NOT NULL UNIQUE, -- what names are compared by
    name TEXT NOT NULL,
    former TEXT NOT NULL, -- the name before the last change, or empty
    changed REAL NOT NULL
) STRICT;

CREATE TABLE removed_names (
    folded TEXT PRIMARY KEY, -- nobody can take this name any more
    at REAL NOT NULL
) STRICT;

CREATE TABLE vacations (
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- counted per user: of two that begin at once only one is stored
    starts REAL NOT NULL,
    ends REAL NOT NULL,
    PRIMARY KEY (user, number)
) STRICT;

CREATE TABLE friends (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, -- who wants a friend
    friend TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, -- two who want each other are friends
    at REAL NOT NULL,
    PRIMARY KEY (user_id, friend)
) STRICT;
CREATE INDEX friends_of_users ON friends (friend);

CREATE TABLE blocks (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    blocked TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at REAL NOT NULL,
    PRIMARY KEY (user_id, blocked)
) STRICT;
CREATE INDEX blocks_of_users ON blocks (blocked);

CREATE TABLE mutes (
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    muted TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (user, muted)
) STRICT, WITHOUT ROWID;

-- Tables

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL, -- the version of the rules
    seats INTEGER NOT NULL,
    options TEXT NOT NULL, -- as JSON
    seed TEXT NOT NULL, -- of the dice: a secret while the game goes on
    sitters TEXT NOT NULL, -- who sits in each seat, as JSON
    owner TEXT NOT NULL REFERENCES users (id),
    rematch TEXT, -- the table that was set up from this one
    created REAL NOT NULL,
    updated REAL NOT NULL,
    awaits INTEGER, -- the seat that is to decide, if a person sits there
    standing TEXT NOT NULL CHECK (standing IN ('open', 'live', 'over', 'closed')), -- open: seats are free
    listed INTEGER NOT NULL, -- whether the lobby shows it while seats are free
    listing TEXT NOT NULL, -- whom a listed table is meant for, as JSON, or empty
    patience REAL NOT NULL, -- seconds somebody may be away before the others may let a bot play
    winners TEXT, -- of a game that is over: the seats that won, as JSON; NULL also: it does not count
    deal TEXT NOT NULL, -- the deal whose dice it has, or empty
    clock TEXT NOT NULL, -- how much time there is, as JSON, or empty
    clock_due REAL, -- by the server's clock: the time of the running clock is not over before; NULL: none runs
    rated INTEGER NOT NULL, -- whether its game changes ratings
    tournament TEXT NOT NULL, -- the tournament it belongs to, or empty
    random_seats INTEGER NOT NULL -- whether it is drawn who sits where
) STRICT;
CREATE INDEX listed_tables ON tables (standing, updated) WHERE listed = 1;
CREATE INDEX tables_of_deals ON tables (deal, standing);
CREATE INDEX bots_due ON tables (updated) WHERE standing = 'live' AND awaits IS NULL;
CREATE INDEX clocks_due ON tables (clock_due) WHERE clock_due IS NOT NULL;
CREATE INDEX rated_tables ON tables (updated) WHERE rated = 1;

CREATE TABLE sitting (
    user TEXT NOT NULL REFERENCES users (id),
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seen REAL NOT NULL, -- when the user was last at this table
    PRIMARY KEY (user, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sitting_at ON sitting (table_id);

CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    request TEXT, -- who asked for it and under which id, so that asking twice is answered once
    at REAL NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX requests ON events (table_id, request) WHERE request IS NOT NULL;

CREATE TABLE chat (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL, -- empty: erased
    at REAL NOT NULL,
    request TEXT, -- who asked for it and under which id, so that asking twice says it once
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chat_requests ON chat (table_id, request) WHERE request IS NOT NULL;

CREATE TABLE invitations (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    guest TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    host TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at REAL NOT NULL,
    PRIMARY KEY (table_id, guest)
) STRICT;
CREATE INDEX invitations_of_guests ON invitations (guest);

CREATE TABLE pairing_queues (
    wish TEXT PRIMARY KEY, -- the game and the pace
    last INTEGER NOT NULL -- how many tables have been listed for it
) STRICT;

-- Signing in, and messages

CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, -- the SHA-256 of the token
    kind TEXT NOT NULL CHECK (kind IN ('device', 'recovery', 'seat', 'mail')),
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, -- whom it makes one
    table_id TEXT REFERENCES tables (id) ON DELETE CASCADE, -- where a program may play
    seat INTEGER, -- in which it may play
    created REAL NOT NULL,
    used REAL -- when a recovery link was used last; NULL: never
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_of_users ON tokens (user, kind);
CREATE INDEX tokens_of_tables ON tokens (table_id, seat);

CREATE TABLE push_subscriptions (
    endpoint TEXT PRIMARY KEY, -- a URL at the push service of a browser's maker
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device TEXT NOT NULL REFERENCES tokens (hash) ON DELETE CASCADE, -- ends with the token of the device
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL, -- a secret of the browser and this server
    created REAL NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_of_users ON push_subscriptions (user, created);
CREATE INDEX push_subscriptions_of_devices ON push_subscriptions (device);

CREATE TABLE notices (
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, -- that waits for the user
    event INTEGER NOT NULL, -- the last one when it began to wait
    due REAL NOT NULL, -- when the message is to be sent
    sent REAL, -- when it was sent
    PRIMARY KEY (user, table_id)
) STRICT, WITHOUT ROWID;

-- Games with the same dice

CREATE TABLE deals (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, -- at which it was played first
    closes REAL NOT NULL, -- from then on nobody else may begin to play it
    created REAL NOT NULL
) STRICT;

CREATE TABLE deal_games (
    deal_id TEXT NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
    player TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- in the order in which they were begun
    table_id TEXT REFERENCES tables (id) ON DELETE SET NULL,
    PRIMARY KEY (deal_id, player)
) STRICT;

CREATE TABLE team_matches (
    deal_id TEXT PRIMARY KEY REFERENCES deals (id) ON DELETE CASCADE,
    second TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, -- the table with the teams' seats swapped
    pair INTEGER NOT NULL -- whether two people play both games
) STRICT;

-- Tournaments

CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    setup TEXT NOT NULL, -- game, format and so on, as JSON
    status TEXT NOT NULL CHECK (status IN ('open', 'live', 'over', 'cancelled')),
    version INTEGER NOT NULL, -- goes up with every change: whoever has read an earlier one changes nothing
    created REAL NOT NULL,
    starts REAL, -- when it starts by itself; NULL: when its host starts it
    started REAL,
    ended REAL,
    since REAL NOT NULL DEFAULT 0 -- by the server's clock: the beginning of the round or of the arena
) STRICT;
CREATE INDEX tournaments_by_status ON tournaments (status, created);

CREATE TABLE tournament_entrants (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- in the order of entry, or of ratings from the start on
    withdrawn INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, user)
) STRICT;

CREATE TABLE tournament_rounds (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    started REAL NOT NULL,
    byes TEXT NOT NULL, -- the entrants who have one, as JSON
    PRIMARY KEY (tournament_id, number)
) STRICT;

CREATE TABLE tournament_tables (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round INTEGER NOT NULL,
    number INTEGER NOT NULL,
    table_id TEXT NOT NULL UNIQUE, -- chosen before the table is opened
    players TEXT NOT NULL, -- the entrants in the order of their seats, as JSON
    opened REAL, -- when the table was opened; if it is gone then, it has been deleted
    ranks TEXT, -- of the entrants when the table is over, as JSON
    ended REAL, -- when the ranks were stored
    PRIMARY KEY (tournament_id, round, number)
) STRICT;
CREATE INDEX tournament_tables_played ON tournament_tables (tournament_id) WHERE ranks IS NULL;

-- Ratings. They do not refer to users and tables, which may be deleted: the ratings of others follow from them.

CREATE TABLE rated_games (
    number INTEGER NOT NULL UNIQUE, -- the ratings follow from the games in this order
    table_id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    game TEXT NOT NULL,
    players TEXT NOT NULL, -- their ids, as JSON
    ranks TEXT NOT NULL -- as JSON
) STRICT;

CREATE TABLE rating_changes (
    table_id TEXT NOT NULL,
    user TEXT NOT NULL,
    at REAL NOT NULL,
    game TEXT NOT NULL,
    seats TEXT NOT NULL, -- the class of the number of seats
    rank INTEGER NOT NULL,
    mean_before REAL NOT NULL,
    deviation_before REAL NOT NULL,
    mean_after REAL NOT NULL,
    deviation_after REAL NOT NULL,
    weight REAL NOT NULL,
    games INTEGER NOT NULL, -- rated games of the user in this pool so far
    PRIMARY KEY (table_id, user)
) STRICT;
CREATE INDEX rating_changes_of_users ON rating_changes (user, at);

CREATE TABLE rating_log (
    id INTEGER PRIMARY KEY, -- 1: there is one row, or none
    changes INTEGER NOT NULL, -- games added and results corrected so far
    corrections INTEGER NOT NULL
) STRICT;

CREATE TABLE result_corrections (
    number INTEGER NOT NULL UNIQUE, -- of several of a table the last one counts
    table_id TEXT NOT NULL,
    at REAL NOT NULL,
    ranks TEXT, -- of the seats, as JSON; NULL: the game does not count
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX corrections_of_tables ON result_corrections (table_id, number);

-- Moderation

CREATE TABLE moderators (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    at REAL NOT NULL
) STRICT;

CREATE TABLE bans (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    at REAL NOT NULL,
    until REAL -- NULL: for ever
) STRICT;

CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    reporter TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    reported TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    table_id TEXT NOT NULL, -- empty: at no table
    line INTEGER NOT NULL, -- the number of the chat line; 0: the player
    said TEXT NOT NULL, -- the chat line as it was
    reason TEXT NOT NULL,
    at REAL NOT NULL,
    closed REAL, -- NULL: it is open
    UNIQUE (reporter, reported, table_id, line)
) STRICT;

-- Records, boards, puzzles and analyses

CREATE TABLE records (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    owner TEXT NOT NULL REFERENCES users (id),
    created REAL NOT NULL
) STRICT;

CREATE TABLE boards (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game TEXT NOT NULL,
    start TEXT NOT NULL, -- the record it begins with
    table_id TEXT REFERENCES tables (id) ON DELETE SET NULL, -- the game in progress it was made from
    seat INTEGER, -- as which it was seen there
    version INTEGER NOT NULL, -- goes up with every change
    created REAL NOT NULL,
    updated REAL NOT NULL
) STRICT;
CREATE INDEX boards_of_users ON boards (owner, updated);

CREATE TABLE board_nodes (
    board_id TEXT NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- the version of the board that added it
    parent INTEGER NOT NULL, -- the node it follows; 0: the start
    line TEXT NOT NULL,
    bot TEXT NOT NULL, -- the level of the bot that chose it, or empty
    PRIMARY KEY (board_id, number)
) STRICT;

CREATE TABLE puzzle_attempts (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    puzzle TEXT NOT NULL,
    game TEXT NOT NULL,
    solved INTEGER NOT NULL, -- whether the first attempt was right
    at REAL NOT NULL,
    PRIMARY KEY (user_id, puzzle)
) STRICT;

CREATE TABLE puzzle_players (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (user_id, game)
) STRICT;

CREATE TABLE puzzle_ratings (
    puzzle TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    at REAL NOT NULL
) STRICT;

CREATE TABLE table_analyses (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    basis TEXT NOT NULL, -- what was judged and how: a decision with another one is judged again
    decision TEXT NOT NULL, -- as JSON
    PRIMARY KEY (table_id, ply)
) STRICT;

CREATE TABLE record_analyses (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    basis TEXT NOT NULL, -- as in table_analyses
    decision TEXT NOT NULL, -- as JSON
    PRIMARY KEY (record_id, ply)
) STRICT;

CREATE TABLE analysis_results (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    accuracy REAL, -- in percent; NULL: the seat had nothing to decide
    luck REAL NOT NULL, -- in shares of a win
    PRIMARY KEY (table_id, seat)
) STRICT;

-- The server itself, and several processes on one database

CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL -- a secret
) STRICT;

CREATE TABLE server_clock (
    id INTEGER PRIMARY KEY, -- 1: there is one row, or none
    seconds REAL NOT NULL -- in which moves could be stored; players' clocks go by it
) STRICT;

CREATE TABLE processes (
    id TEXT PRIMARY KEY,
    beats INTEGER NOT NULL -- goes up as long as the process is alive
) STRICT;

CREATE TABLE presences (
    process TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
    place TEXT NOT NULL, -- a table, or all pages of a user
    user_id TEXT NOT NULL, -- empty: of nobody known
    connections INTEGER NOT NULL,
    PRIMARY KEY (process, place, user_id)
) STRICT;
CREATE INDEX presences_at ON presences (place);

CREATE TABLE handled_requests (
    name TEXT PRIMARY KEY, -- of a request that stores nothing else, so that asking twice is answered once
    at REAL NOT NULL
) STRICT;

CREATE TABLE counters (
    name TEXT PRIMARY KEY, -- of a rate limit, and whom it counts for
    number INTEGER NOT NULL,
    until REAL NOT NULL -- then it begins at zero again
) STRICT;
