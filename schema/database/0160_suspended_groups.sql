-- When the chat platform suspended a group; null while it does not. Sends to it are refused.
alter table groups
  add column suspended_at timestamptz,
  -- The instant of the newest report about it: an older one that comes late changes nothing.
  add column suspension_told_at timestamptz;
