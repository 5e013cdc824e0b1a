-- Payments that somebody is asked for by a link or a code. Amounts in 1/10,000 BRL. gaps-3 C, D

create table payment_requests (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  -- Whose wallet holds its fees: `org_…` in production, `env_…` in a sandbox.
  account_id text collate "C" not null,
  status text not null check (status in ('link_pending', 'link_generated', 'approval_requested', 'approved', 'paid',
    'failed', 'expired', 'cancelled')),
  amount int8 not null check (amount > 0),
  description text,
  customer_name text,
  customer_tax_id text,
  customer_phone text,
  customer_email text,
  external_reference text,
  -- JSON as it was sent.
  metadata text,
  provider text not null check (provider in ('pixprov1', 'pixprov2')),
  -- Null for the fixture of a sandbox without a connection.
  provider_connection_id text collate "C",
  mode text not null check (mode in ('hosted_checkout', 'transparent_pix')),
  expires_in_seconds int4 not null check (expires_in_seconds > 0),
  success_url text,
  payment_link_url text,
  pix_copy_paste text,
  pix_qr_code_base64 text,
  -- Names the payment on a page of ours, without a key.
  page_token text collate "C",
  provider_payment_id text collate "C",
  provider_approval_id text collate "C",
  -- JSON object: late outcomes, what a sandbox outcome was given.
  provider_metadata text,
  approval_note text,
  approval_metadata text,
  error_code text,
  error_message text,
  trace_id text not null,
  -- Null where no fee is owed.
  rate_card_id text collate "C",
  initiation_amount int8 check (initiation_amount >= 0),
  initiation_reservation_id text collate "C",
  -- In ten-thousandths.
  completion_rate int8 check (completion_rate between 0 and 10000),
  completion_amount int8 check (completion_amount >= 0),
  completion_reservation_id text collate "C",
  completion_state text check (completion_state in ('held', 'settled', 'released')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  link_generated_at timestamptz,
  approval_requested_at timestamptz,
  approved_at timestamptz,
  paid_at timestamptz,
  failed_at timestamptz,
  expired_at timestamptz,
  cancelled_at timestamptz,
  -- What is to be done for it, and when; null when nothing is. A create leaves once: from then on it is found or read.
  step text check (step in ('create', 'find', 'read')),
  due_at timestamptz,
  -- When a create went to the provider last, and since when nothing new was heard.
  called_at timestamptz,
  doubt_at timestamptz,
  -- When a look-up by our id first found nothing at the provider.
  absent_at timestamptz,
  -- The provider is still to be asked for these.
  approval_due boolean not null default false,
  cancel_due boolean not null default false,
  cancel_requested_at timestamptz,
  -- What a provider told last, and when that happened as it says; never more than a hint.
  hint_event_id text collate "C",
  hint_event_type text,
  hint_status text,
  hint_at timestamptz,
  primary key (environment_id, id),
  check ((step is null) = (due_at is null)),
  check ((rate_card_id is null) = (completion_state is null)),
  check (completion_state is null or (initiation_amount is not null and initiation_reservation_id is not null
    and completion_rate is not null and completion_amount is not null and completion_reservation_id is not null)),
  check (status in ('paid', 'failed', 'expired', 'cancelled') or completion_state is null or completion_state = 'held'),
  check (status <> 'link_generated' or link_generated_at is not null)
);
create index payment_requests_status on payment_requests (environment_id, status, id);
create index payment_requests_due on payment_requests (environment_id, due_at, id)
  where due_at is not null and environment = 'production';
create index payment_requests_sandbox_due on payment_requests (environment_id, due_at, id)
  where due_at is not null and environment = 'sandbox';
-- Providers know it by our id alone.
create unique index payment_requests_id on payment_requests (id);
create unique index payment_requests_page on payment_requests (page_token) where page_token is not null;
