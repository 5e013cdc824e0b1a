import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, paying } from "../payments/PaymentsStage.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { csrfIn, DashboardTest, type Fields, seedMember, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/payments"

it.layer(DashboardTest, { excludeTestServices: true })("Payments in the dashboard", (it) => {
  it.effect("are found by status, id and reference, and shown with their history and fees C-PAY-30 C-FEE-01", () =>
    Effect.gen(function* () {
      const { acme, create, id: environment, setStatus } = yield* paying("sandbox")
      const customer = { customer_name: "Bia <Lima>", customer_tax_id: "12345678909" }
      const paid = (yield* create({ external_reference: "order-7", description: "Shoes", ...customer })).body.id
      const waiting = (yield* create({ external_reference: "order-8" })).body.id
      yield* turnBy(500)
      yield* setStatus(paid, { status: "paid" })
      const someone = yield* signedIn(acme)
      const list = (query = "") => someone.get(`${section}?environment=${environment}${query}`)
      const all = (yield* list()).text
      for (const id of [paid, waiting]) assert.include(all, `${section}/${environment}/${id}`)
      assert.notInclude(all, "<Lima>")
      for (const [query, found, other] of [
        ["&status=paid", paid, waiting],
        ["&status=link_generated", waiting, paid],
        ["&named=order-8", waiting, paid],
        [`&named=${paid}`, paid, waiting],
        [`&named=sbpay_${waiting.slice(4)}`, waiting, paid]
      ]) {
        const { text } = yield* list(query)
        assert.include(text, String(found))
        assert.notInclude(text, String(other))
      }
      assert.include(textOf((yield* list("&named=nothing")).text), "Nothing here is like this.")
      const one = yield* someone.get(`${section}/${environment}/${paid}`)
      const text = textOf(one.text)
      for (const shown of ["R$ 125,50", "order-7", "Bia <Lima>", "Link ready", "R$ 0,49 charged, R$ 1,2550 held"]) {
        assert.include(text, shown)
      }
      assert.include(text, "R$ 1,2550 charged")
      assert.notInclude(text, "12345678909")
      assert.notInclude(one.text, "/cancel")
      assert.strictEqual((yield* someone.get(`${section}/${environment}/pay_none`)).status, 404)
      assert.strictEqual((yield* someone.get(`${section}/${acme.production.id}/${paid}`)).status, 404)
    })
  )

  it.effect("owners and admins request approval and cancel, members only read C-PAY-32 C-PCAN-03", () =>
    Effect.gen(function* () {
      const { acme, create, id: environment, payment } = yield* paying("sandbox")
      const { id } = (yield* create()).body
      const path = `${section}/${environment}/${id}`
      const owner = yield* signedIn(acme)
      const name = (yield* payment(id)).customer_name ?? id
      const early = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name })
      assert.deepStrictEqual([early.status, (yield* payment(id)).status], [409, "link_pending"])
      yield* turnBy(500)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(path)).text, `${path}/cancel`)
      for (const what of ["approval", "cancel"]) {
        assert.strictEqual((yield* member.submit(`${path}/cancel`, `${path}/${what}`)).status, 403)
      }
      assert.strictEqual((yield* payment(id)).status, "link_generated")
      const long = yield* owner.submit(path, `${path}/approval`, { note: "n".repeat(501) })
      assert.deepStrictEqual([long.status, (yield* payment(id)).status], [400, "link_generated"])
      const asked = yield* owner.submit(path, `${path}/approval`, { note: "Please" })
      assert.strictEqual(asked.headers.location, `${path}?done=approval_requested`)
      assert.strictEqual((yield* payment(id)).status, "approval_requested")
      const wrong = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name: "Another" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes(`That is not ${name}.`)], [400, true])
      assert.strictEqual((yield* payment(id)).status, "approval_requested")
      const cancelled = yield* owner.submit(`${path}/cancel`, `${path}/cancel`, { name })
      assert.strictEqual(cancelled.headers.location, `${path}?done=payment_cancelling`)
      yield* turnBy(500)
      const after = yield* payment(id)
      assert.deepStrictEqual([after.status, after.fees.completion.state], ["cancelled", "released"])
      const told = textOf((yield* owner.get(path)).text)
      assert.include(told, "R$ 1,2550 given back")
      const by = `${acme.owner.name} , in the console\\.`
      assert.match(
        told,
        new RegExp(`Approval requested [^.]*${by} Cancelled [^.]*${by} The provider reported it: \\w+\\.`)
      )
    })
  )

  it.effect("a form creates one however often it is sent, and leads to the link for the customer C-PAY-16", () =>
    Effect.gen(function* () {
      const { acme, id: environment, payment } = yield* paying("sandbox")
      const someone = yield* signedIn(acme)
      const path = `${section}/${environment}/new`
      assert.include((yield* someone.get(`${section}?environment=${environment}`)).text, path)
      const fields = {
        amount: "1.089,90",
        description: "Casaco de lã",
        customer_name: "Ana Souza",
        customer_phone: "11 91234-5678",
        customer_email: "",
        external_reference: "pedido-1042",
        expires: "3600"
      }
      const csrf = csrfIn((yield* someone.get(path)).text)
      const first = yield* someone.post(path, { csrf, ...fields })
      const again = yield* someone.post(path, { csrf, ...fields })
      const here = first.headers.location ?? ""
      assert.deepStrictEqual([first.status, again.headers.location], [303, here])
      const id = /(pay_\w+)/.exec(here)?.[1] ?? ""
      const made = yield* payment(id)
      assert.deepStrictEqual(
        [made.amount_brl, made.description, made.customer_phone, made.customer_email, made.external_reference],
        ["1089.9000", "Casaco de lã", "+5511912345678", null, "pedido-1042"]
      )
      assert.include(textOf((yield* someone.get(here)).text), "The link for your customer is being made.")
      yield* turnBy(500)
      const url = (yield* payment(id)).payment_link_url
      const shown = (yield* someone.get(here)).text
      assert.include(textOf(shown), "Link for the customer")
      assert.include(textOf(shown).replaceAll(" ,", ","), "Ana Souza, +55 11 91234-5678 · Brazil")
      assert.match(textOf(shown), new RegExp(`Accepted [^.]*${acme.owner.name} , in the console\\.`))
      assert.include(shown, `<input id="customer-link" type="text" class="copied-whole" value="${url}" readonly`)
      assert.match(shown, new RegExp(`<a href="${url}"[^>]*>Open it as your customer sees it</a>`))
    })
  )

  it.effect("what is refused stands at its field with what was typed, and members find no form C-PAY-17", () =>
    Effect.gen(function* () {
      const { acme, get, id: environment } = yield* paying("sandbox")
      const someone = yield* signedIn(acme)
      const path = `${section}/${environment}/new`
      const before = (yield* get("/v1/payments")).body.data.length
      const refused: ReadonlyArray<readonly [fields: Fields, field: string, sentence: string]> = [
        [{ amount: "50.00" }, "amount", "Write an amount such as 50,00"],
        [{ amount: "0,99" }, "amount", "Write an amount from R$ 1,00 to R$ 999.999,99."],
        [
          { amount: "50", customer_phone: "12" },
          "customer_phone",
          "Brazil has no such number. Write its area code, too"
        ],
        [{ amount: "50", customer_email: "ana" }, "customer_email", "e-mail"],
        [{ amount: "50", description: "x".repeat(501) }, "description", "500"],
        [{ amount: "50", expires: "1" }, "expires", "Choose another time"]
      ]
      for (const [fields, field, sentence] of refused) {
        const { status, text } = yield* someone.submit(path, path, { external_reference: "kept-7", ...fields })
        const error = new RegExp(`<p class="error" id="${field}-error">([^]*?)</p>`).exec(text)?.[1] ?? ""
        assert.deepStrictEqual([status, textOf(error).includes(sentence)], [400, true], `${field}: ${error}`)
        assert.include(text, 'value="kept-7"')
      }
      assert.strictEqual((yield* get("/v1/payments")).body.data.length, before)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(`${section}?environment=${environment}`)).text, path)
    })
  )

  it.effect("production asks first and says what it costs, and without an account leads to one C-PAY-24", () =>
    Effect.gen(function* () {
      const { acme, get, id: environment } = yield* paying("production")
      const someone = yield* signedIn(acme)
      const path = `${section}/${environment}/new`
      assert.include(textOf((yield* someone.get(path)).text), "none is connected yet.")
      yield* connect("pixprov2")
      const typed = { amount: "50,00", customer_phone: "11 91234-5678", expires: "3600" }
      const asked = yield* someone.submit(path, path, typed)
      assert.include(textOf(asked.text), "R$ 50,00 , to be paid by +55 11 91234-5678 · Brazil")
      assert.match(textOf(asked.text), /It costs R\$ 0,49 of your credit now, and 1% of the amount once it is paid\./)
      assert.match(asked.text, /<button name="back" value="1" formnovalidate>Go back/)
      const back = yield* someone.submit(path, path, { ...typed, confirmed: "1", back: "1" })
      assert.strictEqual(back.status, 200)
      for (const filled of ['value="50,00"', 'value="11 91234-5678"', '<option value="3600" selected'])
        assert.include(back.text, filled)
      assert.deepStrictEqual((yield* get("/v1/payments")).body.data, [])
      const sent = { amount: "50,00", customer_name: "Ana", expires: "3600", confirmed: "1" }
      const made = yield* someone.submit(path, path, sent)
      assert.deepStrictEqual([made.status, (yield* get("/v1/payments")).body.data.length], [303, 1])
    })
  )
})
