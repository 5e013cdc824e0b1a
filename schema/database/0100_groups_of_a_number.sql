-- The groups of a number within their environment, newest first: the list of groups by number.
create index groups_number_list on groups (environment_id, phone_number_id, id);
