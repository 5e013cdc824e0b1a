-- What people are told, and what the nightly audit of the ledger found.

-- E-mails to the owners and admins of an organization. What one tells of, it tells once.
create table emails (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  subject_id text collate "C" not null,
  subject text not null,
  body text not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  -- Failed tries so far.
  attempts int4 not null default 0,
  -- When it is tried next; null once it has ended.
  due_at timestamptz,
  -- Whom it went to, or why it did not go.
  recipients text,
  error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, kind, subject_id),
  check ((status = 'queued') = (ended_at is null)),
  check ((status = 'queued') = (due_at is not null))
);
create index emails_due on emails (organization_id, due_at, id) where due_at is not null;
create index emails_created on emails (created_at);

-- What the dashboard tells owners and admins until one of them has seen to it.
create table billing_notices (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  subject_id text collate "C" not null,
  text text not null,
  created_at timestamptz not null,
  dismissed_at timestamptz,
  dismissed_by text collate "C",
  primary key (organization_id, id),
  unique (organization_id, kind, subject_id)
);
create index billing_notices_open on billing_notices (organization_id, id) where dismissed_at is null;

-- One audit a UTC day; it repairs nothing.
create table ledger_audits (
  day date primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  invariants_broken int4,
  findings text
);
