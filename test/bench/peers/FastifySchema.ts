/** A send as the peer's route takes it. */
export interface Send {
  readonly channel: string
  readonly sender: { readonly type: string; readonly id: string }
  readonly recipient: { readonly type: string; readonly id: string }
  readonly message: unknown
}

const text = { type: "string" }
const party = { type: "object", required: ["type", "id"], properties: { type: text, id: text } }
const content = { type: "object", required: ["body"], properties: { body: text } }

/** JSON Schema of the body, which Fastify compiles once. */
export const bodySchema = {
  body: {
    type: "object",
    required: ["channel", "sender", "recipient", "message"],
    properties: {
      channel: { enum: ["chatapp", "socialapp"] },
      sender: party,
      recipient: party,
      message: {
        type: "object",
        required: ["type", "text"],
        properties: { type: { const: "text" }, text: content }
      }
    }
  }
}

/** The peer's tables, one key, and an open window for each of the run's recipients. */
export const schemaSql = (keyHash: string): string => `
create schema if not exists peer;
create table if not exists peer.keys (
  hash text primary key, env text not null, scopes text[] not null, revoked boolean not null default false
);
create table if not exists peer.idem (
  env text, key text, body_hash text, status int, response jsonb, expires_at timestamptz, primary key (env, key)
);
create table if not exists peer.windows (
  env text, phone text, recipient text, last_inbound timestamptz, primary key (env, phone, recipient)
);
create table if not exists peer.msgs (
  id uuid primary key, env text, channel text, sender text, recipient text, body jsonb, status text, trace_id text,
  created_at timestamptz default now()
);
create index if not exists msgs_list on peer.msgs (env, created_at desc, id desc);
create table if not exists peer.outbox (
  id uuid primary key, env text, type text, source_id uuid, payload jsonb, status text,
  created_at timestamptz default now()
);
create index if not exists outbox_pending on peer.outbox (created_at) where status = 'pending';
insert into peer.keys values ('${keyHash}', 'e1', '{messages:write,messages:read}') on conflict do nothing;
insert into peer.windows select 'e1', 'pn_1', '+55119' || lpad(i::text, 8, '0'), now()
  from generate_series(0, 9999) i on conflict do nothing;
`
