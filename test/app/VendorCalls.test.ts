import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { dirname } from "node:path"
import { Calls, operatorUrl, type WatchedCall } from "@carteiro/outbound/Calls.ts"
import { vendorCalls } from "@carteiro/runtime/app/VendorCalls.ts"
import { pixApiAuthorityPath } from "@carteiro/runtime/boot/simulators/PixApiSimulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { vendorStand } from "../support/VendorStand.ts"

const dataDir = Effect.acquireRelease(
  Effect.sync(() => dataFolder("carteiro-vendor-calls-")),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const limits = { connectTimeoutMs: 3000, totalTimeoutMs: 10_000, maxBytes: 65_536 }

/** The status of a call to a tenant's URL; undefined where it is not dialled, or has no answer. */
const statusAt = (url: string) =>
  Effect.flatMap(Calls, (calls) => {
    const target = calls.tenantUrl(url)
    if (target === undefined) return Effect.succeed(undefined)
    return Effect.map(calls.call({ method: "GET", url: target, headers: {}, limits }), (result) =>
      result._tag === "Answered" ? result.status : undefined
    )
  })

/** A host with a certificate of its own, which is its authority too. */
const institutionWith = ({ cert, key }: { readonly cert: string; readonly key: string }) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer({ cert, key }, (_, response) => void response.writeHead(401).end())
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => `https://localhost:${(server.address() as AddressInfo).port}`
  )

it.live(
  "a tenant's URL on this machine is dialled only where it is the simulated institution, by its authority alone",
  () =>
    Effect.gen(function* () {
      const certificate = selfSigned("localhost")
      const url = yield* institutionWith(certificate)
      const other = yield* vendorStand(() => ({ body: {} }))
      const base = { dataDir: yield* dataDir, webhookTargetAllowlist: new Set<string>() }
      const statuses = (settings: Parameters<typeof vendorCalls>[0]) =>
        Effect.provide(Effect.all([statusAt(`${url}/api/v2/cob`), statusAt(other.url)]), vendorCalls(settings))
      const simulated = { ...base, pixApiSimulatorUrl: `${url}/api/v2` }
      assert.deepStrictEqual(yield* statuses(simulated), [undefined, undefined])
      const authority = pixApiAuthorityPath(base)
      mkdirSync(dirname(authority), { recursive: true })
      writeFileSync(authority, certificate.cert)
      assert.deepStrictEqual(yield* statuses(simulated), [401, undefined])
      assert.deepStrictEqual(yield* statuses({ ...base, pixApiSimulatorUrl: undefined }), [undefined, undefined])
      assert.lengthOf(other.received, 0)
      const allowlist = new Set([other.url, url])
      const allowed = { ...base, pixApiSimulatorUrl: undefined, webhookTargetAllowlist: allowlist }
      // A file that was left behind counts for nothing without the simulated institution.
      assert.deepStrictEqual(yield* statuses(allowed), [undefined, 200])
    }).pipe(Effect.scoped)
)

it.live("the calls to an operator's vendors are watched, and those to a tenant's are not", () =>
  Effect.gen(function* () {
    const vendor = yield* vendorStand(() => ({ status: 402, body: {} }))
    const seen: Array<WatchedCall> = []
    const settings = {
      dataDir: yield* dataDir,
      pixApiSimulatorUrl: undefined,
      webhookTargetAllowlist: new Set([vendor.url])
    }
    yield* Effect.provide(
      Effect.gen(function* () {
        const calls = yield* Calls
        yield* calls.call({ method: "GET", url: operatorUrl(vendor.url), headers: {}, limits })
        assert.strictEqual(yield* statusAt(vendor.url), 402)
      }),
      vendorCalls(settings, (call) => void seen.push(call))
    )
    assert.lengthOf(vendor.received, 2)
    assert.lengthOf(seen, 1)
  }).pipe(Effect.scoped)
)
