-- Whether an account sends its messages and statuses to this installation: the instant since which it is known to, or
-- since which the platform refuses it. Both are null for accounts that no check has asked about.
alter table provider_connections add column subscribed_at timestamptz;
alter table provider_connections add column subscription_refused_at timestamptz;

-- A number's registration for the platform's API. The six-digit PIN is sealed; null is the one that is derived from the
-- number's id. State: 'required' when the platform said so, 'registered', 'pin_required' when it holds another PIN,
-- 'refused' with the platform's sentence; null while nothing is known.
alter table phone_numbers add column registration_pin bytea;
alter table phone_numbers add column registration_state text;
alter table phone_numbers add column registration_problem text;
alter table phone_numbers add column registration_tried_at timestamptz;

-- Accounts that were connected before are subscribed, and their numbers registered, by a check that is due now.
update provider_connections set health_due_at = least(health_due_at, now())
  where health_due_at is not null and status = 'connected';
