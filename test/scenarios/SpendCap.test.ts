import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { insertUsage } from "@carteiro/runtime/billing/usage/UsageWrites.ts"
import { ProjectDirectory } from "@carteiro/runtime/projects/Operator.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { bothWays, type Story } from "../support/SdkCaller.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const story: Story<ReturnType<typeof WholeProduct>> = (it) => {
  it.effect(
    "refuses production sends of its project once debits reach it, until the UTC month ends M-ERR-07 A-ERR-16 A-ERR-26",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const directory = yield* ProjectDirectory
        const { organization_id, production, project, sandbox } = acme
        const number = yield* seedNumber(production)
        const sibling = yield* seedNumber(acme.sibling.production)
        const send = (from: string, key: string) =>
          Effect.map(
            post(
              "/v1/messages",
              {
                channel: "chatapp",
                sender: { type: "chatapp_phone_number", id: from },
                recipient: { type: "phone_e164", id: "+5511912345678" },
                message: { type: "text", text: { body: "Olá" } }
              },
              { key }
            ),
            ({ body, status }) => [status, body.error?.code]
          )
        const closed = [400, "service_window_required"]
        yield* directory.setSpendCap(organization_id, project.id, 800, yield* Clock.currentTimeMillis)
        assert.deepStrictEqual(yield* send(number.id, production.key), closed)

        const use = Effect.fnUntraced(function* () {
          const now = yield* Clock.currentTimeMillis
          const id = (yield* Ids).mint("usg", now)
          yield* (yield* Commit).write([
            insertUsage.row({
              organization_id,
              id,
              project_id: project.id,
              environment_id: production.id,
              meter_id: "message.transport.utility",
              source_type: "message",
              source_id: id,
              phone_number_id: number.id,
              occurred_at: now
            })
          ])
          yield* turnBy(1500)
        })
        yield* use()
        assert.deepStrictEqual(yield* send(number.id, production.key), closed)
        yield* use()
        assert.deepStrictEqual(yield* send(number.id, production.key), [402, "spend_limit_exceeded"])
        // Neither another project nor a sandbox is held to it.
        assert.deepStrictEqual(yield* send(sibling.id, acme.sibling.production.key), closed)
        const simulated = yield* seedNumber(sandbox)
        assert.deepStrictEqual(yield* send(simulated.id, sandbox.key), closed)
        yield* directory.setSpendCap(organization_id, project.id, null, yield* Clock.currentTimeMillis)
        assert.deepStrictEqual(yield* send(number.id, production.key), closed)
        yield* directory.setSpendCap(organization_id, project.id, 800, yield* Clock.currentTimeMillis)
        // What was spent in the month before counts no more.
        assert.deepStrictEqual(yield* send(number.id, production.key), [402, "spend_limit_exceeded"])
        yield* (yield* SqlClient.SqlClient)`update project_spending set month = '2025-12'`
        assert.deepStrictEqual(yield* send(number.id, production.key), closed)
      })
  )
}

for (const [how, product] of bothWays(WholeProduct())) {
  it.layer(product, { excludeTestServices: true })(`A monthly spend cap, ${how}`, story)
}
