-- The page of a thing tells who changed it: its changes, without a walk over those of the organization.
create index audit_log_subjects on audit_log (organization_id, subject, id) where subject is not null;
