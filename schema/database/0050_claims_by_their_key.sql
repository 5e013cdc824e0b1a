-- Claims of a recipient are few and found by the primary key, which they lead: a second index cost each offer an entry, and
-- each attempt a new version of all entries.

drop index marketing_claims_pending;
