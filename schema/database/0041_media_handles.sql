-- What the provider calls a file of the library that it was given for a number, so that it is not given it again for each send.
create table media_handles (
  environment_id text collate "C" not null,
  asset_id text collate "C" not null,
  channel text not null,
  -- Id of the number or connected account whose the file is at the provider.
  business_id text collate "C" not null,
  provider_media_id text not null,
  given_at timestamptz not null,
  primary key (environment_id, asset_id, channel, business_id)
);
create index media_handles_given on media_handles (given_at);
