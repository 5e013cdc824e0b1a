-- Taking money: charges by card and Pix, packages, saved cards, automatic top-up. Amounts in 1/10,000 BRL.
-- gaps-3 E, G; architecture, section 6

-- One row for whatever somebody is to pay, under the id of what it is for (`ctu_…`, `inv_…`): the provider knows it by that.
create table charges (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  purpose text not null check (purpose in ('topup', 'invoice')),
  rail text not null check (rail in ('card', 'pix')),
  -- Providers count in centavos.
  amount int8 not null check (amount > 0 and amount % 100 = 0),
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'expired', 'refunded')),
  -- Nobody is there to prove who they are.
  off_session boolean not null,
  payment_method_id text collate "C",
  -- As the card processor knows them.
  customer text,
  card text,
  provider_charge_id text,
  -- Sealed: it confirms a payment.
  client_secret bytea,
  pix_copy_paste text,
  pix_qr_code_base64 text,
  pix_expires_at timestamptz,
  decline_code text,
  -- The request it was made by, so that a repeated one finds it although its answer was never stored.
  request_key text collate "C",
  request_fingerprint text,
  created_at timestamptz not null,
  -- Unpaid by then, it is not waited for any more.
  expires_at timestamptz not null,
  -- When it first went to the provider, and when the first answer was recorded.
  called_at timestamptz,
  answered_at timestamptz,
  -- When somebody looks at it next; null when nothing is left to do.
  due_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, id),
  check ((rail = 'card') = (card is not null)),
  check ((state = 'open') = (ended_at is null))
);
create unique index charges_id on charges (id);
create index charges_due on charges (account_id, due_at, id) where due_at is not null;
create index charges_request on charges (account_id, request_key, created_at) where request_key is not null;

-- Providers are told of by their charge now.
alter table credit_topups
  drop column payment_method_id, drop column cardproc_payment_intent_id, drop column cardproc_client_secret,
  drop column pixprov2_charge_id, drop column pix_copy_paste, drop column pix_qr_code_base64, drop column pix_expires_at,
  drop column decline_code, drop column due_at;

-- What may be bought at once: credit, and the right to send so many messages at a lower price.
create table package_offerings (
  code text collate "C" primary key,
  display_name text not null,
  price int8 not null check (price > 0 and price % 100 = 0),
  quota_messages int8 not null check (quota_messages > 0),
  unit_price int8 not null check (unit_price >= 0)
);
insert into package_offerings values
  ('pack_1k', '1,000 messages', 450000, 1000, 450),
  ('pack_5k', '5,000 messages', 2000000, 5000, 400),
  ('pack_25k', '25,000 messages', 8750000, 25000, 350),
  ('pack_100k', '100,000 messages', 30000000, 100000, 300);

-- Who an account is at the card processor, and which of its cards pays unless another is named: one at most.
create table billing_customers (
  account_id text collate "C" primary key references wallets (account_id),
  customer text not null,
  default_payment_method_id text collate "C",
  created_at timestamptz not null
);

create table billing_payment_methods (
  account_id text collate "C" not null references wallets (account_id),
  id text collate "C" not null,
  -- As the card processor knows it.
  card text not null,
  brand text,
  last4 text,
  exp_month int4 check (exp_month between 1 and 12),
  exp_year int4,
  status text not null check (status in ('active', 'deleted')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, card)
);

-- One row an account that ever set it. `cause` remembers who turned it off.
create table auto_topups (
  account_id text collate "C" primary key references wallets (account_id),
  enabled boolean not null,
  threshold int8 not null check (threshold >= 0),
  amount int8 not null check (amount >= 0 and amount % 100 = 0),
  payment_method_id text collate "C",
  cause text check (cause in ('failure', 'caller', 'card_deleted')),
  -- Whether the balance was above the threshold when it was last looked at: only what was above can fall.
  is_above boolean not null,
  -- The run that has not ended.
  open_topup_id text collate "C",
  last_triggered_at timestamptz,
  updated_at timestamptz not null,
  check (not enabled or (amount > 0 and payment_method_id is not null))
);

-- Automatic top-ups that failed: people are told of each once. gaps-3 E "Failure notification"
create table auto_topup_failures (
  account_id text collate "C" not null references wallets (account_id),
  topup_id text collate "C" not null,
  amount int8 not null,
  last4 text,
  decline_code text,
  failed_at timestamptz not null,
  primary key (account_id, topup_id)
);
