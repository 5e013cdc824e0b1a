import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { json, run } from "../cli/Commands.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/groups"

it.layer(DashboardTest.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })("Groups", (it) => {
  it.effect("are shown with outcomes and participants, as the commands show them C-GRP-14 C-GRP-16", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber({ id: environment, kind: "sandbox" })
      const create = (subject: string) =>
        Effect.map(
          post("/v1/groups", { phone_number_id: number.id, subject }, { key }),
          ({ body }) => body.id as string
        )
      const id = yield* create("<b>Maio</b>")
      yield* turnBy(500)
      const waiting = yield* create("Junho")
      const move = (action: string) =>
        post(`/v1/sandbox/groups/${id}/participants`, { action, chat_id: "+5511955554444" }, { key })
      assert.strictEqual((yield* move("join")).status, 200)

      const someone = yield* signedIn(acme)
      const list = textOf((yield* someone.get(`${section}?environment=${environment}`)).text)
      assert.match(list, /Junho[\s\S]*pending[\s\S]*Waits for the platform[\s\S]*Maio[\s\S]*active/)
      assert.notInclude((yield* someone.get(`${section}?environment=${environment}`)).text, "<b>Maio")
      const active = textOf((yield* someone.get(`${section}?environment=${environment}&status=active`)).text)
      assert.notInclude(active, "Junho")
      const shown = textOf((yield* someone.get(`${section}/${environment}/${id}`)).text)
      assert.match(shown, /\+55 11 95555-4444[\s\S]*joined/)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.match(
        textOf((yield* member.get(`${section}/${environment}/${id}`)).text),
        /What happened[\s\S]*\+55 11 95555-4444 joined/
      )
      const other = `${section}/${acme.production.id}/${id}`
      assert.strictEqual((yield* someone.get(other)).status, 404)
      assert.strictEqual((yield* someone.get(`${section}/${environment}/nonsense`)).status, 404)

      const on = ["-e", environment] as const
      const { data } = yield* json("groups", "list", ...on)
      assert.deepStrictEqual(
        data.map((group: { readonly id: string }) => group.id),
        [waiting, id]
      )
      assert.deepStrictEqual((yield* json("groups", "list", ...on, "--status", "pending")).data[0].id, waiting)
      assert.deepStrictEqual((yield* json("groups", "list", ...on, "--number", "pn_none")).data, [])
      const one = yield* json("groups", "show", id, ...on)
      assert.deepStrictEqual([one.has_invite_link, one.invite_link, one.participant_count], [true, undefined, 1])
      assert.deepStrictEqual(one.changes[0].action, "join")
      assert.match((yield* run("groups", "show", id, ...on)).text, /^has_invite_link +true$/m)
      assert.match((yield* run("groups", "list", ...on)).text, /active +1 +\S+ +<b>Maio<\/b>$/m)
      assert.match((yield* run("groups", "show", id, "-e", acme.production.id)).refusal, /No group/)
      assert.match((yield* run("groups", "list", ...on, "--status", "open")).refusal, /--help/)
    })
  )
})
