-- Flows: forms that a message opens. JSON kept for callers is text, as in 0004.
create table flows (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  status text not null check (status in ('draft', 'publishing', 'published', 'rejected', 'deprecated')),
  -- Known from the provider's first answer on, also while it is not published yet.
  provider_flow_id text collate "C",
  rejection_reason text,
  categories text not null,
  flow_json text not null,
  -- What the provider is to be told or asked next, and when; null when there is nothing.
  provider_step text check (provider_step in ('create', 'find', 'upload', 'publish', 'poll', 'deprecate', 'remove')),
  due_at timestamptz,
  -- Failed tries of the present step.
  attempts int4 not null default 0,
  publishing_since timestamptz,
  published_at timestamptz,
  -- A draft that is gone for callers, kept until the provider has forgotten it too.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  check ((provider_step is null) = (due_at is null))
);
-- How a send names a flow: by the provider's id, or by its name, the flow published last.
create index flows_provider on flows (provider_flow_id, environment_id) where provider_flow_id is not null;
create index flows_published on flows (name, environment_id, published_at) where status = 'published';
create index flows_due on flows (environment_id, due_at, id) where due_at is not null;
