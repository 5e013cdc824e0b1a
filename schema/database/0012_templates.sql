-- Templates and their versions. What a template shows is its newest version; what a send uses is the version approved last.

create table templates (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  name text collate "C" not null,
  language text collate "C" not null,
  -- Of the newest version, kept here for lists.
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
  status text not null check (status in ('draft', 'submitted', 'approved', 'rejected', 'paused', 'disabled', 'orphaned')),
  rejection_reason text,
  version_id text collate "C" not null,
  version int4 not null,
  submitted_at timestamptz,
  approved_at timestamptz,
  -- Of the version approved last, which sends use; all null before the first approval.
  latest_approved_version_id text collate "C",
  latest_approved_version int4,
  sending_status text check (sending_status in ('approved', 'paused', 'disabled', 'orphaned')),
  provider_template_id text collate "C",
  provider_quality text not null default 'unknown' check (provider_quality in ('green', 'yellow', 'red', 'unknown')),
  -- A review that is under way: when the owner of the environment's templates looks at it next, and how often it tried.
  due_at timestamptz,
  attempts int4 not null default 0,
  trace_id text not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
-- The narrowing column leads: two indexes that begin alike look alike to the planner while a table is small.
create unique index templates_name on templates (name, environment_id, language) where deleted_at is null;
create index templates_provider on templates (provider_template_id, environment_id) where deleted_at is null;
create index templates_due on templates (environment_id, due_at) where due_at is not null;

create table template_versions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  template_id text collate "C" not null,
  version int4 not null,
  status text not null check (status in ('draft', 'submitted', 'approved', 'rejected', 'paused', 'disabled', 'orphaned')),
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
  -- JSON as shown and sent.
  components text not null,
  rejection_reason text,
  submitted_at timestamptz,
  approved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index template_versions_number on template_versions (template_id, environment_id, version);

-- When an environment's templates are compared with the provider's next.
create table template_syncs (
  environment_id text collate "C" primary key,
  due_at timestamptz not null
);

-- Sandboxes that are there already get the templates every new one is made with; ids carry the instant of the sandbox.
with seeded as materialized (
  select e.id as environment_id, e.created_at, s.name, s.category, s.parameter_format, s.components,
    substr(e.id, 5, 10) || substr(md5(e.id || '/' || s.name), 1, 16) as ulid
  from environments e cross join (values
    ('welcome', 'utility', 'POSITIONAL', '[{"type":"BODY","text":"Olá, {{1}}! Que bom ter você por aqui.","example":{"body_text":[["Maria"]]}}]'),
    ('promo', 'marketing', 'NAMED', '[{"type":"BODY","text":"Oi, {{first_name}}! Separamos uma oferta para você.","example":{"body_text_named_params":[{"param_name":"first_name","example":"Maria"}]}}]'),
    ('code', 'authentication', 'POSITIONAL', '[{"type":"BODY","text":"Seu código de verificação é {{1}}.","example":{"body_text":[["482913"]]}}]')
  ) as s(name, category, parameter_format, components)
  where e.kind = 'sandbox'
), versions as (
  insert into template_versions (environment_id, id, template_id, version, status, category, parameter_format,
    components, submitted_at, approved_at, created_at, updated_at)
  select environment_id, 'tplv_' || ulid, 'tpl_' || ulid, 1, 'approved', category, parameter_format, components,
    created_at, created_at, created_at, created_at
  from seeded
)
insert into templates (environment_id, id, environment, name, language, category, parameter_format, status, version_id,
  version, submitted_at, approved_at, latest_approved_version_id, latest_approved_version, sending_status,
  provider_template_id, trace_id, created_at, updated_at)
select environment_id, 'tpl_' || ulid, 'sandbox', name, 'pt_BR', category, parameter_format, 'approved', 'tplv_' || ulid,
  1, created_at, created_at, 'tplv_' || ulid, 1, 'approved', 'sb_tpl_' || ulid, md5(ulid), created_at, created_at
from seeded;
