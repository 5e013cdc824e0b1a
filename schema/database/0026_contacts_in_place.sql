-- Contacts change often and are narrowed rarely: a change finds room beside the row it replaces, so that it touches no
-- index, and lists walk an environment by its primary key, as those of messages do.
drop index contacts_status;
drop index contacts_source;
alter table contacts set (fillfactor = 50);
