-- Media: what files an environment has. Their bytes lie in the blob store, under keys that only these rows know.

-- What the files of an environment take up: stored bytes and those that open uploads announced. Moves in the statement
-- that moves an asset, so that parallel uploads cannot pass the limit.
create table media_usage (
  environment_id text collate "C" primary key,
  environment text not null check (environment in ('sandbox', 'production')),
  used_bytes int8 not null default 0,
  -- Null stands for the limit of the environment's kind.
  limit_bytes int8
);

create table media_assets (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  source text not null check (source in ('customer', 'inbound_provider')),
  provider text,
  provider_media_id text,
  kind text not null check (kind in ('image', 'document', 'audio', 'video', 'sticker')),
  lifecycle text not null check (lifecycle in ('single_use', 'library')),
  filename text,
  mime_type text not null,
  byte_length int8 not null,
  status text not null check (status in ('pending', 'ready', 'consumed', 'failed', 'expired', 'deleted')),
  -- Of what was uploaded last while it is pending: of the bytes under blob_key in any case.
  sha256 text,
  contradicted boolean not null default false,
  blob_key text collate "C",
  -- What it adds to used_bytes.
  counted_bytes int8 not null,
  -- The message or batch that uses a single_use asset; nothing else may.
  held_by text collate "C",
  -- An inbound asset: the message it came with, whether that is a voice note, and the customer who sent it.
  message_id text collate "C",
  voice boolean,
  sender_name text,
  customer_type text,
  customer_key text collate "C",
  expires_at timestamptz,
  upload_expires_at timestamptz,
  completed_at timestamptz,
  consumed_at timestamptz,
  consumed_by_message_id text collate "C",
  deleted_at timestamptz,
  failure_code text,
  failure_message text,
  trace_id text not null,
  -- When time alone moves it next.
  ends_at timestamptz,
  revision int4 not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create index media_assets_ending on media_assets (ends_at) where ends_at is not null;
create index media_assets_blob on media_assets (blob_key) where blob_key is not null;
-- Erasure finds what a customer sent or was sent.
create index media_assets_customer on media_assets (customer_key, environment_id) where customer_key is not null;

create table media_transcriptions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  asset_id text collate "C" not null,
  -- The asset while it is being transcribed: one at a time.
  live_asset_id text collate "C",
  status text not null check (status in ('queued', 'processing', 'succeeded', 'failed')),
  text text,
  -- As asked for until it is known, then as it was heard.
  language text,
  duration_seconds float8,
  provider text not null,
  model text,
  error_code text,
  trace_id text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, id)
);
create unique index media_transcriptions_live on media_transcriptions (live_asset_id, environment_id);
create index media_transcriptions_asset on media_transcriptions (asset_id, environment_id, id);

-- Work of the Media owner of an environment: captures of inbound files, files made ready for a send, links that are
-- looked at for their content, transcriptions, bytes that nothing names any more. `input` is what is to be done, `result` what came of it; both JSON.
create table media_jobs (
  environment_id text collate "C" not null,
  -- Of what it is about: the message that is sent, the asset that is captured, the transcription, the link.
  id text collate "C" not null,
  kind text not null check (kind in ('capture', 'send', 'look', 'transcribe', 'discard', 'sweep')),
  environment text not null check (environment in ('sandbox', 'production')),
  input text not null,
  attempts int4 not null default 0,
  -- Null once it is done.
  due_at timestamptz,
  result text,
  trace_id text not null,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (environment_id, id)
);
create index media_jobs_due on media_jobs (environment_id, due_at, id) where due_at is not null;
create index media_jobs_done on media_jobs (done_at) where done_at is not null;

-- Keys of an environment at vendors of speech, sealed and bound to their row.
create table speech_credentials (
  environment_id text collate "C" not null,
  provider text not null check (provider in ('speechprov1', 'speechprov2', 'speechprov3')),
  api_key bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, provider)
);
