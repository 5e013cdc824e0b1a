import type { Write } from "@carteiro/tables/Write.ts"
import type { Follower } from "./Statement.ts"

/** The number of parameters before those of the writes. */
const firstParameters = 4
const idempotencyParameters = 8

const fence = `with fence as materialized (
  select e.shard, e.epoch from shard_epochs e
  join (select distinct shard, epoch from unnest($3::int4[], $4::int8[]) as f(shard, epoch)) f
    on f.shard = e.shard and f.epoch = e.epoch
  order by e.shard for share of e
)`

// The planner does not know how many units or shards there are: a join would compare each with each, while `in` hashes
// them.
const leased = (unit: string): string =>
  `(${unit}.shard = -1 or (${unit}.shard, ${unit}.epoch) in (select f.shard, f.epoch from fence f))`

// Of several units under one idempotency key, the first that may pass takes the key; the others find it taken, as in a
// later statement.
const gate = (idempotent: boolean, guarded: boolean, claiming: boolean): string => {
  const stops = [...(guarded ? ["refused"] : []), ...(claiming ? ["unclaimed"] : [])]
  const passes = stops
    .map((name) => ` and not exists (select 1 from ${name} x where x.unit = (UNIT.n - 1)::int4)`)
    .join("")
  return idempotent
    ? `keyed as materialized (
  select distinct on (i.environment_id, i.key_hash) i.*
  from unnest($6::text[], $5::text[], $7::text[], $8::int4[], $9::bytea[], $10::timestamptz[], $11::timestamptz[],
    $12::text[], $3::int4[], $4::int8[]) with ordinality
    as i(environment_id, key_hash, fingerprint, response_status, response_body, created_at, expires_at, subject, shard,
      epoch, n)
  where i.key_hash is not null and ${leased("i")}${passes.replaceAll("UNIT", "i")}
  order by i.environment_id, i.key_hash, i.n
), idem as (
  insert into idempotency_records
    (environment_id, key_hash, fingerprint, status, response_status, response_body, created_at, expires_at, subject)
  select k.environment_id, k.key_hash, k.fingerprint, 'completed', k.response_status, k.response_body,
    k.created_at, k.expires_at, k.subject
  from keyed k order by k.environment_id, k.key_hash
  on conflict (environment_id, key_hash) do update set
    fingerprint = excluded.fingerprint, status = excluded.status, response_status = excluded.response_status,
    response_body = excluded.response_body, created_at = excluded.created_at, expires_at = excluded.expires_at,
    subject = excluded.subject
  where idempotency_records.expires_at <= excluded.created_at
  returning environment_id, key_hash
), gate as materialized (
  select (u.n - 1)::int4 as unit
  from unnest($3::int4[], $4::int8[], $5::text[]) with ordinality as u(shard, epoch, key_hash, n)
  left join (select k.n from keyed k join idem using (environment_id, key_hash)) i on i.n = u.n
  where ${leased("u")} and (u.key_hash is null or i.n is not null)${passes.replaceAll("UNIT", "u")}
)`
    : `gate as materialized (
  select (u.n - 1)::int4 as unit from unnest($3::int4[], $4::int8[]) with ordinality as u(shard, epoch, n)
  where ${leased("u")}${passes.replaceAll("UNIT", "u")}
)`
}

// Units that may claim a key: their lease holds and no guard rejects them.
const claimingUnits = (guarded: boolean): string => `claiming as materialized (
  select (u.n - 1)::int4 as unit from unnest($3::int4[], $4::int8[]) with ordinality as u(shard, epoch, n)
  where ${leased("u")}${guarded ? " and not exists (select 1 from refused x where x.unit = (u.n - 1)::int4)" : ""}
)`

const cteName = (name: string): string => name.replaceAll(".", "_")

/**
 * Returns the text of a statement of these writes: the fence, idempotency records and the gate, then every write from
 * `unnest` behind the gate, and last the commit's own row with the units that passed and the returned keys. A write may
 * have no rows.
 */
export const statementText = (
  writes: ReadonlyArray<Write>,
  idempotent: boolean,
  followers: Readonly<Record<string, ReadonlyArray<Follower>>>
): string => {
  const asked: Array<string> = []
  const refusals: Array<string> = []
  const claims: Array<string> = []
  const unclaimed: Array<string> = []
  const ctes: Array<string> = []
  const outcome: Array<string> = [
    "'gate', (select coalesce(json_agg(unit), '[]') from gate)",
    "'fence', (select coalesce(json_agg(json_build_array(shard, epoch)), '[]') from fence)"
  ]
  let parameters = idempotent ? firstParameters + idempotencyParameters : firstParameters
  for (const write of writes) {
    const name = cteName(write.name)
    const columns = Object.keys(write.columns)
    const first = parameters + 1
    parameters += 1 + columns.length
    const casts = [`$${first}::int4[]`, ...columns.map((c, i) => `$${first + 1 + i}::${write.columns[c]}[]`)]
    let rowsOf = `unnest(${casts.join(", ")}) as r(unit, ${columns.join(", ")})`
    if (write.guard !== undefined || write.claims !== undefined) {
      asked.push(`${name}_asked as materialized (select r.* from ${rowsOf})`)
      rowsOf = `${name}_asked r`
    }
    if (write.guard !== undefined) {
      asked.push(`${name}_guard as materialized (${write.guard(`${name}_asked`)})`)
      refusals.push(`select a.unit from ${name}_asked a where a.unit not in (select unit from ${name}_guard)`)
    }
    if (write.claims !== undefined) {
      claims.push(
        `${name}_rows as materialized (select r.* from ${rowsOf} join claiming c on c.unit = r.unit)`,
        `${name} as (${write.sql(`${name}_rows`)})`
      )
      unclaimed.push(
        `select r.unit from ${name}_rows r
    where r.${write.claims} not in (select k.key from ${name} k where k.key is not null)`
      )
      outcome.push(keysOf(write.name, name))
      continue
    }
    ctes.push(
      `${name}_rows as materialized (select r.* from ${rowsOf} join gate g on g.unit = r.unit)`,
      ...write.before.map((step) => `${step.name} as (${step.sql(`${name}_rows`)})`),
      `${name} as (${write.sql(`${name}_rows`)})`
    )
    if (write.returns) outcome.push(keysOf(write.name, name))
    for (const follower of followers[write.name] ?? []) {
      const followerName = cteName(follower.name)
      ctes.push(`${followerName} as (${follower.sql(`${name}_rows`)})`)
      if (follower.returns) outcome.push(keysOf(follower.name, followerName))
    }
  }
  const guarded = refusals.length > 0
  if (guarded) {
    asked.push(`refused as materialized (${refusals.join(" union ")})`)
  }
  const claiming = claims.length > 0
  if (claiming) {
    asked.push(claimingUnits(guarded), ...claims, `unclaimed as materialized (${unclaimed.join(" union ")})`)
  }
  if (guarded || claiming) {
    const kept = [...(guarded ? ["refused"] : []), ...(claiming ? ["unclaimed"] : [])]
    const units = kept.map((name) => `select unit from ${name}`).join(" union ")
    outcome.push(`'refused', (select coalesce(json_agg(unit), '[]') from (${units}) x)`)
  }
  return `${[fence, ...asked, gate(idempotent, guarded, claiming), ...ctes].join(",\n")}
insert into commits (id, created_at, outcome)
select $1::text, $2::timestamptz, json_build_object(${outcome.join(", ")})::text
returning outcome`
}

const keysOf = (label: string, cte: string): string =>
  `'${label}', (select coalesce(json_agg(key), '[]') from ${cte} where key is not null)`
