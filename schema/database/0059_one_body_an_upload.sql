-- An upload takes one body at a time: until when the node that takes it has said so. A node that dies leaves a minute of it.
alter table media_assets add column body_until timestamptz;
