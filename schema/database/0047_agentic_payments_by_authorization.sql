-- Payments of one authorization, newest first, for people who look at it.

create index agentic_payments_authorization on agentic_payments (environment_id, authorization_id, id);
