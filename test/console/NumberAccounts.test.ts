import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NumprovWorld, numprovStage } from "../provider-connections/NumprovWorld.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { csrfIn, seedMember, signedIn, textOf } from "./Visitor.ts"

const world = new NumprovWorld()
const section = "/dashboard/number-accounts"

/** An owner of an organization with a plan that manages numbers, and the account that it has at the provider. */
const stage = (numbers: number, plan: string | null = "plo_standard") =>
  Effect.gen(function* () {
    const { production, tenant } = yield* numprovStage
    const sql = yield* SqlClient.SqlClient
    if (plan !== null) {
      yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id)
        values (${tenant.organization_id}, '2025-12-01T00:00:00Z', ${plan})`
    }
    const account = world.open(numbers)
    const owner = yield* signedIn(tenant)
    const environment = tenant.production.id
    const list = `${section}?environment=${environment}`
    const add = (more: Readonly<Record<string, string>> = {}) =>
      owner.submit(list, `${section}/${environment}`, { display_name: "Our numbers", ...account, ...more })
    const added = Effect.gen(function* () {
      const made = yield* add()
      assert.strictEqual(made.status, 303, made.text)
      yield* quiesce
      return made.headers.location ?? ""
    })
    return { account, add, added, environment, list, owner, production, sql, tenant }
  })

it.layer(WholeProduct({ sweeps: false, vendors: world.layer }), { excludeTestServices: true })(
  "Pages of accounts at the number provider",
  (it) => {
    it.effect(
      'an account is added, and its numbers are listed once its key is proven gaps-2 L "Number-provider connections"',
      () =>
        Effect.gen(function* () {
          const { account, add, environment, list, owner, production, sql } = yield* stage(3)
          const empty = textOf((yield* owner.get(list)).text)
          assert.include(empty, "Accounts of yours at the number provider")
          const made = yield* add({ webhook_secret: "whsec-of-the-account" })
          const page = made.headers.location ?? ""
          assert.match(page, new RegExp(`^${section}/${environment}/npc_[0-9a-z]{26}$`))
          yield* quiesce
          const shown = yield* owner.get(page)
          const text = textOf(shown.text)
          for (const said of ["Our numbers", "connected", account.account_id, "configured", "receives them"]) {
            assert.include(text, said)
          }
          assert.notInclude(text, "This page moves by itself.")
          assert.strictEqual(shown.text.match(/\+55 11 8\d{4}-\d{4}<\/span>/g)?.length, 3)
          for (const secret of [account.api_key, "whsec-of-the-account"]) assert.notInclude(shown.text, secret)
          assert.include(textOf((yield* owner.get(list)).text), "Our numbers")
          const [listed] = (yield* production.get("")).body.data
          assert.deepStrictEqual([listed.display_name, page.endsWith(listed.id)], ["Our numbers", true])
          yield* sql`update numprov_operations set status = 'pending', completed_at = null, due_at = '2030-01-01T00:00:00Z'
            where environment_id = ${environment}`
          assert.include(textOf((yield* owner.get(page)).text), "The provider is asked. This page moves by itself.")
        })
    )

    it.effect("a refused account is told beside the form, which forgets the secrets that were typed", () =>
      Effect.gen(function* () {
        const { account, add, added, owner } = yield* stage(1)
        const nameless = yield* add({ display_name: " ", webhook_secret: "whsec-of-the-account" })
        assert.strictEqual(nameless.status, 400)
        assert.match(nameless.text, /id="display_name-error"/)
        assert.include(nameless.text, `value="${account.account_id}"`)
        for (const secret of [account.api_key, "whsec-of-the-account"]) assert.notInclude(nameless.text, secret)
        yield* added
        const second = yield* add()
        assert.deepStrictEqual(
          [second.status, textOf(second.text).includes("This environment has a live number-provider connection.")],
          [409, true]
        )
        owner.cookies.set("carteiro_language", "pt")
        assert.include(textOf((yield* add()).text), "Este ambiente já tem uma conexão com um provedor de números.")
      })
    )

    it.effect("a key that the provider refuses is said on the page, with what to do", () =>
      Effect.gen(function* () {
        const { add, owner } = yield* stage(1)
        const made = yield* add({ api_key: "a-key-of-nobody" })
        yield* quiesce
        const text = textOf((yield* owner.get(made.headers.location ?? "")).text)
        assert.include(text, "The provider refuses this key for this account.")
        assert.include(text, "This account was not connected: add it again.")
        assert.notInclude(text, "List the numbers again")
      })
    )

    it.effect("a number is connected from the list once the terms are accepted, and is there only once M-IMP-04", () =>
      Effect.gen(function* () {
        const { account, added, environment, owner, production } = yield* stage(2)
        const page = yield* added
        const [number] = world.accounts.get(account.api_key)?.numbers ?? []
        const form = `${page}/connect?number=${number?.number_id}`
        assert.include((yield* owner.get(page)).text, `href="${form}"`)
        assert.include(
          textOf((yield* owner.get(form)).text),
          `Connects ${readablePhone(number?.number ?? "").text} to this environment.`
        )
        const fields = { number: number?.number_id ?? "", display_name: "Loja Aurora" }
        const without = yield* owner.submit(form, `${page}/connect`, fields)
        assert.deepStrictEqual([without.status, without.text.includes('value="Loja Aurora"')], [400, true])
        const accepted = { ...fields, terms: "numprov_byok_v1" }
        const done = yield* owner.submit(form, `${page}/connect`, accepted)
        const [, id = ""] =
          /^\/dashboard\/phone-numbers\/[^/]+\/(pn_\w+)\?done=number_connected$/.exec(done.headers.location ?? "") ?? []
        const { display_name, numprov_management, phone } = yield* production.number(id)
        assert.deepStrictEqual(
          [phone, display_name, page.endsWith(numprov_management?.provider_connection_id)],
          [number?.number, "Loja Aurora", true]
        )
        const after = yield* owner.get(page)
        assert.include(after.text, `href="/dashboard/phone-numbers/${environment}/${id}"`)
        assert.notInclude(after.text, `href="${form}"`)
        const again = yield* owner.submit(form, `${page}/connect`, accepted)
        assert.deepStrictEqual(
          [again.status, textOf(again.text).includes("This number is imported already.")],
          [409, true]
        )
        const strange = yield* owner.submit(form, `${page}/connect`, { ...accepted, number: "num_of_nobody" })
        assert.strictEqual(strange.status, 404)
      })
    )

    it.effect("a plan that manages no numbers is said before anything is connected M-IMP-08", () =>
      Effect.gen(function* () {
        const { account, added, owner } = yield* stage(1, null)
        const page = yield* added
        const [number] = world.accounts.get(account.api_key)?.numbers ?? []
        const refused = yield* owner.submit(`${page}/connect?number=${number?.number_id}`, `${page}/connect`, {
          number: number?.number_id ?? "",
          display_name: "Loja",
          terms: "numprov_byok_v1"
        })
        assert.deepStrictEqual(
          [refused.status, textOf(refused.text).includes("needs an active Standard or Growth plan")],
          [403, true]
        )
      })
    )

    it.effect("numbers are listed again, the key is changed, and an account ends by its name M-IMP-18", () =>
      Effect.gen(function* () {
        const { account, added, owner, production } = yield* stage(1)
        const page = yield* added
        const id = page.split("/").at(-1) ?? ""
        const read = Effect.map(production.get(`/${id}`), ({ body }) => body)
        assert.strictEqual((yield* owner.submit(page, `${page}/refresh`)).headers.location, page)
        assert.strictEqual((yield* read).latest_operation.kind, "discovery")
        yield* quiesce
        const empty = yield* owner.submit(page, `${page}/key`, { api_key: "" })
        assert.deepStrictEqual([empty.status, empty.text.includes('id="api_key-error"')], [400, true])
        assert.strictEqual(
          (yield* owner.submit(page, `${page}/key`, { api_key: account.api_key })).headers.location,
          page
        )
        yield* quiesce
        assert.deepStrictEqual(
          [(yield* read).latest_operation.kind, (yield* read).latest_operation.status],
          ["rotate", "succeeded"]
        )
        const wrong = yield* owner.submit(`${page}/disconnect`, `${page}/disconnect`, { name: "Another" })
        assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not Our numbers.")], [400, true])
        const gone = yield* owner.submit(`${page}/disconnect`, `${page}/disconnect`, { name: "Our numbers" })
        assert.strictEqual(gone.headers.location, `${page}?done=disconnected`)
        assert.strictEqual((yield* read).status, "disconnected")
        const shown = textOf((yield* owner.get(page)).text)
        for (const hidden of ["List the numbers again", "Change the key"]) assert.notInclude(shown, hidden)
      })
    )

    it.effect("a member reads accounts and their numbers, and changes nothing", () =>
      Effect.gen(function* () {
        const { account, added, environment, list, production, tenant } = yield* stage(1)
        const page = yield* added
        const member = yield* signedIn(tenant, yield* seedMember(tenant, "member"))
        for (const address of [list, page]) {
          const { status, text } = yield* member.get(address)
          assert.deepStrictEqual(
            [status, text.includes('<form method="post" action="/dashboard/number-accounts')],
            [200, false]
          )
        }
        const [number] = world.accounts.get(account.api_key)?.numbers ?? []
        assert.include(textOf((yield* member.get(page)).text), readablePhone(number?.number ?? "").text)
        assert.strictEqual((yield* member.get(`${page}/connect?number=${number?.number_id}`)).status, 403)
        const csrf = csrfIn((yield* member.get("/dashboard/device")).text)
        for (const address of [`${section}/${environment}`, `${page}/disconnect`, `${page}/refresh`, `${page}/key`]) {
          const answer = yield* member.post(address, { csrf, name: "Our numbers", api_key: "another" })
          assert.strictEqual(answer.status, 403, address)
        }
        const id = page.split("/").at(-1)
        assert.strictEqual((yield* production.get(`/${id}`)).body.latest_operation.kind, "register")
      })
    )

    it.effect("an account is found by its id, and of another organization it is not there", () =>
      Effect.gen(function* () {
        const { added, environment, owner } = yield* stage(1)
        const other = yield* stage(1)
        const page = yield* added
        const id = page.split("/").at(-1) ?? ""
        assert.strictEqual((yield* owner.get(`/dashboard/search?q=${id}&open=1`)).headers.location, page)
        assert.strictEqual((yield* other.owner.get(page)).status, 404)
        const foreign = page.replace(environment, other.environment)
        assert.strictEqual((yield* other.owner.get(foreign)).status, 404)
        assert.strictEqual(
          (yield* other.owner.submit(other.list, `${foreign}/disconnect`, { name: "Our numbers" })).status,
          404
        )
      })
    )
  }
)
