-- Groups that businesses make on their own numbers, and whether a number may host any.

create table groups (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  phone_number_id text collate "C" not null,
  subject text not null,
  description text,
  status text not null check (status in ('pending', 'active', 'failed', 'deleting', 'deleted')),
  provider_group_id text collate "C",
  -- Sealed: whoever has it can join.
  invite_link bytea,
  failure_code text,
  failure_message text,
  failure_provider text,
  trace_id text not null,
  -- Grows with every change: who decided on an older one decides again.
  version int8 not null default 1,
  -- What is to be done at the provider for the group's life (made while pending, removed while deleting) and for its link.
  -- `queued` waits for its turn, `sending` may have left, `waiting` was taken and waits for the provider's report, `unsent`
  -- never left for want of a connection.
  life_state text check (life_state in ('queued', 'sending', 'waiting', 'unsent')),
  life_due_at timestamptz,
  life_attempts int4 not null default 0,
  -- The provider's name of the request, by which its report is matched.
  life_request_id text collate "C",
  reset_state text check (reset_state in ('queued', 'sending')),
  reset_due_at timestamptz,
  reset_attempts int4 not null default 0,
  reset_requested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (environment_id, id),
  check ((failure_code is null) = (failure_message is null)),
  check ((deleted_at is null) = (status <> 'deleted'))
);
create index groups_number on groups (phone_number_id, id);
create index groups_status on groups (status, environment_id, id);
create index groups_due on groups (phone_number_id, least(life_due_at, reset_due_at), id)
  where life_due_at is not null or reset_due_at is not null;

create table group_participants (
  environment_id text collate "C" not null,
  group_id text collate "C" not null,
  chat_id text collate "C" not null,
  is_member boolean not null,
  joined_at timestamptz,
  -- Of joins in one second the one told first comes first.
  joined_told int8,
  latest_at timestamptz not null,
  primary key (environment_id, group_id, chat_id)
);
create sequence group_participants_told;

-- Every distinct join and removal, so that one told twice is recorded once.
create table group_participations (
  environment_id text collate "C" not null,
  group_id text collate "C" not null,
  chat_id text collate "C" not null,
  action text not null check (action in ('join', 'remove')),
  occurred_at timestamptz not null,
  primary key (environment_id, group_id, chat_id, action, occurred_at)
);

create table group_eligibility (
  environment_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  status text not null check (status in ('eligible', 'not_eligible', 'unknown', 'not_checked', 'read_failed')),
  -- A JSON list.
  reasons text not null,
  checked_at timestamptz,
  check_requested_at timestamptz,
  version int8 not null default 1,
  check_state text check (check_state in ('queued', 'running')),
  check_queued_at timestamptz,
  -- The request that a running check answers.
  check_answers timestamptz,
  check_due_at timestamptz,
  primary key (environment_id, phone_number_id)
);
create index group_eligibility_due on group_eligibility (phone_number_id, check_due_at) where check_due_at is not null;
