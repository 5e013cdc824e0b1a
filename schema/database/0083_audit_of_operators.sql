-- Changes of operators stand in the audit log too: no member made them, and no request of the console.
alter table audit_log alter column member_id drop not null;
alter table audit_log alter column request_id drop not null;
