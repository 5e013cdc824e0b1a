import { assert, describe, it } from "@effect/vitest"
import { houseViolations } from "./ImportRules.ts"

/** Rules broken by a set of files, each path with its text. */
const broken = (files: Readonly<Record<string, string>>) =>
  houseViolations(new Map(Object.entries(files))).map(({ path, rule }) => `${rule} ${path}`)

const trips = (rule: string, path: string, text: string, others: Readonly<Record<string, string>> = {}) =>
  assert.deepStrictEqual(broken({ ...others, [path]: text }), [`${rule} ${path}`])

const passes = (path: string, text: string, others: Readonly<Record<string, string>> = {}) =>
  assert.deepStrictEqual(broken({ ...others, [path]: text }), [])

const sql = 'import { SqlClient } from "effect/sql"\n'

const service = "export class Thing extends Context.Service<Thing, {}>()(tag) {}\n"

describe("house imports", () => {
  it("keeps schema on effect and schema", () => {
    trips("schema-alone", "schema/media/MediaAsset.ts", 'import fs from "node:fs"')
    trips("schema-alone", "schema/media/MediaAsset.ts", 'import type { Ids } from "@carteiro/owners/Ids.ts"')
    trips("schema-alone", "schema/media/MediaAsset.ts", 'export * from "../../runtime/main.ts"')
    passes(
      "schema/media/MediaAsset.ts",
      'import { Schema } from "effect"\nimport "effect/http-api"\nimport "../Api.ts"'
    )
  })

  it("leaves effect/cluster to the owner", () => {
    trips("cluster-door", "runtime/boot/Cluster.ts", 'import { Entity } from "effect/cluster"')
    trips("cluster-door", "packages/sdk/Client.ts", 'const later = () => import("effect/cluster/Entity")')
    passes("packages/owners/Owner.ts", 'import { Entity } from "effect/cluster"')
    passes("test/support/OwnerTest.ts", 'import { TestRunner } from "effect/cluster"')
  })

  it("requires a room to be entered through its door", () => {
    trips("room-door", "runtime/batches/BatchEntity.ts", 'import { X } from "../messages/MessageRepo.ts"')
    trips("room-door", "runtime/main.ts", 'import { X } from "./phone-numbers/PhoneNumbersHttp.ts"')
    trips("room-door", "runtime/mcp/Pages.ts", 'import { X } from "@carteiro/runtime/billing/Wallet.ts"')
    passes("runtime/main.ts", 'import { PhoneNumbers } from "./phone-numbers/PhoneNumbers.ts"')
    passes("test/messages/MessageRepo.test.ts", 'import { X } from "@carteiro/runtime/messages/MessageRepo.ts"')
  })

  it("keeps doors thin, and wiring for runtime/app", () => {
    trips("thin-door", "runtime/media/Media.ts", 'import { Layer } from "effect"\nexport const room = Layer.empty')
    passes(
      "runtime/media/Media.ts",
      'export { Blobs } from "./blob/Blobs.ts"\nexport type { Blob } from "./blob/Blob.ts"'
    )
    trips("room-wiring", "runtime/media/blob/Any.ts", 'import { room } from "../room.ts"')
    trips("room-door", "runtime/batches/feed/Any.ts", 'import { room } from "../../media/room.ts"')
    passes("runtime/app/Rooms.ts", 'import * as Media from "../media/room.ts"')
  })

  it("refuses a repository, write or SQL at a door", () => {
    const stored = {
      "runtime/media/asset/AssetRepo.ts": service,
      "runtime/media/asset/AssetWrites.ts": "export const saveAsset = defineUpdate({})\nexport const isAsset = true"
    }
    const door = "runtime/media/Media.ts"
    trips("door-storage", door, 'export { AssetRepo } from "./asset/AssetRepo.ts"', stored)
    trips("door-storage", door, 'export { saveAsset } from "./asset/AssetWrites.ts"', stored)
    trips("door-storage", door, 'export { assetSql } from "./asset/AssetWrites.ts"', stored)
    passes(door, 'export { isAsset } from "./asset/AssetWrites.ts"', stored)
    passes(door, 'export type { AssetRepo } from "./asset/AssetRepo.ts"', stored)
  })

  it("reports exceptions that no door uses", () => {
    trips("door-storage", "runtime/billing/Billing.ts", "")
  })

  it("limits one import of a value to 170 loaded files", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 171 }, (_, n) => [
        `schema/media/A${n}.ts`,
        n < 170 ? `import { a } from "./A${n + 1}.ts"` : ""
      ])
    )
    const importing = (n: number) => `import { a } from "@carteiro/schema/media/A${n}.ts"`
    trips("short-reach", "runtime/media/blob/Any.ts", importing(0), chain)
    passes("runtime/media/blob/Any.ts", importing(1), chain)
    passes("runtime/media/blob/Any.ts", importing(0).replace("import", "import type"), chain)
    passes("runtime/media/room.ts", importing(0), chain)
    passes("runtime/app/Any.ts", importing(0), chain)
  })

  it("requires a service to be named by its folder and its name", () => {
    const keyed = (key: string) => `export class Blobs extends Context.Service<Blobs, {}>()("${key}") {}`
    trips("service-keys", "runtime/media/blob/Stored.ts", keyed("@carteiro/runtime/media/Blobs"))
    trips(
      "service-keys",
      "packages/tables/Any.ts",
      'const Patience = Context.Reference<number>("@carteiro/tables/Any", {})'
    )
    passes("runtime/media/blob/Stored.ts", keyed("@carteiro/runtime/media/blob/Blobs"))
  })

  it("checks a file's role by its imports and content, not by its name", () => {
    const repo = { "runtime/webhooks/endpoint/Stored.ts": 'import { SqlClient } from "effect/sql"' }
    const owner = { "runtime/webhooks/endpoint/Endpoint.ts": 'const E = defineOwner("Endpoint", {})' }
    const http = {
      "runtime/webhooks/endpoint/Shown.ts": 'import { Routes } from "@carteiro/http-edge/Routes.ts"'
    }
    const layers = { "runtime/webhooks/endpoint/Parts.ts": 'import { Layer } from "effect"' }
    const door = { "runtime/webhooks/Webhooks.ts": 'export { layer } from "./endpoint/Any.ts"' }
    const from = (specifier: string) => `import { X } from "${specifier}"`
    const type = (specifier: string) => `import type { X } from "${specifier}"`
    const health = "runtime/webhooks/endpoint/EndpointHealth.ts"
    trips("downwards", health, type("./Stored.ts"), repo)
    trips("downwards", health, type("./Endpoint.ts"), owner)
    trips("downwards", "runtime/webhooks/endpoint/AnyRepo.ts", `${sql}${type("./Endpoint.ts")}`, owner)
    trips(
      "downwards",
      "runtime/webhooks/endpoint/Any.ts",
      `import { Effect } from "effect"\n${type("./Shown.ts")}`,
      http
    )
    trips(
      "downwards",
      "runtime/webhooks/endpoint/AnyHttp.ts",
      `${Object.values(http)}\n${type("../Webhooks.ts")}`,
      door
    )
    trips("downwards", "runtime/webhooks/endpoint/AnyHttp.ts", `${Object.values(http)}\n${from("./Parts.ts")}`, layers)
    passes("runtime/webhooks/endpoint/Parts.ts", `${Object.values(layers)}\n${from("./Shown.ts")}`, http)
    passes("runtime/webhooks/endpoint/Any.ts", `import { Effect } from "effect"\n${type("./Endpoint.ts")}`, owner)
    passes("runtime/webhooks/room.ts", from("./endpoint/Shown.ts"), http)
  })

  it("keeps rules free of clock, chance, SQL, HTTP and services, directly or through other files", () => {
    const rules = "runtime/webhooks/endpoint/EndpointHealth.ts"
    trips("rules-pure", rules, 'import { Clock, Schema } from "effect"')
    trips("rules-pure", rules, 'import { Random } from "effect"')
    trips("rules-pure", rules, 'import { DateTime } from "effect"\nconst now = DateTime.now')
    trips("rules-pure", rules, 'import { NodeRuntime } from "@effect/platform-node"')
    trips("rules-pure", rules, 'import { randomBytes } from "node:crypto"')
    const ids = "packages/owners/ids/Ids.ts"
    const entry = {
      "packages/owners/Ids.ts": 'export { Ids } from "./ids/Ids.ts"\nexport { derivedId } from "./ids/Ulid.ts"'
    }
    const reached = 'import { Ids } from "@carteiro/owners/Ids.ts"'
    trips("rules-pure", rules, reached, { ...entry, [ids]: service })
    trips("rules-pure", rules, reached, { ...entry, [ids]: 'import { SqlClient } from "effect/sql"' })
    trips("rules-pure", rules, reached, {
      ...entry,
      [ids]: 'import { ulid } from "./Ulid.ts"',
      "packages/owners/ids/Ulid.ts": 'import { Clock } from "effect"'
    })
    passes(rules, 'import type { Ids } from "@carteiro/owners/Ids.ts"', { ...entry, [ids]: service })
    passes(rules, 'import { type Ids } from "@carteiro/owners/Ids.ts"', { ...entry, [ids]: service })
    passes(rules, 'import { derivedId } from "@carteiro/owners/Ids.ts"', { ...entry, [ids]: service })
    passes(rules, 'import { createHmac } from "node:crypto"')
    passes(rules, 'import { Traits } from "@carteiro/schema/conventions/Access.ts"', {
      "schema/conventions/Access.ts": service
    })
    passes(rules, 'import { take } from "../../ratelimit/TokenBucket.ts"', {
      "runtime/ratelimit/TokenBucket.ts": "export const take = 1\n"
    })
    passes("runtime/webhooks/endpoint/AnyRepo.ts", sql)
    passes("runtime/webhooks/endpoint/AnyService.ts", `import { Clock } from "effect"\n${service}`)
  })

  it("keeps SQL in repos, and repos off owners and HTTP", () => {
    const routes = 'import { Routes } from "@carteiro/http-edge/Routes.ts"\n'
    trips("http-no-sql", "runtime/media/asset/MediaHttp.ts", `${routes}import { SqlClient } from "effect/sql"`)
    trips("sql-in-repos", "runtime/media/asset/MediaHttp.ts", `${routes}const text = "delete from media where id = $1"`)
    trips("sql-in-repos", "runtime/media/room.ts", 'const w = defineWrite({ name: "media.insert" })')
    trips("sql-in-repos", "runtime/media/room.ts", 'const w = defineInsert({ table: "media" })')
    trips(
      "sql-in-repos",
      "runtime/media/asset/Media.ts",
      'defineOwner("Media", {})\nconst text = "update media set a = 1"'
    )
    trips("repo-below", "runtime/media/asset/MediaRepo.ts", `${sql}import { answer } from "@carteiro/owners/Owner.ts"`)
    trips(
      "repo-below",
      "runtime/media/asset/MediaRepo.ts",
      `${sql}import { reply } from "@carteiro/http-edge/Reply.ts"`
    )
    passes(
      "runtime/media/asset/MediaHttp.ts",
      `${routes}const message = "Select one from the list, delete it from there."`
    )
    passes("runtime/media/asset/MediaHttp.ts", `${routes}import { MediaRepo } from "./MediaRepo.ts"`)
  })

  it("lets folders of a room, and of a package below the rooms, import downwards only", () => {
    const files = {
      "packages/http-edge/Routes.ts": 'export { route } from "./contract/Route.ts"',
      "packages/http-edge/body/Body.ts":
        'import { route } from "../Routes.ts"\nimport { route } from "../contract/Route.ts"',
      "packages/http-edge/contract/Operation.ts": "",
      "packages/http-edge/contract/Route.ts": 'import type { Head } from "../pipeline/deep/Head.ts"',
      "packages/http-edge/pipeline/deep/Head.ts": 'import type { Bytes } from "../../body/Bytes.ts"',
      "packages/http-edge/body/Bytes.ts": ""
    }
    assert.deepStrictEqual(
      houseViolations(new Map(Object.entries(files))).map(({ message }) => message),
      [
        "packages/http-edge/body > packages/http-edge/contract > packages/http-edge/pipeline/deep > packages/http-edge/body"
      ]
    )
  })

  it("keeps the shared ground below the rooms", () => {
    trips("ground-below", "runtime/outbox/Outbox.ts", 'import { Webhooks } from "../webhooks/Webhooks.ts"')
    trips("ground-below", "runtime/telemetry/Metrics.ts", 'import "@carteiro/schema/messages/Message.ts"')
    trips("ground-below", "runtime/telemetry/Metrics.ts", 'import { boot } from "../boot/Settings.ts"')
    passes("runtime/mail/Any.ts", 'import "@carteiro/schema/conventions/Page.ts"\nimport "../tenancy/ApiCall.ts"')
  })

  it("keeps engine, tables and edge on each other in that order, and only the edge on the conventions of the contract", () => {
    trips("carriers-below", "packages/owners/commit/Commit.ts", 'import "@carteiro/http-edge/Routes.ts"')
    trips("carriers-below", "packages/tables/Read.ts", 'import "@carteiro/owners/Ids.ts"')
    trips("carriers-below", "packages/http-edge/body/Body.ts", 'import "@carteiro/schema/messages/Message.ts"')
    trips("carriers-below", "packages/owners/commit/Commit.ts", 'import "@carteiro/provider/BlobStore.ts"')
    passes("packages/http-edge/body/Body.ts", 'import "@carteiro/owners/Ids.ts"\nimport "@carteiro/tables/Read.ts"')
    trips("carriers-below", "packages/owners/commit/Commit.ts", 'import "@carteiro/schema/conventions/ApiError.ts"')
    trips("carriers-below", "packages/tables/Read.ts", 'import type { Id } from "@carteiro/schema/conventions/Ids.ts"')
    passes("packages/http-edge/body/Body.ts", 'import "@carteiro/schema/conventions/ApiError.ts"')
  })

  it("lets the console stand on the carriers, and on nothing of the runtime, and puts it on its ports in runtime/app", () => {
    passes("packages/console/chat/Any.ts", 'import "@carteiro/http-edge/Routes.ts"')
    trips("packages-apart", "packages/console/chat/Any.ts", 'import "@carteiro/runtime/billing/Billing.ts"')
    trips("packages-apart", "packages/lists/Any.ts", 'import "@carteiro/http-edge/Routes.ts"')
    passes("runtime/app/Any.ts", 'import { pages } from "@carteiro/console/Console.ts"')
    trips("faces-in-app", "runtime/billing/Any.ts", 'import { pages } from "@carteiro/console/Console.ts"')
    passes("runtime/payments/routes/Any.ts", 'import { PaymentPages } from "@carteiro/console/Ports.ts"')
  })

  it("enters a package through its export map", () => {
    trips("closed-packages", "runtime/media/Any.ts", 'import "../../packages/owners/commit/Committer.ts"')
    passes("test/owners/Committer.test.ts", 'import "../../packages/owners/commit/Committer.ts"')
  })

  it("keeps tests inside a package on that package and those it depends on", () => {
    const test = "packages/owners/test/Ids.test.ts"
    passes(test, 'import { Ids } from "../ids/Ids.ts"\nimport { plainRefusals } from "./PlainRefusals.ts"')
    passes(test, 'import "@carteiro/owners/Ids.ts"\nimport "@carteiro/tables/Write.ts"\nimport "fast-check"')
    trips("package-tests", test, 'import "@carteiro/runtime/room/EngineTypes.ts"')
    trips("package-tests", test, 'import { TestDatabase } from "../../../test/support/TestDatabase.ts"')
    trips("package-tests", test, 'import "@carteiro/schema/conventions/Ids.ts"')
    trips("package-tests", test, 'import { http } from "../../outbound/test/Servers.ts"')
    passes("test/telemetry/Installation.test.ts", 'import { http } from "../../packages/outbound/test/Servers.ts"')
  })

  it("keeps packages apart from runtime", () => {
    trips("packages-apart", "packages/provider/ChatProvider.ts", 'import "@carteiro/runtime/mail/MailRepo.ts"')
    trips("packages-apart", "packages/provider/ChatProvider.ts", 'import "@carteiro/owners/Ids.ts"')
    trips("packages-apart", "packages/provider-upstream/Upstream.ts", 'import "../../runtime/main.ts"')
    passes("packages/provider/ChatProvider.ts", 'import { Ids } from "@carteiro/schema/conventions/Ids.ts"')
  })

  it("names adapters in app and boot only", () => {
    const adapter = 'import { Upstream } from "@carteiro/provider-upstream/Upstream.ts"'
    trips("adapters-in-app", "runtime/messages/PhoneNumberEntity.ts", adapter)
    trips("adapters-in-app", "packages/simulators/Upstream.ts", adapter)
    passes("runtime/app/Node.ts", adapter)
    trips("adapters-in-app", "runtime/main.ts", adapter)
    passes("runtime/boot/Providers.ts", adapter)
    passes("runtime/messages/PhoneNumberEntity.ts", 'import { ChatProvider } from "@carteiro/provider/ChatProvider.ts"')
  })

  it("lets packages/outbound alone open connections", () => {
    const path = "packages/provider-pixprov1/Agentic.ts"
    for (const text of [
      'import { Pool } from "undici"',
      'import { request } from "node:http"',
      'import * as http from "node:http"',
      'const later = () => import("node:https")',
      'import https from "node:https"',
      'import { connect } from "node:tls"',
      'import { resolve4 } from "node:dns/promises"',
      'import { FetchHttpClient } from "effect/http"',
      "const answer = await fetch(url)",
      "const answer = await globalThis.fetch(url)",
      "const socket = new WebSocket(url)"
    ]) {
      trips("one-dialler", path, text)
    }
    trips("one-dialler", "runtime/webhooks/delivery/Any.ts", 'import { createTransport } from "nodemailer"')
    passes(path, 'import type { IncomingHttpHeaders } from "node:http"\nimport { createServer } from "node:http"')
    passes(path, "const file = downloads.fetch(request)")
    passes("packages/outbound/Pools.ts", 'import { Pool } from "undici"')
    passes("packages/provider-mail/SmtpMail.ts", 'import { createTransport } from "nodemailer"')
    passes("test/faults/Client.ts", 'import { request } from "undici"')
  })

  it("lets only composition turn a setting into an operator's URL, through the door of packages/outbound", () => {
    const operators = 'import { operatorUrl } from "@carteiro/outbound/Calls.ts"'
    trips("outbound-door", "packages/provider-pixprov1/Agentic.ts", operators)
    trips("outbound-door", "runtime/payments/agentic/Any.ts", operators)
    trips("outbound-door", "packages/simulators/Any.ts", 'import { OperatorUrl } from "../outbound/Urls.ts"')
    passes("runtime/app/Adapters.ts", operators)
    passes("packages/provider-pixprov1/Agentic.ts", 'import type { TenantUrl } from "@carteiro/outbound/Calls.ts"')
  })

  it("lets no owner, rule or route know how far a sandbox's time is from the node's", () => {
    const lead = 'import { leadOf } from "@carteiro/owners/OwnerClocks.ts"'
    trips("clock-lead", "runtime/messages/send/Any.ts", lead)
    trips(
      "clock-lead",
      "runtime/billing/months/AnyEntity.ts",
      'import type { Turned } from "@carteiro/owners/OwnerClocks.ts"'
    )
    passes("runtime/sandbox/room.ts", lead)
    passes("packages/http-edge/pipeline/Pipeline.ts", lead)
  })

  it("finds a cycle across workspaces once and names its path", () => {
    const files = {
      "schema/conventions/A.ts": 'import { b } from "./B.ts"',
      "schema/conventions/B.ts": 'export type { C } from "@carteiro/schema/conventions/C.ts"',
      "schema/conventions/C.ts": 'const a = await import("./A.ts")',
      "schema/conventions/D.ts": 'import { a } from "./A.ts"'
    }
    assert.deepStrictEqual(
      houseViolations(new Map(Object.entries(files))).map(({ message }) => message),
      ["schema/conventions/A.ts > schema/conventions/B.ts > schema/conventions/C.ts > schema/conventions/A.ts"]
    )
  })

  it("knows every folder of runtime", () => {
    trips("known-room", "runtime/utils/Strings.ts", "export const x = 1")
    passes("runtime/boot/Settings.ts", "export const x = 1")
  })

  it("points at the line of the import", () => {
    const [found] = houseViolations(new Map([["schema/media/A.ts", '// first\n\nimport {\n  x\n} from "node:fs"\n']]))
    assert.strictEqual(found?.line, 3)
  })
})
