-- Changes that people made in the console, for the people of the organization. Kept 400 days.

create table audit_log (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  -- Null for a change of the organization as a whole.
  environment_id text collate "C",
  member_id text collate "C" not null,
  -- Such as `member.role_set`.
  action text not null,
  -- Id of the thing that was changed, where it has one.
  subject text,
  -- Settings by name, never a secret and never data of a customer.
  before text,
  after text,
  request_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index audit_log_actions on audit_log (organization_id, action, id);
create index audit_log_members on audit_log (organization_id, member_id, id);
create index audit_log_created on audit_log (created_at);
