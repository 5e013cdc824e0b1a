-- Subscriptions, what is charged for them, and the clock of the months. gaps-3 E; architecture, section 6

-- What an account has subscribed to, one row an account. The id on the wire is made of the account's.
create table subscriptions (
  account_id text collate "C" primary key references wallets (account_id),
  status text not null check (status in ('none', 'active', 'past_due', 'canceled')),
  plan_offering_id text collate "C" references plan_offerings (id),
  billing_rail text check (billing_rail in ('cardproc_card', 'pix_annual')),
  -- The first payment: periods are counted from it.
  anchor_at timestamptz,
  periods int4 not null check (periods >= 0),
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null,
  -- The lower plan that the next renewal is for.
  pending_plan_offering_id text collate "C" references plan_offerings (id),
  past_due_since timestamptz,
  retries int4 not null check (retries between 0 and 4),
  -- A card has become the default since: the renewal is tried again at once.
  retry_now boolean not null,
  -- When time moves it next; null when only an outcome does.
  due_at timestamptz,
  updated_at timestamptz not null,
  check ((status in ('active', 'past_due')) = (plan_offering_id is not null)),
  check ((plan_offering_id is null) = (current_period_end is null)),
  check ((plan_offering_id is null) = (billing_rail is null)),
  check ((status = 'past_due') = (past_due_since is not null))
);
create index subscriptions_due on subscriptions (account_id, due_at) where due_at is not null;

-- What is charged for a subscription, once: a retry is another one.
create table subscription_invoices (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  kind text not null check (kind in ('first', 'renewal', 'upgrade')),
  plan_offering_id text collate "C" not null references plan_offerings (id),
  billing_rail text not null check (billing_rail in ('cardproc_card', 'pix_annual')),
  charged_by text not null check (charged_by in ('card', 'pix')),
  amount int8 not null check (amount > 0),
  -- `void`: nobody waits for it any more; a payment that was under way counts all the same.
  status text not null check (status in ('open', 'paid', 'failed', 'expired', 'void')),
  expires_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, id),
  check ((status = 'open') = (ended_at is null))
);
-- At most one is charged at a time.
create unique index subscription_invoices_open on subscription_invoices (account_id) where status = 'open';
create index subscription_invoices_payable on subscription_invoices (account_id, id)
  where status in ('open', 'void', 'expired');

-- What falls due for an account in a UTC month (`2026-01`), inserted by the calendar and executed by the account.
create table account_months (
  account_id text collate "C" not null references wallets (account_id),
  month text collate "C" not null,
  job text collate "C" not null,
  due_at timestamptz not null,
  done_at timestamptz,
  primary key (account_id, month, job)
);
create index account_months_open on account_months (account_id, due_at, job) where done_at is null;

-- How far the calendar has come with a job of a month: the account it inserted last.
create table calendar_months (
  job text collate "C" not null,
  month text collate "C" not null,
  reached text collate "C" not null default '',
  done_at timestamptz,
  primary key (job, month)
);
