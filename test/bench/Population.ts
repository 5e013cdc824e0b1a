import { Ids } from "@carteiro/owners/Ids.ts"
import { makeSecret, secretBytes } from "@carteiro/runtime/access/keys/ApiKeySecret.ts"
import { secretBinding } from "@carteiro/runtime/webhooks/endpoint/EndpointSecrets.ts"
import { newSigningSecret, signingSecretBytes } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import type { Product } from "./Product.ts"

// Tens of thousands of rows, which the public API would hand out one by one and within its limits.

/** So many environments of the demo organization, each in a project of its own; answers a key of each. */
export const environments = Effect.fnUntraced(function* ({ database, dev }: Product, count: number) {
  const ids = yield* Ids
  const secrets = yield* Secrets
  const now = Date.now()
  const made = Array.from({ length: count }, () => {
    const { key_prefix, secret } = makeSecret("sandbox", ids.bytes(secretBytes))
    return {
      project: ids.mint("prj", now),
      environment: ids.mint("env", now),
      key: ids.mint("key", now),
      key_prefix,
      secret
    }
  })
  const at = new Date(now).toISOString()
  const organization = dev.organization_id
  yield* database.query(
    `insert into projects (organization_id, id, name, slug, created_at, updated_at)
      select $1, id, id, id, $3, $3 from unnest($2::text[]) id`,
    [organization, made.map(({ project }) => project), at]
  )
  yield* database.query(
    `insert into environments (id, organization_id, project_id, kind, created_at)
      select id, $1, project, 'sandbox', $4 from unnest($2::text[], $3::text[]) r (id, project)`,
    [organization, made.map(({ environment }) => environment), made.map(({ project }) => project), at]
  )
  yield* database.query(
    `insert into api_keys (environment_id, id, project_id, organization_id, name, key_prefix, secret_hash, scopes, kind,
        status, created_at)
      select e.id, r.id, e.project_id, e.organization_id, 'bench', r.prefix, r.hash, '["messages:read"]', 'standard',
        'active', $5
      from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) r (environment, id, prefix, hash)
      join environments e on e.id = r.environment`,
    [
      made.map(({ environment }) => environment),
      made.map(({ key }) => key),
      made.map(({ key_prefix }) => key_prefix),
      made.map(({ secret }) => Buffer.from(secrets.mac("api_key", secret))),
      at
    ]
  )
  return made.map(({ secret }) => secret)
})

/** So many active numbers of the demo sandbox; answers their ids. */
export const numbers = Effect.fnUntraced(function* ({ database, dev }: Product, count: number) {
  const ids = yield* Ids
  const made = Array.from({ length: count }, () => ids.mint("pn", Date.now()))
  yield* database.query(
    `insert into phone_numbers (environment_id, id, environment, source, status, ddd, phone, created_at, updated_at,
        activated_at)
      select $1, id, 'sandbox', 'byon', 'active', '20', '+55208' || lpad(n::text, 8, '0'), $3, $3, $3
      from unnest($2::text[]) with ordinality r (id, n)`,
    [dev.sandbox.environment_id, made, new Date().toISOString()]
  )
  return made
})

/** So many endpoints of the demo sandbox that no event is meant for; answers their ids. */
export const endpoints = Effect.fnUntraced(function* ({ database, dev }: Product, count: number) {
  const ids = yield* Ids
  const secrets = yield* Secrets
  const { environment_id } = dev.sandbox
  const made = Array.from({ length: count }, () => ids.mint("we", Date.now()))
  const sealed = made.map((id) =>
    Buffer.from(
      secrets.seal(
        "webhook_secret",
        newSigningSecret(ids.bytes(signingSecretBytes)),
        secretBinding({ environment_id, id })
      )
    )
  )
  yield* database.query(
    `insert into webhook_endpoints (environment_id, id, environment, url, subscribed_events, signing_secret, created_at,
        updated_at)
      select $1, id, 'sandbox', 'https://receiver.test/hook', '{webhook.none}', secret, $4, $4
      from unnest($2::text[], $3::bytea[]) r (id, secret)`,
    [environment_id, made, sealed, new Date().toISOString()]
  )
  return made
})
