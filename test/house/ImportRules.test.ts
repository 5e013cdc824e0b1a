import { assert, describe, it } from "@effect/vitest"
import { houseViolations } from "./ImportRules.ts"

/** Rules broken by a set of files, each path with its text. */
const broken = (files: Readonly<Record<string, string>>) =>
  houseViolations(new Map(Object.entries(files))).map(({ path, rule }) => `${rule} ${path}`)

const trips = (rule: string, path: string, text: string, others: Readonly<Record<string, string>> = {}) =>
  assert.deepStrictEqual(broken({ ...others, [path]: text }), [`${rule} ${path}`])

const passes = (path: string, text: string, others: Readonly<Record<string, string>> = {}) =>
  assert.deepStrictEqual(broken({ ...others, [path]: text }), [])

const service = "export class Thing extends Context.Service<Thing, {}>()(tag) {}\n"

describe("house imports", () => {
  it("keeps schema on effect and schema", () => {
    trips("schema-alone", "schema/media/MediaAsset.ts", 'import fs from "node:fs"')
    trips(
      "schema-alone",
      "schema/media/MediaAsset.ts",
      'import type { Ids } from "@carteiro/runtime/platform/ids/Ids.ts"'
    )
    trips("schema-alone", "schema/media/MediaAsset.ts", 'export * from "../../runtime/main.ts"')
    passes(
      "schema/media/MediaAsset.ts",
      'import { Schema } from "effect"\nimport "effect/http-api"\nimport "../Api.ts"'
    )
  })

  it("leaves effect/cluster to the owner", () => {
    trips("cluster-door", "runtime/boot/Cluster.ts", 'import { Entity } from "effect/cluster"')
    trips("cluster-door", "packages/sdk/Client.ts", 'const later = () => import("effect/cluster/Entity")')
    passes("runtime/platform/owner/Owner.ts", 'import { Entity } from "effect/cluster"')
    passes("test/support/OwnerTest.ts", 'import { TestRunner } from "effect/cluster"')
  })

  it("enters a room through its door", () => {
    trips("room-door", "runtime/batches/BatchEntity.ts", 'import { X } from "../messages/MessageRepo.ts"')
    trips("room-door", "runtime/main.ts", 'import { X } from "./phone-numbers/PhoneNumbersHttp.ts"')
    trips("room-door", "runtime/dashboard/Pages.ts", 'import { X } from "@carteiro/runtime/billing/Wallet.ts"')
    passes("runtime/main.ts", 'import { PhoneNumbers } from "./phone-numbers/PhoneNumbers.ts"')
    passes("test/messages/MessageRepo.test.ts", 'import { X } from "@carteiro/runtime/messages/MessageRepo.ts"')
  })

  it("reads a room downwards", () => {
    trips("downwards", "runtime/webhooks/EndpointHealth.ts", 'import type { R } from "./WebhookEndpointRepo.ts"')
    trips("downwards", "runtime/webhooks/WebhookEndpointRepo.ts", 'import { E } from "./WebhookEndpointEntity.ts"')
    trips("downwards", "runtime/webhooks/WebhookEndpointsHttp.ts", 'import { W } from "./Webhooks.ts"')
    passes("runtime/webhooks/Webhooks.ts", 'import { E } from "./WebhookEndpointsHttp.ts"')
  })

  it("keeps rules free of clock, SQL, HTTP and services", () => {
    const rules = "runtime/webhooks/EndpointHealth.ts"
    trips("rules-pure", rules, 'import { Clock, Schema } from "effect"')
    trips("rules-pure", rules, 'import { DateTime } from "effect"\nconst now = DateTime.now')
    trips("rules-pure", rules, 'import { SqlClient } from "effect/sql"')
    trips("rules-pure", rules, 'import { HttpClient } from "effect/http"')
    trips("rules-pure", rules, 'import { NodeRuntime } from "@effect/platform-node"')
    trips("rules-pure", rules, 'import { randomBytes } from "node:crypto"')
    trips("rules-pure", rules, 'import { Ids } from "../platform/ids/Ids.ts"', {
      "runtime/platform/ids/Ids.ts": service
    })
    passes(rules, 'import type { Ids } from "../platform/ids/Ids.ts"', { "runtime/platform/ids/Ids.ts": service })
    passes(rules, 'import { Traits } from "@carteiro/schema/conventions/Access.ts"', {
      "schema/conventions/Access.ts": service
    })
    passes(rules, 'import { take } from "../platform/ratelimit/TokenBucket.ts"', {
      "runtime/platform/ratelimit/TokenBucket.ts": "export const take = 1\n"
    })
    passes("runtime/webhooks/WebhookEndpointRepo.ts", 'import { SqlClient } from "effect/sql"')
  })

  it("keeps SQL out of handlers", () => {
    trips("http-no-sql", "runtime/media/MediaHttp.ts", 'import { SqlClient } from "effect/sql"')
    passes("runtime/media/MediaHttp.ts", 'import { MediaRepo } from "./MediaRepo.ts"')
  })

  it("keeps platform below the rooms", () => {
    trips(
      "platform-below",
      "runtime/platform/outbox/Outbox.ts",
      'import { Webhooks } from "../../webhooks/Webhooks.ts"'
    )
    trips("platform-below", "runtime/platform/http/Routes.ts", 'import "@carteiro/schema/messages/Message.ts"')
    trips("platform-below", "runtime/platform/http/Routes.ts", 'import { boot } from "../../boot/Settings.ts"')
    passes("runtime/platform/http/Routes.ts", 'import "@carteiro/schema/conventions/Page.ts"\nimport "../ids/Ids.ts"')
  })

  it("keeps packages apart from runtime", () => {
    trips("packages-apart", "packages/provider/ChatProvider.ts", 'import "@carteiro/runtime/platform/ids/Ids.ts"')
    trips("packages-apart", "packages/provider-upstream/Upstream.ts", 'import "../../runtime/main.ts"')
    passes("packages/provider/ChatProvider.ts", 'import { Ids } from "@carteiro/schema/conventions/Ids.ts"')
  })

  it("names adapters in main and boot only", () => {
    const adapter = 'import { Upstream } from "@carteiro/provider-upstream/Upstream.ts"'
    trips("adapters-in-main", "runtime/messages/PhoneNumberEntity.ts", adapter)
    trips("adapters-in-main", "packages/simulators/Upstream.ts", adapter)
    passes("runtime/main.ts", adapter)
    passes("runtime/boot/Providers.ts", adapter)
    passes("runtime/messages/PhoneNumberEntity.ts", 'import { ChatProvider } from "@carteiro/provider/ChatProvider.ts"')
  })

  it("finds a cycle across workspaces once and names its way", () => {
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
