-- Billing: prices, plans, one wallet an account, reservations and the ledger. Money is an integer of 1/10,000 BRL.
-- gaps-3 D, E; architecture, section 6

create table rate_cards (
  id text collate "C" primary key,
  name text not null,
  currency text not null default 'brl' check (currency = 'brl'),
  effective_from timestamptz not null,
  effective_to timestamptz,
  check (effective_to > effective_from),
  -- One card at any instant, or none.
  exclude using gist (tstzrange(effective_from, effective_to) with &&)
);

create table rate_card_entries (
  rate_card_id text collate "C" not null references rate_cards (id),
  meter_id text collate "C" not null,
  display_name text not null,
  unit text not null check (unit in ('message', 'payment', 'phone_month')),
  -- A price a unit, or a share of the amount in ten-thousandths.
  unit_price int8 check (unit_price >= 0),
  rate int8 check (rate between 0 and 10000),
  multiplier_applies boolean not null,
  primary key (rate_card_id, meter_id),
  check ((unit_price is null) <> (rate is null))
);

insert into rate_cards (id, name, effective_from) values ('rct_2026_01', 'Standard 2026-01', '2026-01-01T00:00:00Z');
insert into rate_card_entries (rate_card_id, meter_id, display_name, unit, unit_price, rate, multiplier_applies) values
  ('rct_2026_01', 'message.transport.marketing', 'Marketing message', 'message', 800, null, true),
  ('rct_2026_01', 'message.transport.utility', 'Utility message', 'message', 500, null, true),
  ('rct_2026_01', 'message.transport.authentication', 'Authentication message', 'message', 500, null, true),
  ('rct_2026_01', 'message.transport.service', 'Service message', 'message', 300, null, true),
  ('rct_2026_01', 'payment.initiation', 'Payment initiation', 'payment', 4900, null, false),
  ('rct_2026_01', 'payment.completion', 'Payment completion', 'payment', null, 100, false),
  ('rct_2026_01', 'phone.rental.month', 'Phone number, a month', 'phone_month', 499000, null, false),
  ('rct_2026_01', 'phone.management.month', 'Number management, a month', 'phone_month', 199000, null, false);

-- What may be subscribed to. `multiplier` is in ten-thousandths.
create table plan_offerings (
  id text collate "C" primary key,
  code text not null unique,
  display_name text not null,
  monthly_fee int8 not null check (monthly_fee > 0),
  annual_fee int8 not null check (annual_fee > 0),
  throughput_tier text not null check (throughput_tier in ('starter', 'growth', 'scale')),
  max_phones int4 check (max_phones > 0),
  multiplier int8 not null check (multiplier between 0 and 10000),
  numprov_byok_enabled boolean not null
);
insert into plan_offerings values
  ('plo_starter', 'starter', 'Starter', 490000, 4900000, 'starter', 2, 9000, false),
  ('plo_standard', 'standard', 'Standard', 1490000, 14900000, 'growth', 5, 8000, true),
  ('plo_growth', 'growth', 'Growth', 4990000, 49900000, 'growth', 20, 6500, true),
  ('plo_scale', 'scale', 'Scale', 14990000, 149900000, 'scale', null, 5000, false);

-- From when an account has a plan; null is the free tier. Usage is priced by the row of its instant.
create table account_plans (
  account_id text collate "C" not null,
  effective_from timestamptz not null,
  plan_offering_id text collate "C" references plan_offerings (id),
  primary key (account_id, effective_from)
);

-- One row an account: `org_…` for what an organization spends in production, `env_…` for the simulated account of a sandbox.
create table wallets (
  account_id text collate "C" primary key,
  organization_id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  balance int8 not null default 0,
  held int8 not null default 0 check (held >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((environment = 'production') = (account_id = organization_id))
);

-- Credit set aside. It leaves `open` once.
create table reservations (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  state text not null default 'open' check (state in ('open', 'settled', 'released')),
  amount int8 not null check (amount >= 0),
  meter_id text collate "C" not null,
  -- What it is held for: a payment's fee, which the ledger lists, or a number's month, which it does not.
  source_type text not null check (source_type in ('payment_fee_hold', 'phone_month')),
  project_id text collate "C",
  environment_id text collate "C",
  trace_id text,
  payment_object text check (payment_object in ('payment_request', 'agentic_payment')),
  payment_id text collate "C",
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, id),
  check ((state = 'open') = (ended_at is null)),
  check ((payment_object is null) = (payment_id is null))
);
create index reservations_open on reservations (account_id, id) where state = 'open';

-- Transfers between accounts, never changed and never removed. Those that the ledger does not list are of reservations that
-- appear only as the debit they settle into.
create table ledger_entries (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  environment text check (environment in ('sandbox', 'production')),
  environment_id text collate "C",
  type text not null check (type in ('debit', 'credit', 'hold', 'release')),
  is_listed boolean not null,
  from_account text not null,
  to_account text not null,
  amount int8 not null check (amount > 0),
  source_type text not null check (source_type in ('usage', 'credit_topup', 'payment_fee_hold', 'phone_month')),
  source_id text collate "C" not null,
  meter_id text collate "C",
  uncollected int8 check (uncollected between 0 and amount),
  trace_id text,
  payment_object text,
  payment_id text collate "C",
  reservation_id text collate "C",
  recorded_at timestamptz not null,
  primary key (organization_id, id),
  check (from_account <> to_account),
  check (type <> 'hold' or (from_account = 'available' and to_account = 'held')),
  check (type <> 'release' or (from_account = 'held' and to_account = 'available')),
  check (type <> 'credit' or to_account = 'available'),
  check (type <> 'debit' or from_account in ('available', 'held'))
);
create unique index ledger_entries_once on ledger_entries (account_id, type, source_id, meter_id) nulls not distinct;
-- Newest first, by each filter of the list. The id holds the instant.
create index ledger_entries_default on ledger_entries (organization_id, id)
  where is_listed and environment is distinct from 'sandbox';
create index ledger_entries_environment on ledger_entries (environment, organization_id, id) where is_listed;
create index ledger_entries_source on ledger_entries (source_type, organization_id, id) where is_listed;

create function ledger_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed';
end $$;
create trigger ledger_entries_final before update or delete on ledger_entries
  for each statement execute function ledger_is_final();

-- What a project has spent in a UTC month (`2026-01`), and the most it may; the cap has a row of its own beside the months.
create table project_spending (
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  month text collate "C" not null,
  spent int8 not null default 0,
  primary key (organization_id, project_id, month)
);
alter table projects add column monthly_spend_cap int8 check (monthly_spend_cap >= 0);

-- Credit bought, given or taken in. `cash` and `package` are paid for through a provider or given by hand.
create table credit_topups (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  kind text not null check (kind in ('cash', 'package', 'x402')),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'refunded', 'expired')),
  amount int8 not null check (amount > 0),
  payment_method text not null check (payment_method in ('pix', 'card', 'x402', 'manual', 'promotion')),
  provider text check (provider in ('cardproc', 'pixprov2', 'manual', 'promotion')),
  package_code text,
  quota_messages int8,
  quota_remaining int8 check (quota_remaining between 0 and quota_messages),
  unit_price int8,
  payment_method_id text collate "C",
  cardproc_payment_intent_id text collate "C",
  -- Sealed: it confirms a payment.
  cardproc_client_secret bytea,
  pixprov2_charge_id text collate "C",
  pix_copy_paste text,
  pix_qr_code_base64 text,
  pix_expires_at timestamptz,
  decline_code text,
  -- When somebody looks at it next; null when nothing is left to do.
  due_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, id)
);
create index credit_topups_due on credit_topups (account_id, due_at, id) where due_at is not null;
create index credit_topups_status on credit_topups (status, account_id, id);
-- The oldest package that still has messages left.
create index credit_topups_quota on credit_topups (account_id, id) where status = 'succeeded' and quota_remaining > 0;

-- What operators credit and debit by hand, each with its reason; the owner of the account posts it.
create table ledger_corrections (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  type text not null check (type in ('credit', 'debit')),
  source text not null check (source in ('manual', 'promotion')),
  amount int8 not null check (amount > 0),
  reason text not null,
  created_at timestamptz not null,
  posted_at timestamptz,
  primary key (account_id, id)
);
create index ledger_corrections_open on ledger_corrections (account_id, id) where posted_at is null;
