import { Draining } from "@carteiro/http-edge/Listener.ts"
import { attemptResult, failureOf, type OutboundResult } from "@carteiro/outbound/Attempt.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { OwnerTest, quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { anyTenantUrl } from "../support/Vendors.ts"
import { attemptsOf, endpointRow, raise, register } from "./Deliveries.ts"

const asked: Array<string> = []
const results: Array<OutboundResult> = []

/** The network as the test says, without a socket. */
const outside = Layer.succeed(Outbound, {
  post: ({ url }) =>
    Effect.sync(() => {
      asked.push(url.href)
      return results.shift() ?? attemptResult(200, null)
    }),
  check: () => "ok" as const,
  tenantUrl: anyTenantUrl,
  originOf: (url) => url,
  vet: () => Effect.succeed("ok" as const)
})

const NodeTest = OwnerTest(
  Webhooks.room.actions.pipe(
    Layer.provideMerge(Webhooks.room.owners),
    Layer.provideMerge(outside),
    Layer.provide(Draining.layer)
  ),
  Webhooks.room.followers
)

it.layer(NodeTest, { excludeTestServices: true })("a node without sockets", (it) => {
  it.effect.each(["EMFILE", "ENFILE", "ENOBUFS"])(
    "records no failure of the receiver on %s A-WHV-07 A-WHE-24",
    (code) =>
      Effect.gen(function* () {
        asked.length = 0
        const { sandbox } = yield* seedTenant(code.toLowerCase())
        const endpoint = yield* register(sandbox, "https://receiver.test/")
        results.push(failureOf(Object.assign(new Error(code), { code })))
        yield* raise(sandbox)
        yield* quiesce
        assert.strictEqual(asked.length, 1)
        assert.deepStrictEqual(
          (yield* attemptsOf(endpoint.id)).map(({ attempt, status }) => [attempt, status]),
          [[1, "pending"]]
        )
        yield* turnBy(1000)
        assert.strictEqual(asked.length, 2)
        assert.deepStrictEqual(
          (yield* attemptsOf(endpoint.id)).map(({ attempt, status }) => [attempt, status]),
          [[1, "succeeded"]]
        )
        assert.deepInclude(yield* endpointRow(endpoint.id), { failures: 0, last_failure_at: null })
      })
  )
})
