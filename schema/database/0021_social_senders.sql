-- A connected account sends on the social channel as a number does on the others: its owner knows it by its id alone.
create index provider_connections_social on provider_connections (id) where channel = 'socialapp';
