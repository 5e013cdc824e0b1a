-- Customers who hide their phone are known by an id that the platform gave them for this business. Decision 0135

-- Which key windows, consent and conversations use for such an id: the key of the phone once both are known, else the id.
create table customer_ids (
  environment_id text collate "C" not null,
  user_id text collate "C" not null,
  customer_key text collate "C" not null,
  -- The claim that a commit made last: by it the commit sees that it may go on, without naming the customer.
  claim text,
  updated_at timestamptz not null,
  primary key (environment_id, user_id)
);
create index customer_ids_key on customer_ids (customer_key, environment_id);

-- Keys that were found to be one person: rows of the first are being moved to the second.
create table customer_joins (
  environment_id text collate "C" not null,
  from_key text collate "C" not null,
  to_key text collate "C" not null,
  -- `+digits`; empty when only the platform's id is known.
  phone text not null,
  joined_at timestamptz not null,
  due_at timestamptz not null,
  passes int4 not null default 0,
  primary key (environment_id, from_key)
);
create index customer_joins_due on customer_joins (due_at);

-- The ids of contacts that were joined to another one: they read as that one.
create table contact_aliases (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  primary key (environment_id, id)
);
create index contact_aliases_contact on contact_aliases (contact_id, environment_id);

alter table contacts
  add column user_id text collate "C",
  add column username text;
create index contacts_user_id on contacts (user_id, environment_id) where user_id is not null;

alter table messages
  add column customer_user_id text,
  add column customer_username text;

-- A person of several keys is erased under each of them.
alter table contact_erasures drop constraint contact_erasures_pkey;
alter table contact_erasures add primary key (environment_id, id, match_key);
create index contact_erasures_key on contact_erasures (match_key, environment_id);
create index customer_joins_to on customer_joins (to_key, environment_id);
