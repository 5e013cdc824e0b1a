-- Tenancy: organization > project > environment, the people of the dashboard, keys, device requests and feedback.
-- Identifiers are ULIDs in "C" order, so a primary key walked backwards is the list order of the contract.
-- JSON kept for callers is text: jsonb would refuse the NUL escapes and reorder the members callers sent.

create table organizations (
  id text collate "C" primary key,
  name text not null,
  suspended_at timestamptz,
  -- A removed organization keeps its row: its keys still authenticate and answer 404 (gaps-1 G).
  removed_at timestamptz,
  credit_blocked boolean not null default false,
  created_at timestamptz not null
);

-- Limits are decided by a conditional update of these rows, so that parallel creators cannot pass them.
create table organization_counters (
  organization_id text collate "C" primary key references organizations (id),
  active_projects integer not null default 0
);

create table members (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  name text not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  active boolean not null default true,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index members_email on members (organization_id, lower(email));

create table projects (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  name text not null,
  slug text collate "C" not null,
  default_language text not null default 'pt_BR' check (default_language in ('pt_BR', 'en_US', 'es_ES')),
  profile text not null default '{}',
  archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
-- Archived projects keep their slug; deleted ones give it back (gaps-1 G "Is slug required").
create unique index projects_slug on projects (organization_id, slug) where deleted_at is null;
create index projects_active on projects (organization_id, id) where archived_at is null and deleted_at is null;

create table environments (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  kind text not null check (kind in ('sandbox', 'production')),
  -- JSON array of the capability families switched off; empty means all on (gaps-1 N).
  capabilities_off text not null default '[]',
  created_at timestamptz not null,
  foreign key (organization_id, project_id) references projects (organization_id, id),
  unique (project_id, kind)
);

create table environment_counters (
  environment_id text collate "C" primary key references environments (id),
  -- Counts rows with status 'active'; a key past expires_at still counts, since its status stays 'active'.
  active_api_keys integer not null default 0,
  webhook_endpoints integer not null default 0
);

create table api_keys (
  environment_id text collate "C" not null references environments (id),
  id text collate "C" not null,
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  name text not null,
  key_prefix text collate "C" not null,
  -- HMAC-SHA256 under the server's pepper: the plaintext exists only in the answer that hands it out.
  secret_hash bytea not null,
  scopes text not null,
  kind text not null check (kind in ('standard', 'agent')),
  status text not null check (status in ('active', 'revoked')),
  last_used_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'revoked') = (revoked_at is not null))
);
create unique index api_keys_secret on api_keys (secret_hash);

create table device_authorizations (
  id text collate "C" primary key,
  device_code_hash bytea not null,
  -- Eight letters without the hyphen, upper case.
  user_code text collate "C" not null,
  client_name text not null,
  environment_kind text not null check (environment_kind in ('sandbox', 'production')),
  scopes text not null,
  key_expires_at timestamptz,
  source_ip text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'redeemed')),
  interval_seconds integer not null,
  last_polled_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by text collate "C",
  organization_id text collate "C",
  project_id text collate "C",
  environment_id text collate "C",
  granted_scopes text,
  redeemed_at timestamptz,
  api_key_id text collate "C"
);
create unique index device_authorizations_code on device_authorizations (device_code_hash);
-- An expired request holds its user code until it is swept; the maker of a new one draws again on conflict.
create unique index device_authorizations_user_code on device_authorizations (user_code)
  where status in ('pending', 'approved');
create index device_authorizations_age on device_authorizations (created_at);

create table sign_in_links (
  token_hash bytea primary key,
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (organization_id, member_id) references members (organization_id, id)
);
create index sign_in_links_age on sign_in_links (expires_at);

create table dashboard_sessions (
  token_hash bytea primary key,
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- Wrong user codes typed at /device in the running window of 15 minutes, and the lock they earn (gaps-1 E).
  wrong_codes integer not null default 0,
  wrong_codes_since timestamptz,
  locked_until timestamptz,
  foreign key (organization_id, member_id) references members (organization_id, id)
);
create index dashboard_sessions_age on dashboard_sessions (expires_at);

create table feedback_reports (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  -- The key that wrote an API report; a report of the dashboard has none.
  api_key_id text collate "C",
  origin text not null check (origin in ('api', 'dashboard')),
  -- Everything below was redacted before it came here (gaps-1 H).
  message text not null,
  related_error text,
  context text,
  redacted boolean not null,
  status text not null default 'received',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create index feedback_reports_api on feedback_reports (environment_id, id) where origin = 'api';
create index feedback_reports_age on feedback_reports (created_at);

create table feedback_resolutions (
  environment_id text collate "C" not null,
  feedback_report_id text collate "C" not null,
  -- 1 for the first resolution; the highest number is the latest.
  number integer not null,
  disposition text not null,
  public_summary text not null,
  published_at timestamptz not null,
  primary key (environment_id, feedback_report_id, number),
  foreign key (environment_id, feedback_report_id) references feedback_reports (environment_id, id) on delete cascade
);
