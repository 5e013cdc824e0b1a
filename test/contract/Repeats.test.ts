import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { operations, pathOf } from "./Described.ts"
import { examples, seedThings } from "./Stage.ts"

const honoring = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "idempotency-key"))

it.layer(WholeProduct(), { excludeTestServices: true })("A repeated command", (it) => {
  it.effect("that succeeds completes its key, also when it changes nothing A-IDEM-04", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = api.acme
      const things = yield* seedThings(sandbox)
      const bodies = examples({ phone_number_id: things.phone_number_id, environment: "sandbox" })
      const replayed: Array<string> = []
      for (const { method, operationId, path } of honoring) {
        const ask = (idempotencyKey: string) =>
          api.call(method, pathOf(path, things), bodies[operationId], { key: sandbox.key, idempotencyKey })
        yield* ask(`${operationId}, first`)
        yield* quiesce
        const repeated = yield* ask(operationId)
        const again = yield* ask(operationId)
        assert.strictEqual(again.status, repeated.status, operationId)
        if (repeated.status >= 300) continue
        replayed.push(operationId)
        assert.strictEqual(again.text, repeated.text, operationId)
        assert.strictEqual(again.headers["svc-idempotent-replayed"], "true", operationId)
      }
      for (const command of [
        "providerConnections.disconnect",
        "agentic.authorizations.revoke",
        "phoneNumbers.disconnect"
      ]) {
        assert.include(replayed, command)
      }
    })
  )
})
