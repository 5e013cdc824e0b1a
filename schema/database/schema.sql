-- The schema as it is, which `npm run codegen` makes of the migrations beside this file. It is for readers: never edit or
-- run it. A change of the schema is a new migration.

CREATE OR REPLACE FUNCTION public.activity_number()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$select pg_current_xact_id()::text::int8$function$;

CREATE OR REPLACE FUNCTION public.ledger_entry_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.environment = 'sandbox' then
    return old;
  end if;
  raise exception 'ledger entries are never changed or removed';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'ledger entries are never changed or removed';
end $function$;

create table account_months (
  account_id text collate "C" not null,
  month text collate "C" not null,
  job text collate "C" not null,
  due_at timestamp with time zone not null,
  done_at timestamp with time zone,
  constraint account_months_pkey PRIMARY KEY (account_id, month, job),
  constraint account_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id)
);
CREATE INDEX account_months_open ON account_months USING btree (account_id, due_at, job) WHERE done_at IS NULL;

create table account_plans (
  account_id text collate "C" not null,
  effective_from timestamp with time zone not null,
  plan_offering_id text collate "C",
  constraint account_plans_pkey PRIMARY KEY (account_id, effective_from),
  constraint account_plans_plan_offering_id_fkey FOREIGN KEY (plan_offering_id) REFERENCES plan_offerings(id)
);

create table activity_borders (
  source text not null,
  counted_before bigint not null,
  system_identifier text,
  ahead bigint default 0 not null,
  constraint activity_borders_pkey PRIMARY KEY (source)
);

create table activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  hour timestamp with time zone not null,
  count bigint not null,
  amount bigint not null,
  constraint activity_hours_pkey PRIMARY KEY (environment_id, measure, hour),
  constraint activity_hours_count_check CHECK (count >= 0)
);
CREATE INDEX activity_hours_age ON activity_hours USING btree (hour);

create table agentic_authorizations (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  bank_id text not null,
  customer_name text not null,
  customer_tax_id text,
  max_amount bigint not null,
  return_url text,
  external_reference text,
  metadata text,
  provider_connection_id text collate "C",
  provider_authorization_id text collate "C",
  authorization_url text,
  trace_id text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  authorized_at timestamp with time zone,
  rejected_at timestamp with time zone,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  step text,
  due_at timestamp with time zone,
  called_at timestamp with time zone,
  doubt_at timestamp with time zone,
  absent_at timestamp with time zone,
  customer_tax_id_sealed bytea,
  constraint agentic_authorizations_pkey PRIMARY KEY (environment_id, id),
  constraint agentic_authorizations_check CHECK ((step IS NULL) = (due_at IS NULL)),
  constraint agentic_authorizations_check1 CHECK (customer_tax_id IS NOT NULL OR customer_tax_id_sealed IS NOT NULL),
  constraint agentic_authorizations_max_amount_check CHECK (max_amount > 0),
  constraint agentic_authorizations_status_check CHECK (status = ANY (ARRAY['pending'::text, 'authorized'::text, 'rejected'::text, 'revoked'::text, 'expired'::text])),
  constraint agentic_authorizations_step_check CHECK (step = ANY (ARRAY['create'::text, 'find'::text, 'read'::text, 'revoke'::text]))
);
CREATE INDEX agentic_authorizations_due ON agentic_authorizations USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX agentic_authorizations_id ON agentic_authorizations USING btree (id);
CREATE INDEX agentic_authorizations_status ON agentic_authorizations USING btree (environment_id, status, id);
CREATE INDEX agentic_authorizations_unsealed ON agentic_authorizations USING btree (id) WHERE customer_tax_id IS NOT NULL;

create table agentic_payments (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  status text not null,
  authorization_id text collate "C" not null,
  amount bigint not null,
  description text,
  external_reference text,
  metadata text,
  provider_connection_id text collate "C",
  provider_authorization_id text collate "C",
  provider_payment_id text collate "C",
  error_code text,
  error_message text,
  trace_id text not null,
  rate_card_id text collate "C" not null,
  initiation_amount bigint not null,
  initiation_reservation_id text collate "C" not null,
  completion_rate bigint not null,
  completion_amount bigint not null,
  completion_reservation_id text collate "C" not null,
  completion_state text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  step text,
  due_at timestamp with time zone,
  called_at timestamp with time zone,
  doubt_at timestamp with time zone,
  absent_at timestamp with time zone,
  constraint agentic_payments_pkey PRIMARY KEY (environment_id, id),
  constraint agentic_payments_amount_check CHECK (amount > 0),
  constraint agentic_payments_check CHECK ((step IS NULL) = (due_at IS NULL)),
  constraint agentic_payments_check1 CHECK (completion_state <> 'settled'::text OR status = 'paid'::text),
  constraint agentic_payments_completion_amount_check CHECK (completion_amount >= 0),
  constraint agentic_payments_completion_rate_check CHECK (completion_rate >= 0 AND completion_rate <= 10000),
  constraint agentic_payments_completion_state_check CHECK (completion_state = ANY (ARRAY['held'::text, 'settled'::text, 'released'::text])),
  constraint agentic_payments_initiation_amount_check CHECK (initiation_amount >= 0),
  constraint agentic_payments_status_check CHECK (status = ANY (ARRAY['processing'::text, 'paid'::text, 'failed'::text])),
  constraint agentic_payments_step_check CHECK (step = ANY (ARRAY['create'::text, 'find'::text, 'read'::text]))
);
CREATE INDEX agentic_payments_authorization ON agentic_payments USING btree (environment_id, authorization_id, id);
CREATE INDEX agentic_payments_due ON agentic_payments USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX agentic_payments_id ON agentic_payments USING btree (id);

create table allowance_slots (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  expires_at timestamp with time zone not null,
  uses integer not null,
  lender_id text collate "C",
  constraint allowance_slots_pkey PRIMARY KEY (environment_id, business_id, customer_key)
);
CREATE INDEX allowance_slots_age ON allowance_slots USING btree (expires_at);
CREATE INDEX allowance_slots_live ON allowance_slots USING btree ((business_id || ''::text), expires_at, environment_id);

create table api_keys (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  name text not null,
  key_prefix text collate "C" not null,
  secret_hash bytea not null,
  scopes text not null,
  kind text not null,
  status text not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (environment_id, id),
  constraint api_keys_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id),
  constraint api_keys_check CHECK ((status = 'revoked'::text) = (revoked_at IS NOT NULL)),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['standard'::text, 'agent'::text])),
  constraint api_keys_status_check CHECK (status = ANY (ARRAY['active'::text, 'revoked'::text]))
);
CREATE UNIQUE INDEX api_keys_secret ON api_keys USING btree (secret_hash);

create table audiences (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  filter text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint audiences_pkey PRIMARY KEY (environment_id, id)
);

create table audit_log (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  environment_id text collate "C",
  member_id text collate "C",
  action text not null,
  subject text,
  before text,
  after text,
  request_id text,
  created_at timestamp with time zone not null,
  constraint audit_log_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_log_actions ON audit_log USING btree (organization_id, action, id);
CREATE INDEX audit_log_created ON audit_log USING btree (created_at);
CREATE INDEX audit_log_members ON audit_log USING btree (organization_id, member_id, id);
CREATE INDEX audit_log_subjects ON audit_log USING btree (organization_id, subject, id) WHERE subject IS NOT NULL;

create table auto_topup_failures (
  account_id text collate "C" not null,
  topup_id text collate "C" not null,
  amount bigint not null,
  last4 text,
  decline_code text,
  failed_at timestamp with time zone not null,
  constraint auto_topup_failures_pkey PRIMARY KEY (account_id, topup_id),
  constraint auto_topup_failures_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id)
);

create table auto_topups (
  account_id text collate "C" not null,
  enabled boolean not null,
  threshold bigint not null,
  amount bigint not null,
  payment_method_id text collate "C",
  cause text,
  is_above boolean not null,
  open_topup_id text collate "C",
  last_triggered_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint auto_topups_pkey PRIMARY KEY (account_id),
  constraint auto_topups_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint auto_topups_amount_check CHECK (amount >= 0 AND (amount % 100::bigint) = 0),
  constraint auto_topups_cause_check CHECK (cause = ANY (ARRAY['failure'::text, 'caller'::text, 'card_deleted'::text])),
  constraint auto_topups_check CHECK (NOT enabled OR amount > 0 AND payment_method_id IS NOT NULL),
  constraint auto_topups_threshold_check CHECK (threshold >= 0)
);

create table batch_progress (
  environment_id text collate "C" not null,
  batch_id text collate "C" not null,
  id bigint generated by default as identity not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  skipped integer not null,
  cancelled integer not null,
  gone integer not null,
  constraint batch_progress_pkey PRIMARY KEY (environment_id, batch_id, id)
);

create table batch_recipients (
  environment_id text collate "C" not null,
  batch_id text collate "C" not null,
  "position" integer not null,
  phone text,
  customer_key text collate "C",
  variables text,
  metadata text,
  state text default 'waiting'::text not null,
  message_id text collate "C",
  error_code text,
  error_message text,
  guard_reason text,
  next_allowed_at timestamp with time zone,
  first_refused_at timestamp with time zone,
  retry_at timestamp with time zone,
  failed_at timestamp with time zone,
  constraint batch_recipients_pkey PRIMARY KEY (environment_id, batch_id, "position"),
  constraint batch_recipients_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'retrying'::text, 'enqueued'::text, 'refused'::text]))
);
CREATE INDEX batch_recipients_customer ON batch_recipients USING btree (customer_key, environment_id) WHERE customer_key IS NOT NULL;
CREATE INDEX batch_recipients_guarded ON batch_recipients USING btree (failed_at) WHERE guard_reason IS NOT NULL OR next_allowed_at IS NOT NULL;
CREATE INDEX batch_recipients_retry ON batch_recipients USING btree (batch_id, environment_id, retry_at) WHERE state = 'retrying'::text;

create table batch_stages (
  environment_id text collate "C" not null,
  batch_id text collate "C" not null,
  staged_at timestamp with time zone not null,
  constraint batch_stages_pkey PRIMARY KEY (environment_id, batch_id)
);
CREATE INDEX batch_stages_age ON batch_stages USING btree (staged_at);

create table batches (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  name text,
  status text not null,
  channel text not null,
  business_id text collate "C" not null,
  template_name text not null,
  template_language text not null,
  template_id text collate "C" not null,
  template_version_id text collate "C" not null,
  template_version integer not null,
  header_media text,
  filter text,
  found_through text collate "C" default ''::text not null,
  found_count integer default 0 not null,
  recipient_count integer not null,
  "position" integer default 0 not null,
  claimed_to integer,
  claimed_at timestamp with time zone,
  enqueued_count integer default 0 not null,
  refused_count integer default 0 not null,
  recipient_guard_skipped_count integer default 0 not null,
  skipped_count integer default 0 not null,
  sent_count integer default 0 not null,
  delivered_count integer default 0 not null,
  read_count integer default 0 not null,
  failed_count integer default 0 not null,
  cancelled_count integer default 0 not null,
  left_count integer default 0 not null,
  metadata text,
  scheduled_at timestamp with time zone,
  resumed boolean default false not null,
  failure_code text,
  failure_message text,
  trace_id text not null,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint batches_pkey PRIMARY KEY (environment_id, id),
  constraint batches_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint batches_status_check CHECK (status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'processing'::text, 'paused'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))
);
CREATE INDEX batches_due ON batches USING btree (id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX batches_id ON batches USING btree (id);

create table billing_customers (
  account_id text collate "C" not null,
  customer text not null,
  default_payment_method_id text collate "C",
  created_at timestamp with time zone not null,
  constraint billing_customers_pkey PRIMARY KEY (account_id),
  constraint billing_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id)
);

create table billing_notices (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  subject_id text collate "C" not null,
  text text not null,
  created_at timestamp with time zone not null,
  dismissed_at timestamp with time zone,
  dismissed_by text collate "C",
  amount bigint,
  outcome text,
  simulated boolean,
  constraint billing_notices_pkey PRIMARY KEY (organization_id, id),
  constraint billing_notices_organization_id_kind_subject_id_key UNIQUE (organization_id, kind, subject_id)
);
CREATE INDEX billing_notices_open ON billing_notices USING btree (organization_id, id) WHERE dismissed_at IS NULL;

create table billing_payment_methods (
  account_id text collate "C" not null,
  id text collate "C" not null,
  card text not null,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint billing_payment_methods_pkey PRIMARY KEY (account_id, id),
  constraint billing_payment_methods_account_id_card_key UNIQUE (account_id, card),
  constraint billing_payment_methods_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint billing_payment_methods_exp_month_check CHECK (exp_month >= 1 AND exp_month <= 12),
  constraint billing_payment_methods_status_check CHECK (status = ANY (ARRAY['active'::text, 'deleted'::text]))
);

create table billing_recipients (
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  phone text not null,
  consented_at timestamp with time zone not null,
  constraint billing_recipients_pkey PRIMARY KEY (organization_id)
);

create table business_identities (
  organization_id text collate "C" not null,
  status text not null,
  legal_name text not null,
  tax_id text not null,
  legal_phone text,
  declared_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  constraint business_identities_pkey PRIMARY KEY (organization_id),
  constraint business_identities_check CHECK ((status = 'approved'::text) = (approved_at IS NOT NULL)),
  constraint business_identities_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text]))
);

create table calendar_months (
  job text collate "C" not null,
  month text collate "C" not null,
  reached text collate "C" default ''::text not null,
  done_at timestamp with time zone,
  constraint calendar_months_pkey PRIMARY KEY (job, month)
);

create table charges (
  account_id text collate "C" not null,
  id text collate "C" not null,
  purpose text not null,
  rail text not null,
  amount bigint not null,
  state text default 'open'::text not null,
  off_session boolean not null,
  payment_method_id text collate "C",
  customer text,
  card text,
  provider_charge_id text,
  client_secret bytea,
  pix_copy_paste text,
  pix_qr_code_base64 text,
  pix_expires_at timestamp with time zone,
  decline_code text,
  request_key text collate "C",
  request_fingerprint text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  called_at timestamp with time zone,
  answered_at timestamp with time zone,
  due_at timestamp with time zone,
  ended_at timestamp with time zone,
  absent_at timestamp with time zone,
  constraint charges_pkey PRIMARY KEY (account_id, id),
  constraint charges_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint charges_amount_check CHECK (amount > 0 AND (amount % 100::bigint) = 0),
  constraint charges_check CHECK ((rail = 'card'::text) = (card IS NOT NULL)),
  constraint charges_check1 CHECK ((state = 'open'::text) = (ended_at IS NULL)),
  constraint charges_purpose_check CHECK (purpose = ANY (ARRAY['topup'::text, 'invoice'::text])),
  constraint charges_rail_check CHECK (rail = ANY (ARRAY['card'::text, 'pix'::text])),
  constraint charges_state_check CHECK (state = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'refunded'::text]))
);
CREATE INDEX charges_due ON charges USING btree (account_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX charges_id ON charges USING btree (id);
CREATE INDEX charges_provider ON charges USING btree (provider_charge_id) WHERE provider_charge_id IS NOT NULL;
CREATE INDEX charges_request ON charges USING btree (account_id, request_key, created_at) WHERE request_key IS NOT NULL;

create table commits (
  id text collate "C" not null,
  created_at timestamp with time zone not null,
  outcome text not null,
  constraint commits_pkey PRIMARY KEY (id)
);
CREATE INDEX commits_created ON commits USING btree (created_at);

create table consent_events (
  environment_id text collate "C" not null,
  contact_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  source text not null,
  reason text,
  occurred_at timestamp with time zone not null,
  constraint consent_events_pkey PRIMARY KEY (environment_id, contact_id, id),
  constraint consent_events_type_check CHECK (type = ANY (ARRAY['opted_in'::text, 'opted_out'::text]))
);

create table contact_aliases (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  constraint contact_aliases_pkey PRIMARY KEY (environment_id, id)
);
CREATE INDEX contact_aliases_contact ON contact_aliases USING btree (contact_id, environment_id);

create table contact_erasures (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  customer_type text not null,
  match_key text collate "C" not null,
  erased_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  passes integer default 0 not null,
  constraint contact_erasures_pkey PRIMARY KEY (environment_id, id, match_key)
);
CREATE INDEX contact_erasures_due ON contact_erasures USING btree (due_at);
CREATE INDEX contact_erasures_key ON contact_erasures USING btree (match_key, environment_id);

create table contact_suppressions (
  environment_id text collate "C" not null,
  subject text collate "C" not null,
  source text not null,
  opted_out_at timestamp with time zone not null,
  constraint contact_suppressions_pkey PRIMARY KEY (environment_id, subject)
);

create table contacts (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  customer_type text not null,
  match_key text collate "C" not null,
  phone text not null,
  profile_name text,
  opt_in_status text not null,
  source text not null,
  metadata text,
  opted_in_at timestamp with time zone,
  opted_out_at timestamp with time zone,
  last_inbound_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  revision bigint default 0 not null,
  user_id text collate "C",
  username text,
  constraint contacts_pkey PRIMARY KEY (environment_id, id),
  constraint contacts_customer_type_check CHECK (customer_type = ANY (ARRAY['phone_e164'::text, 'social_user'::text, 'chatapp_channel'::text])),
  constraint contacts_opt_in_status_check CHECK (opt_in_status = ANY (ARRAY['opted_in'::text, 'opted_out'::text, 'none'::text]))
) with (fillfactor=50);
CREATE UNIQUE INDEX contacts_match ON contacts USING btree (match_key, environment_id, customer_type);
CREATE INDEX contacts_name_words ON contacts USING gin (array_to_tsvector(string_to_array((environment_id || '/'::text) || replace(lower(translate("left"(profile_name, 255), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ-.''’\'::text, 'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn     '::text)), ' '::text, (' '::text || environment_id) || '/'::text), ' '::text))) WHERE profile_name IS NOT NULL;
CREATE INDEX contacts_phone_end ON contacts USING btree (environment_id, reverse(match_key)) WHERE phone <> ''::text;
CREATE INDEX contacts_user_id ON contacts USING btree (user_id, environment_id) WHERE user_id IS NOT NULL;

create table credential_setup_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null,
  target text not null,
  status text not null,
  provider_connection_id text collate "C",
  completed_stt_provider text,
  completed_by_role text,
  completed_at timestamp with time zone,
  denied_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint credential_setup_sessions_pkey PRIMARY KEY (environment_id, id),
  constraint credential_setup_sessions_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint credential_setup_sessions_status_check CHECK (status = ANY (ARRAY['pending'::text, 'completed'::text, 'denied'::text]))
);
CREATE INDEX credential_setup_sessions_created ON credential_setup_sessions USING btree (created_at);
CREATE UNIQUE INDEX credential_setup_sessions_id ON credential_setup_sessions USING btree (id);

create table credit_topups (
  account_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  status text not null,
  amount bigint not null,
  payment_method text not null,
  provider text,
  package_code text,
  quota_messages bigint,
  quota_remaining bigint,
  unit_price bigint,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint credit_topups_pkey PRIMARY KEY (account_id, id),
  constraint credit_topups_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint credit_topups_amount_check CHECK (amount > 0),
  constraint credit_topups_check CHECK (quota_remaining >= 0 AND quota_remaining <= quota_messages),
  constraint credit_topups_kind_check CHECK (kind = ANY (ARRAY['cash'::text, 'package'::text, 'x402'::text])),
  constraint credit_topups_payment_method_check CHECK (payment_method = ANY (ARRAY['pix'::text, 'card'::text, 'x402'::text, 'manual'::text, 'promotion'::text])),
  constraint credit_topups_provider_check CHECK (provider = ANY (ARRAY['cardproc'::text, 'pixprov2'::text, 'manual'::text, 'promotion'::text])),
  constraint credit_topups_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'refunded'::text, 'expired'::text]))
);
CREATE INDEX credit_topups_quota ON credit_topups USING btree (account_id, id) WHERE status = 'succeeded'::text AND quota_remaining > 0;
CREATE INDEX credit_topups_status ON credit_topups USING btree (status, account_id, id);

create table customer_ids (
  environment_id text collate "C" not null,
  user_id text collate "C" not null,
  customer_key text collate "C" not null,
  claim text,
  updated_at timestamp with time zone not null,
  constraint customer_ids_pkey PRIMARY KEY (environment_id, user_id)
);
CREATE INDEX customer_ids_key ON customer_ids USING btree (customer_key, environment_id);

create table customer_joins (
  environment_id text collate "C" not null,
  from_key text collate "C" not null,
  to_key text collate "C" not null,
  phone text not null,
  joined_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  passes integer default 0 not null,
  constraint customer_joins_pkey PRIMARY KEY (environment_id, from_key)
);
CREATE INDEX customer_joins_due ON customer_joins USING btree (due_at);
CREATE INDEX customer_joins_to ON customer_joins USING btree (to_key, environment_id);

create table dashboard_sessions (
  token_hash bytea not null,
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  wrong_codes integer default 0 not null,
  wrong_codes_since timestamp with time zone,
  locked_until timestamp with time zone,
  constraint dashboard_sessions_pkey PRIMARY KEY (token_hash),
  constraint dashboard_sessions_organization_id_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members(organization_id, id)
);
CREATE INDEX dashboard_sessions_age ON dashboard_sessions USING btree (expires_at);

create table data_retention_policies (
  environment_id text collate "C" not null,
  data_export_enabled boolean default true not null,
  media_retention_days integer default 30 not null,
  payload_retention_days integer default 90 not null,
  updated_at timestamp with time zone not null,
  constraint data_retention_policies_pkey PRIMARY KEY (environment_id),
  constraint data_retention_policies_media_retention_days_check CHECK (media_retention_days >= 1 AND media_retention_days <= 365),
  constraint data_retention_policies_payload_retention_days_check CHECK (payload_retention_days >= 1 AND payload_retention_days <= 365)
);

create table device_authorizations (
  id text collate "C" not null,
  device_code_hash bytea not null,
  user_code text collate "C" not null,
  client_name text not null,
  environment_kind text not null,
  scopes text not null,
  key_expires_at timestamp with time zone,
  source_ip text not null,
  status text default 'pending'::text not null,
  interval_seconds integer not null,
  last_polled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text collate "C",
  organization_id text collate "C",
  project_id text collate "C",
  environment_id text collate "C",
  granted_scopes text,
  redeemed_at timestamp with time zone,
  api_key_id text collate "C",
  constraint device_authorizations_pkey PRIMARY KEY (id),
  constraint device_authorizations_environment_kind_check CHECK (environment_kind = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint device_authorizations_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'redeemed'::text]))
);
CREATE INDEX device_authorizations_age ON device_authorizations USING btree (created_at);
CREATE UNIQUE INDEX device_authorizations_code ON device_authorizations USING btree (device_code_hash);
CREATE UNIQUE INDEX device_authorizations_user_code ON device_authorizations USING btree (user_code) WHERE status = ANY (ARRAY['pending'::text, 'approved'::text]);

create table emails (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  subject_id text collate "C" not null,
  subject text not null,
  body text not null,
  status text default 'queued'::text not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  recipients text,
  error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  translations text,
  constraint emails_pkey PRIMARY KEY (organization_id, id),
  constraint emails_organization_id_kind_subject_id_key UNIQUE (organization_id, kind, subject_id),
  constraint emails_check CHECK ((status = 'queued'::text) = (ended_at IS NULL)),
  constraint emails_check1 CHECK ((status = 'queued'::text) = (due_at IS NOT NULL)),
  constraint emails_status_check CHECK (status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))
);
CREATE INDEX emails_created ON emails USING btree (created_at);
CREATE INDEX emails_due ON emails USING btree (organization_id, due_at, id) WHERE due_at IS NOT NULL;

create table endpoint_activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  hour timestamp with time zone not null,
  count bigint not null,
  amount bigint not null,
  constraint endpoint_activity_hours_pkey PRIMARY KEY (environment_id, measure, hour),
  constraint endpoint_activity_hours_count_check CHECK (count >= 0)
);
CREATE INDEX endpoint_activity_hours_age ON endpoint_activity_hours USING btree (hour);

create table environment_counters (
  environment_id text collate "C" not null,
  active_api_keys integer default 0 not null,
  webhook_endpoints integer default 0 not null,
  constraint environment_counters_pkey PRIMARY KEY (environment_id),
  constraint environment_counters_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id)
);

create table environments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  kind text not null,
  capabilities_off text default '[]'::text not null,
  created_at timestamp with time zone not null,
  constraint environments_pkey PRIMARY KEY (id),
  constraint environments_id_kind UNIQUE (id, kind),
  constraint environments_project_id_kind_key UNIQUE (project_id, kind),
  constraint environments_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint environments_kind_check CHECK (kind = ANY (ARRAY['sandbox'::text, 'production'::text]))
);

create table feedback_reports (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  api_key_id text collate "C",
  origin text not null,
  message text not null,
  related_error text,
  context text,
  redacted boolean not null,
  status text default 'received'::text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint feedback_reports_pkey PRIMARY KEY (environment_id, id),
  constraint feedback_reports_origin_check CHECK (origin = ANY (ARRAY['api'::text, 'dashboard'::text]))
);
CREATE INDEX feedback_reports_age ON feedback_reports USING btree (created_at);
CREATE INDEX feedback_reports_api ON feedback_reports USING btree (environment_id, id) WHERE origin = 'api'::text;

create table feedback_resolutions (
  environment_id text collate "C" not null,
  feedback_report_id text collate "C" not null,
  number integer not null,
  disposition text not null,
  public_summary text not null,
  published_at timestamp with time zone not null,
  constraint feedback_resolutions_pkey PRIMARY KEY (environment_id, feedback_report_id, number),
  constraint feedback_resolutions_environment_id_feedback_report_id_fkey FOREIGN KEY (environment_id, feedback_report_id) REFERENCES feedback_reports(environment_id, id) ON DELETE CASCADE
);

create table flows (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  status text not null,
  provider_flow_id text collate "C",
  rejection_reason text,
  categories text not null,
  flow_json text not null,
  provider_step text,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  publishing_since timestamp with time zone,
  published_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint flows_pkey PRIMARY KEY (environment_id, id),
  constraint flows_check CHECK ((provider_step IS NULL) = (due_at IS NULL)),
  constraint flows_provider_step_check CHECK (provider_step = ANY (ARRAY['create'::text, 'find'::text, 'upload'::text, 'publish'::text, 'poll'::text, 'deprecate'::text, 'remove'::text])),
  constraint flows_status_check CHECK (status = ANY (ARRAY['draft'::text, 'publishing'::text, 'published'::text, 'rejected'::text, 'deprecated'::text]))
);
CREATE INDEX flows_due ON flows USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX flows_provider ON flows USING btree (provider_flow_id, environment_id) WHERE provider_flow_id IS NOT NULL;
CREATE INDEX flows_published ON flows USING btree (name, environment_id, published_at) WHERE status = 'published'::text;

create table group_eligibility (
  environment_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  environment text not null,
  status text not null,
  reasons text not null,
  checked_at timestamp with time zone,
  check_requested_at timestamp with time zone,
  version bigint default 1 not null,
  check_state text,
  check_queued_at timestamp with time zone,
  check_answers timestamp with time zone,
  check_due_at timestamp with time zone,
  constraint group_eligibility_pkey PRIMARY KEY (environment_id, phone_number_id),
  constraint group_eligibility_check_state_check CHECK (check_state = ANY (ARRAY['queued'::text, 'running'::text])),
  constraint group_eligibility_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint group_eligibility_status_check CHECK (status = ANY (ARRAY['eligible'::text, 'not_eligible'::text, 'unknown'::text, 'not_checked'::text, 'read_failed'::text]))
);
CREATE INDEX group_eligibility_due ON group_eligibility USING btree (phone_number_id, check_due_at) WHERE check_due_at IS NOT NULL;

create table group_participants (
  environment_id text collate "C" not null,
  group_id text collate "C" not null,
  chat_id text collate "C" not null,
  is_member boolean not null,
  joined_at timestamp with time zone,
  joined_told bigint,
  latest_at timestamp with time zone not null,
  constraint group_participants_pkey PRIMARY KEY (environment_id, group_id, chat_id)
);
CREATE INDEX group_participants_phone ON group_participants USING btree (translate(chat_id, '+ ().-'::text, ''::text), environment_id);

create table group_participations (
  environment_id text collate "C" not null,
  group_id text collate "C" not null,
  chat_id text collate "C" not null,
  action text not null,
  occurred_at timestamp with time zone not null,
  constraint group_participations_pkey PRIMARY KEY (environment_id, group_id, chat_id, action, occurred_at),
  constraint group_participations_action_check CHECK (action = ANY (ARRAY['join'::text, 'remove'::text]))
);
CREATE INDEX group_participations_phone ON group_participations USING btree (translate(chat_id, '+ ().-'::text, ''::text), environment_id);

create table groups (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  phone_number_id text collate "C" not null,
  subject text not null,
  description text,
  status text not null,
  provider_group_id text collate "C",
  invite_link bytea,
  failure_code text,
  failure_message text,
  failure_provider text,
  trace_id text not null,
  version bigint default 1 not null,
  life_state text,
  life_due_at timestamp with time zone,
  life_attempts integer default 0 not null,
  life_request_id text collate "C",
  reset_state text,
  reset_due_at timestamp with time zone,
  reset_attempts integer default 0 not null,
  reset_requested_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  suspended_at timestamp with time zone,
  suspension_told_at timestamp with time zone,
  constraint groups_pkey PRIMARY KEY (environment_id, id),
  constraint groups_check CHECK ((failure_code IS NULL) = (failure_message IS NULL)),
  constraint groups_check1 CHECK ((deleted_at IS NULL) = (status <> 'deleted'::text)),
  constraint groups_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint groups_life_state_check CHECK (life_state = ANY (ARRAY['queued'::text, 'sending'::text, 'waiting'::text, 'unsent'::text])),
  constraint groups_reset_state_check CHECK (reset_state = ANY (ARRAY['queued'::text, 'sending'::text])),
  constraint groups_status_check CHECK (status = ANY (ARRAY['pending'::text, 'active'::text, 'failed'::text, 'deleting'::text, 'deleted'::text]))
);
CREATE INDEX groups_due ON groups USING btree (phone_number_id, LEAST(life_due_at, reset_due_at), id) WHERE life_due_at IS NOT NULL OR reset_due_at IS NOT NULL;
CREATE INDEX groups_number ON groups USING btree (phone_number_id, id);
CREATE INDEX groups_number_list ON groups USING btree (environment_id, phone_number_id, id);
CREATE INDEX groups_provider ON groups USING btree (provider_group_id, phone_number_id) WHERE provider_group_id IS NOT NULL;
CREATE INDEX groups_status ON groups USING btree (status, environment_id, id);

create table idempotency_records (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text not null,
  status text not null,
  response_status integer,
  response_body bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  subject text collate "C",
  constraint idempotency_records_pkey PRIMARY KEY (environment_id, key_hash),
  constraint idempotency_records_status_check CHECK (status = ANY (ARRAY['in_progress'::text, 'completed'::text]))
);
CREATE INDEX idempotency_records_expiry ON idempotency_records USING btree (expires_at);
CREATE INDEX idempotency_records_subject ON idempotency_records USING btree (subject, environment_id, key_hash) WHERE subject IS NOT NULL;

create table idempotency_subjects (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  subject text collate "C" not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_subjects_pkey PRIMARY KEY (subject, environment_id, key_hash)
);
CREATE INDEX idempotency_subjects_expiry ON idempotency_subjects USING btree (expires_at);

create table ignored_notices (
  biz_account_id text collate "C" not null,
  field text collate "C" not null,
  day date not null,
  count integer not null,
  last_at timestamp with time zone not null,
  last_call text collate "C" not null,
  content text,
  constraint ignored_notices_pkey PRIMARY KEY (biz_account_id, field, day)
);
CREATE INDEX ignored_notices_last ON ignored_notices USING btree (last_at);

create table ledger_audits (
  day date not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  invariants_broken integer,
  findings text,
  constraint ledger_audits_pkey PRIMARY KEY (day)
);

create table ledger_corrections (
  account_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  source text not null,
  amount bigint not null,
  reason text not null,
  created_at timestamp with time zone not null,
  posted_at timestamp with time zone,
  constraint ledger_corrections_pkey PRIMARY KEY (account_id, id),
  constraint ledger_corrections_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint ledger_corrections_amount_check CHECK (amount > 0),
  constraint ledger_corrections_source_check CHECK (source = ANY (ARRAY['manual'::text, 'promotion'::text])),
  constraint ledger_corrections_type_check CHECK (type = ANY (ARRAY['credit'::text, 'debit'::text]))
);
CREATE INDEX ledger_corrections_open ON ledger_corrections USING btree (account_id, id) WHERE posted_at IS NULL;

create table ledger_entries (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  environment text,
  environment_id text collate "C",
  type text not null,
  is_listed boolean not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null,
  source_type text not null,
  source_id text collate "C" not null,
  meter_id text collate "C",
  uncollected bigint,
  trace_id text,
  payment_object text,
  payment_id text collate "C",
  reservation_id text collate "C",
  recorded_at timestamp with time zone not null,
  written_in bigint default activity_number(),
  constraint ledger_entries_pkey PRIMARY KEY (organization_id, id),
  constraint ledger_entries_amount_check CHECK (amount > 0),
  constraint ledger_entries_check CHECK (uncollected >= 0 AND uncollected <= amount),
  constraint ledger_entries_check1 CHECK (from_account <> to_account),
  constraint ledger_entries_check2 CHECK (type <> 'hold'::text OR from_account = 'available'::text AND to_account = 'held'::text),
  constraint ledger_entries_check3 CHECK (type <> 'release'::text OR from_account = 'held'::text AND to_account = 'available'::text),
  constraint ledger_entries_check4 CHECK (type <> 'credit'::text OR to_account = 'available'::text),
  constraint ledger_entries_check5 CHECK (type <> 'debit'::text OR (from_account = ANY (ARRAY['available'::text, 'held'::text]))),
  constraint ledger_entries_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint ledger_entries_source_type_check CHECK (source_type = ANY (ARRAY['usage'::text, 'credit_topup'::text, 'payment_fee_hold'::text, 'phone_month'::text])),
  constraint ledger_entries_type_check CHECK (type = ANY (ARRAY['debit'::text, 'credit'::text, 'hold'::text, 'release'::text]))
);
CREATE INDEX ledger_entries_default ON ledger_entries USING btree (organization_id, id) WHERE is_listed AND environment IS DISTINCT FROM 'sandbox'::text;
CREATE INDEX ledger_entries_environment ON ledger_entries USING btree (environment, organization_id, id) WHERE is_listed;
CREATE UNIQUE INDEX ledger_entries_once ON ledger_entries USING btree (account_id, type, source_id, meter_id) NULLS NOT DISTINCT;
CREATE INDEX ledger_entries_source ON ledger_entries USING btree (source_type, organization_id, id) WHERE is_listed;
CREATE INDEX ledger_entries_written_in ON ledger_entries USING btree (written_in);
CREATE TRIGGER ledger_entries_final BEFORE UPDATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();
CREATE TRIGGER ledger_entries_stay BEFORE DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entry_stays();

create table marketing_attempts (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  latest_message_id text collate "C" not null,
  latest_at timestamp with time zone not null,
  latest_code integer,
  previous_message_id text collate "C",
  previous_at timestamp with time zone,
  previous_code integer,
  constraint marketing_attempts_pkey PRIMARY KEY (environment_id, business_id, customer_key)
);

create table marketing_claims (
  environment_id text collate "C" not null,
  customer_key text collate "C" not null,
  content_hash text collate "C" not null,
  business_id text collate "C" not null,
  message_id text collate "C" not null,
  replaced_message_id text collate "C",
  attempted_at timestamp with time zone,
  claimed_at timestamp with time zone not null,
  constraint marketing_claims_pkey PRIMARY KEY (environment_id, customer_key, content_hash)
);

create table marketing_stops (
  environment_id text collate "C" not null,
  account_id text collate "C" not null,
  customer_key text collate "C" not null,
  stopped_at timestamp with time zone not null,
  constraint marketing_stops_pkey PRIMARY KEY (environment_id, account_id, customer_key)
);
CREATE INDEX marketing_stops_recipient ON marketing_stops USING btree (customer_key, account_id);

create table media_assets (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  source text not null,
  provider text,
  provider_media_id text,
  kind text not null,
  lifecycle text not null,
  filename text,
  mime_type text not null,
  byte_length bigint not null,
  status text not null,
  sha256 text,
  contradicted boolean default false not null,
  blob_key text collate "C",
  counted_bytes bigint not null,
  held_by text collate "C",
  message_id text collate "C",
  voice boolean,
  sender_name text,
  customer_type text,
  customer_key text collate "C",
  expires_at timestamp with time zone,
  upload_expires_at timestamp with time zone,
  completed_at timestamp with time zone,
  consumed_at timestamp with time zone,
  consumed_by_message_id text collate "C",
  deleted_at timestamp with time zone,
  failure_code text,
  failure_message text,
  trace_id text not null,
  ends_at timestamp with time zone,
  revision integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  body_until timestamp with time zone,
  constraint media_assets_pkey PRIMARY KEY (environment_id, id),
  constraint media_assets_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint media_assets_kind_check CHECK (kind = ANY (ARRAY['image'::text, 'document'::text, 'audio'::text, 'video'::text, 'sticker'::text])),
  constraint media_assets_lifecycle_check CHECK (lifecycle = ANY (ARRAY['single_use'::text, 'library'::text])),
  constraint media_assets_source_check CHECK (source = ANY (ARRAY['customer'::text, 'inbound_provider'::text])),
  constraint media_assets_status_check CHECK (status = ANY (ARRAY['pending'::text, 'ready'::text, 'consumed'::text, 'failed'::text, 'expired'::text, 'deleted'::text]))
);
CREATE INDEX media_assets_blob ON media_assets USING btree (blob_key) WHERE blob_key IS NOT NULL;
CREATE INDEX media_assets_customer ON media_assets USING btree (customer_key, environment_id) WHERE customer_key IS NOT NULL;
CREATE INDEX media_assets_ending ON media_assets USING btree (ends_at) WHERE ends_at IS NOT NULL;

create table media_handles (
  environment_id text collate "C" not null,
  asset_id text collate "C" not null,
  channel text not null,
  business_id text collate "C" not null,
  provider_media_id text not null,
  given_at timestamp with time zone not null,
  constraint media_handles_pkey PRIMARY KEY (environment_id, asset_id, channel, business_id)
);
CREATE INDEX media_handles_given ON media_handles USING btree (given_at);

create table media_jobs (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  environment text not null,
  input text not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  result text,
  trace_id text not null,
  created_at timestamp with time zone not null,
  done_at timestamp with time zone,
  customer_type text,
  customer_key text,
  constraint media_jobs_pkey PRIMARY KEY (environment_id, id),
  constraint media_jobs_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint media_jobs_kind_check CHECK (kind = ANY (ARRAY['capture'::text, 'send'::text, 'look'::text, 'transcribe'::text, 'discard'::text, 'sweep'::text]))
);
CREATE INDEX media_jobs_customer ON media_jobs USING btree (customer_key, environment_id) WHERE customer_key IS NOT NULL;
CREATE INDEX media_jobs_done ON media_jobs USING btree (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX media_jobs_due ON media_jobs USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL;

create table media_transcriptions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  asset_id text collate "C" not null,
  live_asset_id text collate "C",
  status text not null,
  text text,
  language text,
  duration_seconds double precision,
  provider text not null,
  model text,
  error_code text,
  trace_id text not null,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint media_transcriptions_pkey PRIMARY KEY (environment_id, id),
  constraint media_transcriptions_status_check CHECK (status = ANY (ARRAY['queued'::text, 'processing'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX media_transcriptions_asset ON media_transcriptions USING btree (asset_id, environment_id, id);
CREATE UNIQUE INDEX media_transcriptions_live ON media_transcriptions USING btree (live_asset_id, environment_id);

create table media_usage (
  environment_id text collate "C" not null,
  environment text not null,
  used_bytes bigint default 0 not null,
  limit_bytes bigint,
  constraint media_usage_pkey PRIMARY KEY (environment_id),
  constraint media_usage_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text]))
);

create table members (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  email text not null,
  role text not null,
  active boolean default true not null,
  created_at timestamp with time zone not null,
  signed_out_at timestamp with time zone,
  language text,
  constraint members_pkey PRIMARY KEY (organization_id, id),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint members_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))
);
CREATE INDEX members_by_age ON members USING btree (organization_id, created_at, id) WHERE role = 'owner'::text AND active;
CREATE UNIQUE INDEX members_email ON members USING btree (organization_id, lower(email));

create table message_sweeps (
  environment_id text collate "C" not null,
  swept_to text collate "C" not null,
  constraint message_sweeps_pkey PRIMARY KEY (environment_id)
);

create table messages (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  channel text not null,
  direction text not null,
  type text not null,
  status text not null,
  status_reason text,
  business_id text collate "C" not null,
  business_phone text,
  customer_id text not null,
  customer_key text collate "C" not null,
  customer_name text,
  provider text,
  provider_message_id text collate "C",
  template_name text,
  template_id text collate "C",
  template_version_id text collate "C",
  template_version integer,
  batch_id text collate "C",
  content text,
  context text,
  provider_payload text,
  metadata text,
  error_code text,
  error_message text,
  provider_error text,
  events text,
  trace_id text not null,
  scenario text,
  due_at timestamp with time zone,
  sending_since timestamp with time zone,
  released_at timestamp with time zone,
  delivery_unconfirmed_at timestamp with time zone,
  redacted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  template_category text,
  flow_id text collate "C",
  flow_token text collate "C",
  marketing_hash text collate "C",
  refusals integer default 0 not null,
  refused_by text,
  refused_since timestamp with time zone,
  customer_user_id text,
  customer_username text,
  edited_at timestamp with time zone,
  revoked_at timestamp with time zone,
  group_id text collate "C",
  provider_group_id text,
  source text,
  pricing text,
  constraint messages_pkey PRIMARY KEY (environment_id, id),
  constraint messages_direction_check CHECK (direction = ANY (ARRAY['inbound'::text, 'outbound'::text])),
  constraint messages_refused_by_check CHECK (refused_by = ANY (ARRAY['unreached'::text, 'transient'::text, 'throughput'::text, 'pair'::text])),
  constraint messages_template_category_check CHECK (template_category = ANY (ARRAY['marketing'::text, 'utility'::text, 'authentication'::text]))
);
CREATE INDEX messages_batch ON messages USING btree (batch_id, environment_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX messages_batch_queue ON messages USING btree (batch_id, environment_id, status_reason, id) WHERE batch_id IS NOT NULL AND status = 'queued'::text;
CREATE INDEX messages_conversation ON messages USING btree (customer_key, environment_id, id);
CREATE INDEX messages_flow_token ON messages USING btree (flow_token, environment_id, customer_key, id) WHERE flow_token IS NOT NULL;
CREATE INDEX messages_held ON messages USING btree (business_id, environment_id, created_at, id) WHERE status = 'queued'::text AND status_reason = 'messaging_limit_pacing'::text AND due_at IS NULL;
CREATE INDEX messages_provider ON messages USING btree (provider_message_id, environment_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX messages_queue ON messages USING btree (business_id, environment_id, due_at, id) WHERE due_at IS NOT NULL AND status = 'queued'::text AND status_reason IS NULL;
CREATE INDEX messages_steps ON messages USING btree (business_id, environment_id, due_at, id) WHERE due_at IS NOT NULL AND (status <> 'queued'::text OR status_reason IS NOT NULL);
CREATE INDEX messages_unclassified ON messages USING btree (customer_key, environment_id) WHERE type = 'template'::text AND template_category IS NULL AND (status = ANY (ARRAY['queued'::text, 'sending'::text]));

create table number_activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  hour timestamp with time zone not null,
  count bigint not null,
  amount bigint not null,
  constraint number_activity_hours_pkey PRIMARY KEY (environment_id, measure, hour),
  constraint number_activity_hours_count_check CHECK (count >= 0)
);
CREATE INDEX number_activity_hours_age ON number_activity_hours USING btree (hour);

create table number_pacing (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  due_at timestamp with time zone,
  constraint number_pacing_pkey PRIMARY KEY (environment_id, business_id)
);
CREATE INDEX number_pacing_due ON number_pacing USING btree (business_id, environment_id) WHERE due_at IS NOT NULL;

create table number_rosters (
  account_id text collate "C" not null,
  version bigint default 0 not null,
  constraint number_rosters_pkey PRIMARY KEY (account_id)
);

create table numprov_connections (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  status text not null,
  display_name text not null,
  account_id text collate "C" not null,
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  error_code text,
  connected_at timestamp with time zone,
  last_discovered_at timestamp with time zone,
  token_rotated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  constraint numprov_connections_pkey PRIMARY KEY (environment_id, id),
  constraint numprov_connections_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint numprov_connections_status_check CHECK (status = ANY (ARRAY['pending'::text, 'connected'::text, 'failed'::text, 'disconnected'::text]))
);
CREATE UNIQUE INDEX numprov_connections_id ON numprov_connections USING btree (id);
CREATE UNIQUE INDEX numprov_connections_live ON numprov_connections USING btree (environment_id) WHERE status = ANY (ARRAY['pending'::text, 'connected'::text]);

create table numprov_enrollments (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  phone_number_id text collate "C" not null,
  status text not null,
  provider_connection_id text collate "C" not null,
  provider_number_id text collate "C" not null,
  terms_version text not null,
  enrolled_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint numprov_enrollments_pkey PRIMARY KEY (environment_id, id),
  constraint numprov_enrollments_check CHECK ((status = 'ended'::text) = (ended_at IS NOT NULL)),
  constraint numprov_enrollments_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text, 'ended'::text]))
);
CREATE INDEX numprov_enrollments_listed ON numprov_enrollments USING btree (environment_id, enrolled_at, id) WHERE status <> 'ended'::text;
CREATE UNIQUE INDEX numprov_enrollments_live ON numprov_enrollments USING btree (provider_connection_id, provider_number_id) WHERE status <> 'ended'::text;
CREATE UNIQUE INDEX numprov_enrollments_number ON numprov_enrollments USING btree (phone_number_id);

create table numprov_operations (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  numprov_connection_id text collate "C" not null,
  kind text not null,
  status text not null,
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  error_code text,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint numprov_operations_pkey PRIMARY KEY (environment_id, id),
  constraint numprov_operations_kind_check CHECK (kind = ANY (ARRAY['register'::text, 'rotate'::text, 'discovery'::text])),
  constraint numprov_operations_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX numprov_operations_created ON numprov_operations USING btree (created_at);
CREATE INDEX numprov_operations_due ON numprov_operations USING btree (numprov_connection_id, due_at, id) WHERE due_at IS NOT NULL;

create table numprov_resources (
  environment_id text collate "C" not null,
  numprov_connection_id text collate "C" not null,
  provider_number_id text collate "C" not null,
  phone text not null,
  status text not null,
  sms boolean not null,
  first_seen_at timestamp with time zone not null,
  observed_at timestamp with time zone not null,
  constraint numprov_resources_pkey PRIMARY KEY (environment_id, numprov_connection_id, provider_number_id),
  constraint numprov_resources_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text, 'released'::text]))
);

create table organization_counters (
  organization_id text collate "C" not null,
  active_projects integer default 0 not null,
  revision bigint default 0 not null,
  constraint organization_counters_pkey PRIMARY KEY (organization_id),
  constraint organization_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table organizations (
  id text collate "C" not null,
  name text not null,
  suspended_at timestamp with time zone,
  removed_at timestamp with time zone,
  credit_blocked boolean default false not null,
  created_at timestamp with time zone not null,
  constraint organizations_pkey PRIMARY KEY (id)
);

create table outbox_counters (
  environment_id text collate "C" not null,
  "position" bigint not null,
  constraint outbox_counters_pkey PRIMARY KEY (environment_id)
);

create table outbox_events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  source_type text not null,
  source_id text not null,
  trace_id text not null,
  created_at timestamp with time zone not null,
  "position" bigint,
  envelope text not null,
  subject text collate "C",
  written_in bigint default activity_number(),
  constraint outbox_events_pkey PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX outbox_events_position ON outbox_events USING btree (environment_id, "position") WHERE "position" IS NOT NULL;
CREATE INDEX outbox_events_subject ON outbox_events USING btree (subject) WHERE subject IS NOT NULL;
CREATE INDEX outbox_events_unnumbered ON outbox_events USING btree (environment_id, id) WHERE "position" IS NULL;
CREATE INDEX outbox_events_written_in ON outbox_events USING btree (written_in);

create table owner_levels (
  owner_type text not null,
  owner_id text collate "C" not null,
  levels text not null,
  saved_at timestamp with time zone not null,
  constraint owner_levels_pkey PRIMARY KEY (owner_type, owner_id)
);

create table package_offerings (
  code text collate "C" not null,
  display_name text not null,
  price bigint not null,
  quota_messages bigint not null,
  unit_price bigint not null,
  constraint package_offerings_pkey PRIMARY KEY (code),
  constraint package_offerings_price_check CHECK (price > 0 AND (price % 100::bigint) = 0),
  constraint package_offerings_quota_messages_check CHECK (quota_messages > 0),
  constraint package_offerings_unit_price_check CHECK (unit_price >= 0)
);

create table payment_requests (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  account_id text collate "C" not null,
  status text not null,
  amount bigint not null,
  description text,
  customer_name text,
  customer_tax_id text,
  customer_phone text,
  customer_email text,
  external_reference text,
  metadata text,
  provider text not null,
  provider_connection_id text collate "C",
  mode text not null,
  expires_in_seconds integer not null,
  success_url text,
  payment_link_url text,
  pix_copy_paste text,
  pix_qr_code_base64 text,
  page_token text collate "C",
  provider_payment_id text collate "C",
  provider_approval_id text collate "C",
  provider_metadata text,
  approval_note text,
  approval_metadata text,
  error_code text,
  error_message text,
  trace_id text not null,
  rate_card_id text collate "C",
  initiation_amount bigint,
  initiation_reservation_id text collate "C",
  completion_rate bigint,
  completion_amount bigint,
  completion_reservation_id text collate "C",
  completion_state text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  link_generated_at timestamp with time zone,
  approval_requested_at timestamp with time zone,
  approved_at timestamp with time zone,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  expired_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  step text,
  due_at timestamp with time zone,
  called_at timestamp with time zone,
  doubt_at timestamp with time zone,
  absent_at timestamp with time zone,
  approval_due boolean default false not null,
  cancel_due boolean default false not null,
  cancel_requested_at timestamp with time zone,
  hint_event_id text collate "C",
  hint_event_type text,
  hint_status text,
  hint_at timestamp with time zone,
  customer_tax_id_sealed bytea,
  link_sealed bytea,
  page_hash bytea,
  constraint payment_requests_pkey PRIMARY KEY (environment_id, id),
  constraint payment_requests_amount_check CHECK (amount > 0),
  constraint payment_requests_check CHECK ((step IS NULL) = (due_at IS NULL)),
  constraint payment_requests_check1 CHECK ((rate_card_id IS NULL) = (completion_state IS NULL)),
  constraint payment_requests_check2 CHECK (completion_state IS NULL OR initiation_amount IS NOT NULL AND initiation_reservation_id IS NOT NULL AND completion_rate IS NOT NULL AND completion_amount IS NOT NULL AND completion_reservation_id IS NOT NULL),
  constraint payment_requests_check3 CHECK ((status = ANY (ARRAY['paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])) OR completion_state IS NULL OR completion_state = 'held'::text),
  constraint payment_requests_check4 CHECK (status <> 'link_generated'::text OR link_generated_at IS NOT NULL),
  constraint payment_requests_completion_amount_check CHECK (completion_amount >= 0),
  constraint payment_requests_completion_rate_check CHECK (completion_rate >= 0 AND completion_rate <= 10000),
  constraint payment_requests_completion_state_check CHECK (completion_state = ANY (ARRAY['held'::text, 'settled'::text, 'released'::text])),
  constraint payment_requests_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint payment_requests_expires_in_seconds_check CHECK (expires_in_seconds > 0),
  constraint payment_requests_initiation_amount_check CHECK (initiation_amount >= 0),
  constraint payment_requests_mode_check CHECK (mode = ANY (ARRAY['hosted_checkout'::text, 'transparent_pix'::text])),
  constraint payment_requests_provider_check CHECK (provider = ANY (ARRAY['pixprov1'::text, 'pixprov2'::text])),
  constraint payment_requests_status_check CHECK (status = ANY (ARRAY['link_pending'::text, 'link_generated'::text, 'approval_requested'::text, 'approved'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])),
  constraint payment_requests_step_check CHECK (step = ANY (ARRAY['create'::text, 'find'::text, 'read'::text]))
);
CREATE INDEX payment_requests_amount ON payment_requests USING btree (environment_id, amount, id);
CREATE INDEX payment_requests_due ON payment_requests USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL AND environment = 'production'::text;
CREATE UNIQUE INDEX payment_requests_id ON payment_requests USING btree (id);
CREATE UNIQUE INDEX payment_requests_page ON payment_requests USING btree (page_token) WHERE page_token IS NOT NULL;
CREATE UNIQUE INDEX payment_requests_page_hash ON payment_requests USING btree (page_hash) WHERE page_hash IS NOT NULL;
CREATE INDEX payment_requests_provider_id ON payment_requests USING btree (environment_id, provider_payment_id, id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payment_requests_reference ON payment_requests USING btree (environment_id, external_reference, id) WHERE external_reference IS NOT NULL;
CREATE INDEX payment_requests_sandbox_due ON payment_requests USING btree (environment_id, due_at, id) WHERE due_at IS NOT NULL AND environment = 'sandbox'::text;
CREATE INDEX payment_requests_status ON payment_requests USING btree (environment_id, status, id);
CREATE INDEX payment_requests_unsealed ON payment_requests USING btree (id) WHERE customer_tax_id IS NOT NULL OR page_token IS NOT NULL;
CREATE INDEX payment_requests_words ON payment_requests USING gin (array_to_tsvector(string_to_array((environment_id || '/'::text) || replace(lower(translate((((COALESCE("left"(customer_name, 255), ''::text) || ' '::text) || COALESCE(external_reference, ''::text)) || ' ~'::text) || COALESCE(reverse(customer_phone), ''::text), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ-.''’\'::text, 'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn     '::text)), ' '::text, (' '::text || environment_id) || '/'::text), ' '::text)));

create table phone_months (
  phone_number_id text collate "C" not null,
  month text collate "C" not null,
  step text collate "C" not null,
  account_id text collate "C" not null,
  environment_id text collate "C" not null,
  amount bigint,
  decided_at timestamp with time zone not null,
  constraint phone_months_pkey PRIMARY KEY (phone_number_id, month, step),
  constraint phone_months_amount_check CHECK (amount >= 0),
  constraint phone_months_step_check CHECK (step = ANY (ARRAY['rental'::text, 'management'::text, 'disable'::text, 'release'::text]))
);

create table phone_number_orders (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null,
  decision text not null,
  ddd text not null,
  display_name text,
  purpose text,
  amount bigint not null,
  monthly_fee bigint not null,
  first_charge_at timestamp with time zone,
  next_charge_at timestamp with time zone,
  terms_version text not null,
  phone_number_id text collate "C",
  reservation_id text collate "C",
  decided_by text collate "C",
  decided_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  step text,
  step_attempts integer default 0 not null,
  step_began_at timestamp with time zone,
  failed_count integer default 0 not null,
  placed_at timestamp with time zone,
  provider_order_id text,
  provider_number_id text,
  returned_at timestamp with time zone,
  ended_at timestamp with time zone,
  error_code text,
  error_message text,
  constraint phone_number_orders_pkey PRIMARY KEY (environment_id, id),
  constraint phone_number_orders_amount_check CHECK (amount >= 0),
  constraint phone_number_orders_check CHECK ((decision = 'approved'::text) = (phone_number_id IS NOT NULL)),
  constraint phone_number_orders_decision_check CHECK (decision = ANY (ARRAY['awaiting_approval'::text, 'approved'::text, 'declined'::text, 'terms_changed'::text])),
  constraint phone_number_orders_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint phone_number_orders_monthly_fee_check CHECK (monthly_fee >= 0),
  constraint phone_number_orders_step_check CHECK (step = ANY (ARRAY['order'::text, 'find'::text, 'read'::text, 'register'::text, 'fulfil'::text, 'fail'::text, 'watch'::text, 'give_back'::text]))
);
CREATE INDEX phone_number_orders_due ON phone_number_orders USING btree (id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX phone_number_orders_id ON phone_number_orders USING btree (id);
CREATE UNIQUE INDEX phone_number_orders_number ON phone_number_orders USING btree (phone_number_id) WHERE phone_number_id IS NOT NULL;
CREATE INDEX phone_number_orders_organization ON phone_number_orders USING btree (organization_id, id);

create table phone_number_transfers (
  environment_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  transferred_at timestamp with time zone not null,
  target_environment_id text collate "C" not null,
  reason text,
  api_key_id text collate "C",
  constraint phone_number_transfers_pkey PRIMARY KEY (phone_number_id, environment_id, transferred_at)
);

create table phone_numbers (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  source text not null,
  status text not null,
  display_name text,
  ddd text,
  phone text,
  provider_number_id text,
  upstream_phone_number_id text,
  biz_account_id text,
  quality_rating text default 'unknown'::text not null,
  messaging_tier text default 'unknown'::text not null,
  messaging_limit_tier text,
  upstream_throughput_tier text,
  upstream_quality_rating text,
  throughput_plan text default 'starter'::text not null,
  verified_name text,
  pending_name_review text,
  name_review text,
  upstream_health_synced_at timestamp with time zone,
  suspended_at timestamp with time zone,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  released_at timestamp with time zone,
  monthly_fee bigint,
  verification_code text,
  verification_code_received_at timestamp with time zone,
  due_at timestamp with time zone,
  moved_at timestamp with time zone,
  registration_pin bytea,
  registration_state text,
  registration_problem text,
  registration_tried_at timestamp with time zone,
  portfolio_id text collate "C",
  portfolio_changed_at timestamp with time zone,
  constraint phone_numbers_pkey PRIMARY KEY (environment_id, id),
  constraint phone_numbers_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint phone_numbers_monthly_fee_check CHECK (monthly_fee >= 0),
  constraint phone_numbers_quality_rating_check CHECK (quality_rating = ANY (ARRAY['green'::text, 'yellow'::text, 'red'::text, 'unknown'::text])),
  constraint phone_numbers_source_check CHECK (source = ANY (ARRAY['numprov'::text, 'byon'::text])),
  constraint phone_numbers_status_check CHECK (status = ANY (ARRAY['requested'::text, 'provisioning'::text, 'provisioned'::text, 'verifying'::text, 'active'::text, 'failed'::text, 'release_requested'::text, 'released'::text, 'disconnected'::text])),
  constraint phone_numbers_throughput_plan_check CHECK (throughput_plan = ANY (ARRAY['starter'::text, 'growth'::text, 'scale'::text])),
  constraint phone_numbers_upstream_throughput_tier_check CHECK (upstream_throughput_tier = ANY (ARRAY['1'::text, '2'::text, '3'::text, '4'::text, 'unlimited'::text]))
);
CREATE INDEX phone_numbers_due ON phone_numbers USING btree (id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX phone_numbers_id ON phone_numbers USING btree (id);
CREATE UNIQUE INDEX phone_numbers_live_phone ON phone_numbers USING btree (phone) WHERE phone IS NOT NULL AND (status <> ALL (ARRAY['failed'::text, 'released'::text, 'disconnected'::text]));
CREATE UNIQUE INDEX phone_numbers_live_upstream ON phone_numbers USING btree (upstream_phone_number_id) WHERE upstream_phone_number_id IS NOT NULL AND (status <> ALL (ARRAY['failed'::text, 'released'::text, 'disconnected'::text]));
CREATE INDEX phone_numbers_portfolio ON phone_numbers USING btree (portfolio_id, environment_id) WHERE portfolio_id IS NOT NULL;
CREATE INDEX phone_numbers_provider ON phone_numbers USING btree (provider_number_id) WHERE provider_number_id IS NOT NULL;
CREATE INDEX phone_numbers_upstream ON phone_numbers USING btree (upstream_phone_number_id, environment_id, id) WHERE upstream_phone_number_id IS NOT NULL;

create table plan_offerings (
  id text collate "C" not null,
  code text not null,
  display_name text not null,
  monthly_fee bigint not null,
  annual_fee bigint not null,
  throughput_tier text not null,
  max_phones integer,
  multiplier bigint not null,
  numprov_byok_enabled boolean not null,
  constraint plan_offerings_pkey PRIMARY KEY (id),
  constraint plan_offerings_code_key UNIQUE (code),
  constraint plan_offerings_annual_fee_check CHECK (annual_fee > 0),
  constraint plan_offerings_max_phones_check CHECK (max_phones > 0),
  constraint plan_offerings_monthly_fee_check CHECK (monthly_fee > 0),
  constraint plan_offerings_multiplier_check CHECK (multiplier >= 0 AND multiplier <= 10000),
  constraint plan_offerings_throughput_tier_check CHECK (throughput_tier = ANY (ARRAY['starter'::text, 'growth'::text, 'scale'::text]))
);

create table portfolio_leases (
  portfolio_id text collate "C" not null,
  business_id text collate "C" not null,
  quota integer not null,
  allowance integer not null,
  limit_revision integer default 0 not null,
  cap integer,
  needed integer default 0 not null,
  wanted integer default 0 not null,
  request_allowance integer default 0 not null,
  requested_at timestamp with time zone,
  due_at timestamp with time zone,
  short_at timestamp with time zone,
  recalled_at timestamp with time zone,
  is_recalled boolean default false not null,
  left_at timestamp with time zone,
  constraint portfolio_leases_pkey PRIMARY KEY (portfolio_id, business_id)
);
CREATE INDEX portfolio_leases_due ON portfolio_leases USING btree (portfolio_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX portfolio_leases_number ON portfolio_leases USING btree (business_id);

create table portfolios (
  id text collate "C" not null,
  messaging_limit_tier text,
  messaging_tier text not null,
  limit_revision integer default 0 not null,
  updated_at timestamp with time zone not null,
  constraint portfolios_pkey PRIMARY KEY (id)
);

create table project_spending (
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  month text collate "C" not null,
  spent bigint default 0 not null,
  constraint project_spending_pkey PRIMARY KEY (organization_id, project_id, month)
);

create table projects (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  slug text collate "C" not null,
  default_language text default 'pt_BR'::text not null,
  profile text default '{}'::text not null,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  monthly_spend_cap bigint,
  default_region text default 'BR'::text not null,
  constraint projects_pkey PRIMARY KEY (organization_id, id),
  constraint projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint projects_default_language_check CHECK (default_language = ANY (ARRAY['pt_BR'::text, 'en_US'::text, 'es_ES'::text])),
  constraint projects_default_region_check CHECK (default_region ~ '^[A-Z]{2}$'::text),
  constraint projects_monthly_spend_cap_check CHECK (monthly_spend_cap >= 0)
);
CREATE INDEX projects_active ON projects USING btree (organization_id, id) WHERE archived_at IS NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX projects_slug ON projects USING btree (organization_id, slug) WHERE deleted_at IS NULL;

create table provider_connections (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  provider text not null,
  channel text not null,
  status text not null,
  display_name text not null,
  biz_account_id text collate "C",
  phone_number_id text collate "C",
  display_phone_number text,
  social_business_account_id text,
  page_id text,
  provider_account_id text,
  payment_receiver text,
  payment_capabilities text,
  agentic_capabilities text,
  default_participant_id text,
  agent_id text,
  agentic_api_base_url text,
  suspension_reason text,
  last_policy_warning_type text,
  last_policy_warning_at timestamp with time zone,
  biz_account_send_capabilities text default '[]'::text not null,
  biz_account_ban_date timestamp with time zone,
  biz_account_ban_state text,
  account_review_status text,
  restrictions text,
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  token_source text,
  token_expires_at timestamp with time zone,
  token_refreshed_at timestamp with time zone,
  token_rotated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  connected_at timestamp with time zone,
  selected_at timestamp with time zone,
  business_id text,
  health_due_at timestamp with time zone,
  health_attempts integer default 0 not null,
  revision bigint default 0 not null,
  token_refused_at timestamp with time zone,
  subscribed_at timestamp with time zone,
  subscription_refused_at timestamp with time zone,
  notice_times text,
  driver text,
  constraint provider_connections_pkey PRIMARY KEY (environment_id, id),
  constraint provider_connections_channel_check CHECK (channel = ANY (ARRAY['chatapp'::text, 'socialapp'::text, 'payments'::text, 'agentic_payments'::text])),
  constraint provider_connections_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint provider_connections_provider_check CHECK (provider = ANY (ARRAY['upstream'::text, 'pixprov1'::text, 'pixprov2'::text])),
  constraint provider_connections_status_check CHECK (status = ANY (ARRAY['pending'::text, 'connected'::text, 'suspended'::text, 'disconnected'::text])),
  constraint provider_connections_token_source_check CHECK (token_source = ANY (ARRAY['manual'::text, 'embedded_signup'::text]))
);
CREATE INDEX provider_connections_account ON provider_connections USING btree (biz_account_id, environment_id, id) WHERE biz_account_id IS NOT NULL;
CREATE INDEX provider_connections_health ON provider_connections USING btree (id, health_due_at) WHERE health_due_at IS NOT NULL;
CREATE UNIQUE INDEX provider_connections_id ON provider_connections USING btree (id);
CREATE UNIQUE INDEX provider_connections_live ON provider_connections USING btree (environment_id, provider, channel) WHERE status = ANY (ARRAY['connected'::text, 'suspended'::text]);
CREATE INDEX provider_connections_payments ON provider_connections USING btree (environment_id, channel, connected_at, id) WHERE status = 'connected'::text AND (channel = ANY (ARRAY['payments'::text, 'agentic_payments'::text]));
CREATE INDEX provider_connections_social ON provider_connections USING btree (id) WHERE channel = 'socialapp'::text;

create table rate_card_entries (
  rate_card_id text collate "C" not null,
  meter_id text collate "C" not null,
  display_name text not null,
  unit text not null,
  unit_price bigint,
  rate bigint,
  multiplier_applies boolean not null,
  constraint rate_card_entries_pkey PRIMARY KEY (rate_card_id, meter_id),
  constraint rate_card_entries_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id),
  constraint rate_card_entries_check CHECK ((unit_price IS NULL) <> (rate IS NULL)),
  constraint rate_card_entries_rate_check CHECK (rate >= 0 AND rate <= 10000),
  constraint rate_card_entries_unit_check CHECK (unit = ANY (ARRAY['message'::text, 'payment'::text, 'phone_month'::text])),
  constraint rate_card_entries_unit_price_check CHECK (unit_price >= 0)
);

create table rate_cards (
  id text collate "C" not null,
  name text not null,
  currency text default 'brl'::text not null,
  effective_from timestamp with time zone not null,
  effective_to timestamp with time zone,
  constraint rate_cards_pkey PRIMARY KEY (id),
  constraint rate_cards_tstzrange_excl EXCLUDE USING gist (tstzrange(effective_from, effective_to) WITH &&),
  constraint rate_cards_check CHECK (effective_to > effective_from),
  constraint rate_cards_currency_check CHECK (currency = 'brl'::text)
);

create table request_blocks (
  environment_id text collate "C" not null,
  last_id text collate "C" not null,
  first_id text collate "C" not null,
  production boolean not null,
  refused boolean not null,
  trace_id text,
  lines text not null,
  details bytea,
  subjects bigint[],
  constraint request_blocks_pkey PRIMARY KEY (environment_id, last_id)
) with (toast_tuple_target=8160);
CREATE INDEX request_blocks_refusals ON request_blocks USING btree (environment_id, last_id) WHERE refused;
CREATE INDEX request_blocks_subjects ON request_blocks USING gin (subjects) WHERE subjects IS NOT NULL;
CREATE INDEX request_blocks_trace ON request_blocks USING btree (environment_id, trace_id, last_id) WHERE trace_id IS NOT NULL;

create table request_log_counts (
  environment_id text collate "C" not null,
  hour timestamp with time zone not null,
  sampled bigint not null,
  dropped bigint not null,
  constraint request_log_counts_pkey PRIMARY KEY (environment_id, hour)
);

create table request_logs (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  production boolean not null,
  api_key_id text collate "C" not null,
  method text not null,
  route text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  source_address text not null,
  replayed boolean not null,
  trace_id text not null,
  created_at timestamp with time zone not null,
  details bytea,
  subjects text[],
  warning text,
  constraint request_logs_pkey PRIMARY KEY (environment_id, id)
);
CREATE INDEX request_logs_refusals ON request_logs USING btree (environment_id, id) WHERE status >= 400;
CREATE INDEX request_logs_subjects ON request_logs USING gin (subjects) WHERE subjects IS NOT NULL;
CREATE INDEX request_logs_trace ON request_logs USING btree (environment_id, trace_id, id);

create table reservations (
  account_id text collate "C" not null,
  id text collate "C" not null,
  state text default 'open'::text not null,
  amount bigint not null,
  meter_id text collate "C" not null,
  source_type text not null,
  project_id text collate "C",
  environment_id text collate "C",
  trace_id text,
  payment_object text,
  payment_id text collate "C",
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint reservations_pkey PRIMARY KEY (account_id, id),
  constraint reservations_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint reservations_amount_check CHECK (amount >= 0),
  constraint reservations_check CHECK ((state = 'open'::text) = (ended_at IS NULL)),
  constraint reservations_check1 CHECK ((payment_object IS NULL) = (payment_id IS NULL)),
  constraint reservations_payment_object_check CHECK (payment_object = ANY (ARRAY['payment_request'::text, 'agentic_payment'::text])),
  constraint reservations_source_type_check CHECK (source_type = ANY (ARRAY['payment_fee_hold'::text, 'phone_month'::text])),
  constraint reservations_state_check CHECK (state = ANY (ARRAY['open'::text, 'settled'::text, 'released'::text]))
);
CREATE INDEX reservations_open ON reservations USING btree (account_id, id) WHERE state = 'open'::text;

create table restore_holds (
  kind text not null,
  scope text collate "C" not null,
  id text collate "C" not null,
  due_at timestamp with time zone,
  held_at timestamp with time zone not null,
  constraint restore_holds_pkey PRIMARY KEY (kind, scope, id)
);

create table restores (
  restored_to timestamp with time zone not null,
  accepted_at timestamp with time zone not null,
  constraint restores_pkey PRIMARY KEY (restored_to)
);

create table runner_sessions (
  address text collate "C" not null,
  pid integer not null,
  started_at timestamp with time zone not null,
  constraint runner_sessions_pkey PRIMARY KEY (address)
);

create table sandbox_clock_advances (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  from_at timestamp with time zone not null,
  target_at timestamp with time zone not null,
  reached_at timestamp with time zone not null,
  next_due_at timestamp with time zone,
  settled_at timestamp with time zone,
  steps integer default 0 not null,
  step_began_at timestamp with time zone not null,
  stood boolean not null,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null,
  kind text default 'advance'::text not null,
  request_key text,
  constraint sandbox_clock_advances_pkey PRIMARY KEY (environment_id, id),
  constraint sandbox_clock_advances_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES sandbox_clocks(environment_id),
  constraint sandbox_clock_advances_kind_check CHECK (kind = ANY (ARRAY['advance'::text, 'reset'::text])),
  constraint sandbox_clock_advances_status_check CHECK (status = ANY (ARRAY['running'::text, 'settled'::text, 'stopped'::text]))
);
CREATE UNIQUE INDEX sandbox_clock_advances_running ON sandbox_clock_advances USING btree (environment_id) WHERE status = 'running'::text;

create table sandbox_clocks (
  environment_id text collate "C" not null,
  kind text default 'sandbox'::text not null,
  lead_ms bigint default 0 not null,
  stands_at timestamp with time zone,
  due_at timestamp with time zone not null,
  resets integer default 0 not null,
  resetting boolean default false not null,
  constraint sandbox_clocks_pkey PRIMARY KEY (environment_id),
  constraint sandbox_clocks_environment_id_kind_fkey FOREIGN KEY (environment_id, kind) REFERENCES environments(id, kind),
  constraint sandbox_clocks_kind_check CHECK (kind = 'sandbox'::text)
);

create table sandbox_llm_failures (
  environment_id text collate "C" not null,
  failure text not null,
  expires_at timestamp with time zone,
  armed_at timestamp with time zone not null,
  constraint sandbox_llm_failures_pkey PRIMARY KEY (environment_id),
  constraint sandbox_llm_failures_failure_check CHECK (failure = ANY (ARRAY['provider_down'::text, 'auth_failed'::text, 'timeout'::text, 'cost_cap_reached'::text]))
);

create table schema_migrations (
  id integer not null,
  name text not null,
  applied_at timestamp with time zone not null,
  sha256 text not null,
  constraint schema_migrations_pkey PRIMARY KEY (id)
);

create table service_windows (
  environment_id text collate "C" not null,
  channel text not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  latest_inbound_at timestamp with time zone not null,
  constraint service_windows_pkey PRIMARY KEY (environment_id, channel, business_id, customer_key)
);

create table shard_epochs (
  shard integer not null,
  epoch bigint not null,
  constraint shard_epochs_pkey PRIMARY KEY (shard)
);

create table sign_in_links (
  token_hash bytea not null,
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_links_pkey PRIMARY KEY (token_hash),
  constraint sign_in_links_organization_id_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members(organization_id, id)
);
CREATE INDEX sign_in_links_age ON sign_in_links USING btree (expires_at);

create table speech_credentials (
  environment_id text collate "C" not null,
  provider text not null,
  api_key bytea not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint speech_credentials_pkey PRIMARY KEY (environment_id, provider),
  constraint speech_credentials_provider_check CHECK (provider = ANY (ARRAY['speechprov1'::text, 'speechprov2'::text, 'speechprov3'::text]))
);

create table subscription_invoices (
  account_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  plan_offering_id text collate "C" not null,
  billing_rail text not null,
  charged_by text not null,
  amount bigint not null,
  status text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  period_end timestamp with time zone,
  from_plan_offering_id text collate "C",
  is_credited boolean default false not null,
  constraint subscription_invoices_pkey PRIMARY KEY (account_id, id),
  constraint subscription_invoices_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint subscription_invoices_from_plan_offering_id_fkey FOREIGN KEY (from_plan_offering_id) REFERENCES plan_offerings(id),
  constraint subscription_invoices_plan_offering_id_fkey FOREIGN KEY (plan_offering_id) REFERENCES plan_offerings(id),
  constraint subscription_invoices_amount_check CHECK (amount > 0),
  constraint subscription_invoices_billing_rail_check CHECK (billing_rail = ANY (ARRAY['cardproc_card'::text, 'pix_annual'::text])),
  constraint subscription_invoices_charged_by_check CHECK (charged_by = ANY (ARRAY['card'::text, 'pix'::text])),
  constraint subscription_invoices_check CHECK ((status = 'open'::text) = (ended_at IS NULL)),
  constraint subscription_invoices_kind_check CHECK (kind = ANY (ARRAY['first'::text, 'renewal'::text, 'upgrade'::text])),
  constraint subscription_invoices_status_check CHECK (status = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'void'::text, 'refunded'::text]))
);
CREATE UNIQUE INDEX subscription_invoices_open ON subscription_invoices USING btree (account_id) WHERE status = 'open'::text;
CREATE INDEX subscription_invoices_payable ON subscription_invoices USING btree (account_id, id) WHERE status = ANY (ARRAY['open'::text, 'void'::text, 'expired'::text]);

create table subscriptions (
  account_id text collate "C" not null,
  status text not null,
  plan_offering_id text collate "C",
  billing_rail text,
  anchor_at timestamp with time zone,
  periods integer not null,
  current_period_start timestamp with time zone,
  current_period_end timestamp with time zone,
  cancel_at_period_end boolean not null,
  pending_plan_offering_id text collate "C",
  past_due_since timestamp with time zone,
  retries integer not null,
  retry_now boolean not null,
  due_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  canceled_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (account_id),
  constraint subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  constraint subscriptions_pending_plan_offering_id_fkey FOREIGN KEY (pending_plan_offering_id) REFERENCES plan_offerings(id),
  constraint subscriptions_plan_offering_id_fkey FOREIGN KEY (plan_offering_id) REFERENCES plan_offerings(id),
  constraint subscriptions_billing_rail_check CHECK (billing_rail = ANY (ARRAY['cardproc_card'::text, 'pix_annual'::text])),
  constraint subscriptions_check CHECK ((status = ANY (ARRAY['active'::text, 'past_due'::text])) = (plan_offering_id IS NOT NULL)),
  constraint subscriptions_check1 CHECK ((plan_offering_id IS NULL) = (current_period_end IS NULL)),
  constraint subscriptions_check2 CHECK ((plan_offering_id IS NULL) = (billing_rail IS NULL)),
  constraint subscriptions_check3 CHECK ((status = 'past_due'::text) = (past_due_since IS NOT NULL)),
  constraint subscriptions_periods_check CHECK (periods >= 0),
  constraint subscriptions_retries_check CHECK (retries >= 0 AND retries <= 4),
  constraint subscriptions_status_check CHECK (status = ANY (ARRAY['none'::text, 'active'::text, 'past_due'::text, 'canceled'::text]))
);
CREATE INDEX subscriptions_due ON subscriptions USING btree (account_id, due_at) WHERE due_at IS NOT NULL;

create table template_syncs (
  environment_id text collate "C" not null,
  due_at timestamp with time zone not null,
  constraint template_syncs_pkey PRIMARY KEY (environment_id)
);

create table template_versions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  template_id text collate "C" not null,
  version integer not null,
  status text not null,
  category text not null,
  parameter_format text not null,
  components text not null,
  rejection_reason text,
  submitted_at timestamp with time zone,
  approved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint template_versions_pkey PRIMARY KEY (environment_id, id),
  constraint template_versions_category_check CHECK (category = ANY (ARRAY['marketing'::text, 'utility'::text, 'authentication'::text])),
  constraint template_versions_parameter_format_check CHECK (parameter_format = ANY (ARRAY['POSITIONAL'::text, 'NAMED'::text])),
  constraint template_versions_status_check CHECK (status = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'paused'::text, 'disabled'::text, 'orphaned'::text]))
);
CREATE UNIQUE INDEX template_versions_number ON template_versions USING btree (template_id, environment_id, version);

create table templates (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  name text collate "C" not null,
  language text collate "C" not null,
  category text not null,
  parameter_format text not null,
  status text not null,
  rejection_reason text,
  version_id text collate "C" not null,
  version integer not null,
  submitted_at timestamp with time zone,
  approved_at timestamp with time zone,
  latest_approved_version_id text collate "C",
  latest_approved_version integer,
  sending_status text,
  provider_template_id text collate "C",
  provider_quality text default 'unknown'::text not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  trace_id text not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint templates_pkey PRIMARY KEY (environment_id, id),
  constraint templates_category_check CHECK (category = ANY (ARRAY['marketing'::text, 'utility'::text, 'authentication'::text])),
  constraint templates_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint templates_parameter_format_check CHECK (parameter_format = ANY (ARRAY['POSITIONAL'::text, 'NAMED'::text])),
  constraint templates_provider_quality_check CHECK (provider_quality = ANY (ARRAY['green'::text, 'yellow'::text, 'red'::text, 'unknown'::text])),
  constraint templates_sending_status_check CHECK (sending_status = ANY (ARRAY['approved'::text, 'paused'::text, 'disabled'::text, 'orphaned'::text])),
  constraint templates_status_check CHECK (status = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'paused'::text, 'disabled'::text, 'orphaned'::text]))
);
CREATE INDEX templates_due ON templates USING btree (environment_id, due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX templates_name ON templates USING btree (name, environment_id, language) WHERE deleted_at IS NULL;
CREATE INDEX templates_provider ON templates USING btree (provider_template_id, environment_id) WHERE deleted_at IS NULL;

create table unpaid_months (
  account_id text collate "C" not null,
  month text collate "C" not null,
  subject text collate "C" not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint unpaid_months_pkey PRIMARY KEY (account_id, month, subject),
  constraint unpaid_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id)
);
CREATE INDEX unpaid_months_open ON unpaid_months USING btree (account_id) WHERE closed_at IS NULL;

create table upstream_signup_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null,
  api_key_id text collate "C" not null,
  status text not null,
  launch_hash bytea not null,
  return_url text not null,
  end_customer_ref text,
  processing_since timestamp with time zone,
  provider_connection_id text collate "C",
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint upstream_signup_sessions_pkey PRIMARY KEY (environment_id, id),
  constraint upstream_signup_sessions_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint upstream_signup_sessions_status_check CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text]))
);
CREATE INDEX upstream_signup_sessions_created ON upstream_signup_sessions USING btree (created_at);
CREATE UNIQUE INDEX upstream_signup_sessions_id ON upstream_signup_sessions USING btree (id);

create table usage_records (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  project_id text collate "C" not null,
  environment_id text collate "C" not null,
  meter_id text not null,
  source_type text not null,
  source_id text collate "C" not null,
  phone_number_id text collate "C",
  quantity bigint default 1 not null,
  occurred_at timestamp with time zone not null,
  posted_at timestamp with time zone,
  constraint usage_records_pkey PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX usage_records_source ON usage_records USING btree (source_id, meter_id);
CREATE INDEX usage_records_unposted ON usage_records USING btree (organization_id, occurred_at, id) WHERE posted_at IS NULL;

create table vendor_webhook_work (
  owner_type text collate "C" not null,
  owner_id text collate "C" not null,
  webhook_id text collate "C" not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  reported_messages text,
  constraint vendor_webhook_work_pkey PRIMARY KEY (owner_type, owner_id, webhook_id)
);
CREATE INDEX vendor_webhook_work_due ON vendor_webhook_work USING btree (owner_type, owner_id, due_at, webhook_id) WHERE due_at IS NOT NULL;
CREATE INDEX vendor_webhook_work_reported ON vendor_webhook_work USING btree (owner_id) WHERE reported_messages IS NOT NULL;

create table vendor_webhooks (
  id text collate "C" not null,
  vendor text not null,
  unique_key text collate "C",
  body bytea not null,
  received_at timestamp with time zone not null,
  constraint vendor_webhooks_pkey PRIMARY KEY (id)
);
CREATE INDEX vendor_webhooks_bodies ON vendor_webhooks USING btree (received_at) WHERE body <> '\x'::bytea;
CREATE INDEX vendor_webhooks_received ON vendor_webhooks USING btree (received_at);
CREATE UNIQUE INDEX vendor_webhooks_unique ON vendor_webhooks USING btree (vendor, unique_key) WHERE unique_key IS NOT NULL;

create table wallets (
  account_id text collate "C" not null,
  organization_id text collate "C" not null,
  environment text not null,
  balance bigint default 0 not null,
  held bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint wallets_pkey PRIMARY KEY (account_id),
  constraint wallets_check CHECK ((environment = 'production'::text) = (account_id = organization_id)),
  constraint wallets_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint wallets_held_check CHECK (held >= 0)
);

create table webhook_attempts (
  environment_id text collate "C" not null,
  webhook_event_id text collate "C" not null,
  attempt integer not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  status text not null,
  explicit boolean not null,
  due_at timestamp with time zone not null,
  status_code integer,
  failure_class text,
  response_body_redacted text,
  error_message text,
  next_retry_at timestamp with time zone,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  attempted_at timestamp with time zone,
  duration_ms integer,
  ended_in bigint,
  constraint webhook_attempts_pkey PRIMARY KEY (environment_id, webhook_event_id, attempt),
  constraint webhook_attempts_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX webhook_attempts_due ON webhook_attempts USING btree (endpoint_id, due_at) WHERE status = 'pending'::text;
CREATE INDEX webhook_attempts_ended_in ON webhook_attempts USING btree (ended_in) WHERE ended_in IS NOT NULL;
CREATE INDEX webhook_attempts_failed ON webhook_attempts USING btree (environment_id, webhook_event_id) WHERE status = 'failed'::text AND next_retry_at IS NULL;
CREATE INDEX webhook_attempts_pending ON webhook_attempts USING btree (environment_id, webhook_event_id) WHERE status = 'pending'::text;

create table webhook_endpoints (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  url text not null,
  description text,
  subscribed_events text[] not null,
  signing_secret bytea not null,
  status text default 'active'::text not null,
  probation boolean default false not null,
  probation_due boolean default false not null,
  failures integer default 0 not null,
  disabled_reason text,
  disabled_detail text,
  last_failure_at timestamp with time zone,
  last_success_at timestamp with time zone,
  revision bigint default 0 not null,
  stopped_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  standard_webhooks_secret bytea,
  previous_standard_webhooks_secret bytea,
  previous_standard_webhooks_secret_until timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (environment_id, id),
  constraint webhook_endpoints_check CHECK ((status = 'disabled'::text) = (disabled_reason IS NOT NULL)),
  constraint webhook_endpoints_check1 CHECK ((previous_standard_webhooks_secret IS NULL) = (previous_standard_webhooks_secret_until IS NULL)),
  constraint webhook_endpoints_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['consecutive_failures'::text, 'manual'::text])),
  constraint webhook_endpoints_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint webhook_endpoints_status_check CHECK (status = ANY (ARRAY['active'::text, 'disabled'::text]))
) with (fillfactor=50);
CREATE INDEX webhook_endpoints_breaker ON webhook_endpoints USING btree (disabled_reason, probation) WHERE status = 'disabled'::text OR probation;
CREATE UNIQUE INDEX webhook_endpoints_id ON webhook_endpoints USING btree (id);

create table webhook_events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  source_type text not null,
  source_id text collate "C" not null,
  trace_id text not null,
  created_at timestamp with time zone not null,
  payload text,
  payload_cleared boolean default false not null,
  resends integer default 0 not null,
  subject text collate "C",
  constraint webhook_events_pkey PRIMARY KEY (environment_id, id)
);
CREATE INDEX webhook_events_endpoint ON webhook_events USING btree (endpoint_id, environment_id, id);
CREATE INDEX webhook_events_payload ON webhook_events USING btree (environment_id, id) WHERE payload IS NOT NULL;
CREATE INDEX webhook_events_source ON webhook_events USING btree (source_id, environment_id, id) WHERE source_type <> 'message'::text;
CREATE INDEX webhook_events_subject ON webhook_events USING btree (subject) WHERE subject IS NOT NULL;
CREATE INDEX webhook_events_type ON webhook_events USING btree (type, environment_id, id);

create table webhook_listen_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  api_key_id text collate "C" not null,
  status text not null,
  reason text,
  trace_id text not null,
  start_position bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint webhook_listen_sessions_pkey PRIMARY KEY (environment_id, id),
  constraint webhook_listen_sessions_check CHECK ((status = 'disabled'::text) = (disabled_at IS NOT NULL)),
  constraint webhook_listen_sessions_status_check CHECK (status = ANY (ARRAY['active'::text, 'disabled'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX webhook_listen_sessions_active ON webhook_listen_sessions USING btree (environment_id) WHERE status = 'active'::text;
CREATE INDEX webhook_listen_sessions_age ON webhook_listen_sessions USING btree (expires_at);

create table webhook_listen_waits (
  environment_id text collate "C" not null,
  until timestamp with time zone not null,
  constraint webhook_listen_waits_pkey PRIMARY KEY (environment_id)
);
CREATE INDEX webhook_listen_waits_age ON webhook_listen_waits USING btree (until);

create table webhook_recoveries (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  status text not null,
  cursor_id text collate "C" not null,
  end_id text collate "C" not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  missed integer not null,
  made integer default 0 not null,
  held integer default 0 not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  probe_id text collate "C",
  awaits_probe boolean default false not null,
  stop_reason text,
  constraint webhook_recoveries_pkey PRIMARY KEY (environment_id, id),
  constraint webhook_recoveries_status_check CHECK (status = ANY (ARRAY['running'::text, 'completed'::text, 'stopped'::text])),
  constraint webhook_recoveries_stop_reason_check CHECK (stop_reason = ANY (ARRAY['probe_failed'::text, 'endpoint_disabled'::text]))
);
CREATE INDEX webhook_recoveries_due ON webhook_recoveries USING btree (endpoint_id, due_at) WHERE status = 'running'::text;
CREATE INDEX webhook_recoveries_ended ON webhook_recoveries USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_recoveries_endpoint ON webhook_recoveries USING btree (endpoint_id, environment_id, id);
