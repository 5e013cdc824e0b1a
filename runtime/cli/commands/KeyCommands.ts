import { realNow } from "@carteiro/owners/RealTime.ts"
import { InvalidApiKeyRequest } from "@carteiro/schema/access/AccessErrors.ts"
import type { ApiKey } from "@carteiro/schema/access/ApiKey.ts"
import { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean, label } from "@carteiro/schema/conventions/Text.ts"
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { ApiKeys, Environments } from "../../access/Access.ts"
import { expiryWithinBounds } from "../../access/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, instant, organization, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("key", "Id of the key", "key_…")

const shown = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.key_prefix,
  kind: key.kind,
  status: key.status,
  scopes: key.scopes.join(" "),
  expires_at: key.expires_at,
  last_used_at: key.last_used_at
})

const list = Command.make("list", { environment }, ({ environment }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const found = yield* (yield* ApiKeys).list(environment, undefined, 1000)
    const rows = found.map((key) => [
      key.id,
      key.key_prefix,
      key.kind,
      key.status,
      key.last_used_at ?? "never",
      key.name
    ])
    yield* print({ data: found }, table(["id", "prefix", "kind", "status", "last used", "name"], rows, "no keys"))
  })
).pipe(Command.withDescription("List the keys of an environment"))

const create = Command.make(
  "create",
  {
    organization,
    project: Flag.String("project").pipe(Flag.withDescription("Id of the project"), Flag.withMetavar("prj_…")),
    environment: Flag.Literals("environment", EnvironmentKind.literals).pipe(Flag.withDescription("Which of its two")),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the key"), Flag.withSchema(label(1, 255))),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("Scopes separated by commas, or `all`, which includes api_keys:admin"),
      Flag.withMetavar("messages:read,…")
    ),
    expires: instant("expires-at", "When the key stops working; never when left out")
  },
  ({ organization, project, environment, name, scopes, expires }) =>
    Effect.gen(function* () {
      const now = yield* realNow
      const environments = yield* (yield* Environments).list(organization)
      const place = environments.find((entry) => entry.project_id === project && entry.kind === environment)
      if (place === undefined) return yield* new ProjectNotFound()
      const expires_at = orUndefined(expires) ?? null
      if (expires_at !== null && !expiryWithinBounds(expires_at, now)) {
        return yield* new InvalidApiKeyRequest({
          param: "expires_at",
          message: "expires-at must be later than now and at most 5 years ahead."
        })
      }
      const key = yield* (yield* ApiKeys).mint(
        {
          organization_id: organization,
          project_id: project,
          environment_id: place.id,
          environment,
          name: clean(name),
          scopes: yield* readScopes(scopes),
          kind: "standard",
          expires_at
        },
        now
      )
      yield* recordChange(organization, {
        action: "api_key.created",
        environment: place.id,
        subject: key.id,
        after: { name: key.name, scopes: key.scopes.join(", ").slice(0, 500) }
      })
      yield* print(key, `${facts(shown(key))}\n\nThis is shown once:\n${key.secret}`)
    })
).pipe(Command.withDescription("Create a standard key; its secret is printed once"))

const readScopes = Effect.fnUntraced(function* (text: string) {
  if (text === "all") return KeyScope.literals
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "")
  const unknown = names.find((name) => !isScope(name))
  if (unknown === undefined) return names.filter(isScope)
  return yield* new InvalidApiKeyRequest({ param: "scopes", message: `No scope is called ${unknown}.` })
})
const isScope = Schema.is(KeyScope)

const revoke = Command.make("revoke", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    const now = yield* realNow
    const keys = yield* ApiKeys
    const { organization_id } = yield* foundEnvironment(environment)
    const before = yield* keys.find(environment, id)
    yield* keys.revoke(environment, id, now)
    const after = yield* keys.find(environment, id)
    yield* recordChange(organization_id, {
      action: "api_key.revoked",
      environment,
      subject: id,
      ...(before !== undefined && { before: { status: before.status } }),
      ...(after !== undefined && { after: { status: after.status } })
    })
    yield* print(after ?? { id }, after === undefined ? id : facts(shown(after)))
  })
).pipe(Command.withDescription("Revoke a key: the next request with it is refused"))

/** Keys of one environment. gaps-1 C "First administrative key and bootstrap" */
export const keys = Command.make("keys").pipe(Command.withSubcommands([list, create, revoke]))
