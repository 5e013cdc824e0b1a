-- The language in which a person of the tenant reads. Null is English, also for people whom a release before adds.
alter table members add column language text;

-- An e-mail in the languages that its subject and body are not in, as JSON. Null in rows of a release before.
alter table emails add column translations text;
