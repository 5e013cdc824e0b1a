import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { phone, recipients, seedBatches } from "./BatchStage.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Batches", (it) => {
  it.effect("sends one template to all of its recipients and counts their progress M-BAT-01 M-BAT-02 M-BAT-10", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const made = yield* batches.post({ recipients: recipients(5), name: " Maio " })
      assert.strictEqual(made.status, 202, made.text)
      assert.strictEqual(made.body.status, "queued")
      assert.strictEqual(made.body.name, "Maio")
      assert.strictEqual(made.body.recipient_count, 5)
      yield* turnBy(10_000)
      const { body } = yield* batches.get(`/${made.body.id}`)
      assert.strictEqual(body.status, "completed", JSON.stringify(body))
      assert.strictEqual(body.enqueued_count, 5)
      assert.strictEqual(body.sent_count, 5)
      assert.strictEqual(body.read_count, 5)
      assert.strictEqual(body.delivered_count, 5)
      assert.strictEqual(body.failed_count, 0)
      const list = yield* batches.get(`/${made.body.id}/recipients`)
      assert.deepStrictEqual(
        list.body.data.map((row: { to: string; status: string }) => [row.to, row.status]),
        Array.from({ length: 5 }, (_, n) => [phone(n), "read"])
      )
    })
  )
})
