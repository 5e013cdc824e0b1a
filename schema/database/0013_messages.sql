-- Messages of every type: what of a template is frozen with a send, how a flow's answer and a provider's status find their
-- message, and the failure of a language model that a sandbox is told to play.

alter table messages
  -- Of the template's approved version when the send was accepted: guards, allowance and usage ask for it.
  add column template_category text check (template_category in ('marketing', 'utility', 'authentication')),
  -- The flow that a send opens (`flw_`; null for one that is not managed here), and the caller's token of it.
  add column flow_id text collate "C",
  add column flow_token text collate "C";

-- A provider's status, a reaction and a quote name a message by the provider's id.
create index messages_provider on messages (provider_message_id, environment_id)
  where provider_message_id is not null;
-- The newest send of a token to a customer, for an answer that quotes nothing.
create index messages_flow_token on messages (flow_token, environment_id, customer_key, id)
  where flow_token is not null;

-- The failure a sandbox plays for the next call of a language model: one at a time.
create table sandbox_llm_failures (
  environment_id text collate "C" primary key,
  failure text not null check (failure in ('provider_down', 'auth_failed', 'timeout', 'cost_cap_reached')),
  -- Null for one that the next call uses up.
  expires_at timestamptz,
  armed_at timestamptz not null
);
