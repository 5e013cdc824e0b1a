-- Orders of rented numbers, and what an organization has to have declared before it may place one.

create table phone_number_orders (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  -- What people decided. That nobody did in time, and how far an approved one has come, is computed as it is read.
  decision text not null check (decision in ('awaiting_approval', 'approved', 'declined', 'terms_changed')),
  ddd text not null,
  display_name text,
  purpose text,
  -- The preview as it was computed, in 1/10,000 BRL; the instants are null in sandbox.
  amount int8 not null check (amount >= 0),
  monthly_fee int8 not null check (monthly_fee >= 0),
  first_charge_at timestamptz,
  next_charge_at timestamptz,
  terms_version text not null,
  phone_number_id text collate "C",
  -- The credit set aside for the first month; null where nothing is.
  reservation_id text collate "C",
  -- Who decided, a member of the organization.
  decided_by text collate "C",
  decided_at timestamptz,
  expires_at timestamptz not null,
  -- When its owner takes the next step towards its number; null while there is none.
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (environment_id, id),
  check ((decision = 'approved') = (phone_number_id is not null))
);
create unique index phone_number_orders_number on phone_number_orders (phone_number_id) where phone_number_id is not null;
-- Its owner knows it by its id alone.
create unique index phone_number_orders_id on phone_number_orders (id);
create index phone_number_orders_due on phone_number_orders (id) where due_at is not null;
-- Newest first, for whoever decides.
create index phone_number_orders_organization on phone_number_orders (organization_id, id);

-- Who the business is; legal contact, never an address that anything is delivered to. M-ORD-28
create table business_identities (
  organization_id text collate "C" primary key,
  status text not null check (status in ('pending', 'approved')),
  legal_name text not null,
  tax_id text not null,
  legal_phone text,
  declared_at timestamptz not null,
  approved_at timestamptz,
  check ((status = 'approved') = (approved_at is not null))
);

-- The member who receives alerts about billing on a phone of their own, and has agreed to it. M-ORD-27, M-ORD-28
create table billing_recipients (
  organization_id text collate "C" primary key,
  member_id text collate "C" not null,
  phone text not null,
  -- When they agreed to alerts about transactions.
  consented_at timestamptz not null
);
