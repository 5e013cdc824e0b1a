-- Notices of the chat platform that have no meaning here: one row for each account, field and day of UTC. The platform
-- names the account; it may be connected in many environments, or in none. Decision 0153
create table ignored_notices (
  biz_account_id text collate "C" not null,
  field text collate "C" not null,
  day date not null,
  count int4 not null,
  last_at timestamptz not null,
  -- The stored call that was counted last: it is counted once, however often it is worked on.
  last_call text collate "C" not null,
  -- The newest notice as JSON, where its field speaks of the account alone; null for all others.
  content text,
  primary key (biz_account_id, field, day)
);
create index ignored_notices_last on ignored_notices (last_at);
