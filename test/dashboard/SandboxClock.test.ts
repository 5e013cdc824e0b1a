import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

/** Returns the time that a page tells its script, in epoch milliseconds. */
const servedNow = (page: string): number => Number(/<body data-now="(\d+)">/.exec(page)?.[1])

it.layer(DashboardTest, { excludeTestServices: true })("The page of a sandbox's clock", (it) => {
  it.effect("shows the time and the next due work, and advances the clock by its buttons", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme
      const page = `/dashboard/sandbox-clock?environment=${sandbox.id}`
      const turn = `/dashboard/sandbox-clock/${sandbox.id}/turn`
      const someone = yield* signedIn(acme)
      const payment = yield* post("/v1/payments", { amount_brl_centavos: 5_000 }, { key: sandbox.key })
      assert.strictEqual(payment.status, 201, payment.text)
      yield* turnBy(1_000)
      const before = textOf((yield* someone.get(page)).text)
      assert.match(before, /Ahead by 0 s/)
      assert.match(before, /Payments of env_\w+ .*7 d|6 d 23 h/)

      assert.strictEqual((yield* someone.submit(page, turn, { turn: "freeze" })).status, 303)
      const stands = textOf((yield* someone.get(page)).text)
      assert.match(stands, /The clock stands still/)
      const elsewhere = textOf((yield* someone.get(`/dashboard/messages?environment=${sandbox.id}`)).text)
      assert.match(elsewhere, /The time of this sandbox is .*, and stands still\. Turn its clock/)

      assert.strictEqual((yield* someone.submit(page, turn, { turn: "day" })).status, 303)
      yield* turnBy(5_000)
      assert.match(textOf((yield* someone.get(page)).text), /Ahead by (1 d|23 h)/)
      const ahead = (yield* someone.get(`/dashboard/messages?environment=${sandbox.id}`)).text
      assert.match(ahead, /The time of this sandbox is <span class="exact"><time /)
      for (const section of ["request-logs", "api-keys"]) {
        const real = (yield* someone.get(`/dashboard/${section}?environment=${sandbox.id}`)).text
        assert.notInclude(real, "The time of this sandbox is")
        assert.isAbove(servedNow(ahead) - servedNow(real), 23 * hourMs)
      }
      yield* someone.submit(page, turn, { turn: "next" })
      yield* turnBy(5_000)
      const paid = textOf((yield* someone.get(`/dashboard/payments?environment=${sandbox.id}`)).text)
      assert.match(paid, /expired/)
      assert.strictEqual((yield* someone.submit(page, turn, { turn: "resume" })).status, 303)
      assert.match(textOf((yield* someone.get(page)).text), /The clock goes on/)
    })
  )

  it.effect("is for owners and admins of the sandbox's organization", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const page = `/dashboard/sandbox-clock?environment=${acme.sandbox.id}`
      const owner = yield* signedIn(acme)
      const stranger = yield* signedIn(other)
      assert.strictEqual((yield* stranger.get(page)).status, 404)
      const theirs = `/dashboard/sandbox-clock?environment=${other.sandbox.id}`
      const turn = { turn: "freeze" }
      const foreign = yield* stranger.submit(theirs, `/dashboard/sandbox-clock/${acme.sandbox.id}/turn`, turn)
      assert.strictEqual(foreign.status, 404)
      const production = `/dashboard/sandbox-clock?environment=${acme.production.id}`
      assert.match(textOf((yield* owner.get(production)).text), /Production has real time only/)
      const led = yield* owner.submit(page, `/dashboard/sandbox-clock/${acme.production.id}/turn`, turn)
      assert.strictEqual(led.status, 404)
      const nonsense = yield* owner.submit(page, `/dashboard/sandbox-clock/${acme.sandbox.id}/turn`, { turn: "back" })
      assert.strictEqual(nonsense.status, 404)
    })
  )
})
