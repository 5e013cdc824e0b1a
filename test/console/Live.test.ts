import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { paying } from "../payments/PaymentsStage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

/** The stream that a page follows; undefined for a page that follows none. */
const streamOf = (page: string) => / data-stream="([^"]+)"/.exec(page)?.[1]
const hasScript = (page: string) => page.includes('<script src="/dashboard/scripts/live.js')

/** Ids of the parts that a script takes over. */
const partsOf = (page: string) => [...page.matchAll(/ id="([\w-]+)"[^>]* data-live/g)].map(([, id = ""]) => id)

it.layer(DashboardTest, { excludeTestServices: true })("Pages that follow what happens", (it) => {
  it.effect("the first page of each list follows the stream of its environment, and older pages stand still", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const someone = yield* signedIn(acme)
      for (const list of ["messages", "webhooks", "payments", "batches", "templates", "contacts"]) {
        const { text } = yield* someone.get(`/dashboard/${list}?environment=${id}`)
        assert.strictEqual(streamOf(text), `/dashboard/stream?environment=${id}`, list)
        assert.isTrue(hasScript(text), list)
        assert.include(partsOf(text), "rows", list)
        assert.include(textOf(text), "This page shows how it was when it was loaded. Look again", list)
      }
      const to = (yield* seedNumber(acme.sandbox)).id
      const spoken = { channel: "chatapp", from: "+5511922220000", to, type: "text", text: { body: "old" } }
      const { body } = yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      const older = yield* someone.get(`/dashboard/messages?environment=${id}&before=${body.id}`)
      assert.deepStrictEqual([streamOf(older.text), hasScript(older.text)], [undefined, false])
    })
  )

  it.effect("the request log is on no stream: its page says so to a script that looks every few seconds", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`/dashboard/request-logs?environment=${acme.sandbox.id}`)
      assert.deepStrictEqual([streamOf(text), hasScript(text), partsOf(text)], [undefined, true, ["list-head", "rows"]])
      assert.include(text, 'id="live"')
    })
  )

  it.effect("a page that is loaded again shows in its parts what happened meanwhile", () =>
    Effect.gen(function* () {
      const { acme, create, id, setStatus } = yield* paying("sandbox")
      const payment = (yield* create()).body.id
      yield* turnBy(500)
      const someone = yield* signedIn(acme)
      const path = `/dashboard/payments/${id}/${payment}`
      const before = (yield* someone.get(path)).text
      for (const part of ["facts", "timeline-now", "deliveries-now", "ledger-now"])
        assert.include(partsOf(before), part)
      assert.deepStrictEqual(partsOf(before), [...new Set(partsOf(before))])
      yield* setStatus(payment, { status: "paid" })
      const after = (yield* someone.get(path)).text
      assert.deepStrictEqual(partsOf(after), partsOf(before))
      assert.notInclude(textOf(before), "Paid 1 Jan")
      assert.include(textOf(after), "Paid 1 Jan")
    })
  )

  it.effect("an advance of a clock shows how far it has come as a bar, without a reload", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      yield* post("/v1/sandbox/clock/advance", { by_seconds: 86_400 }, { key })
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`/dashboard/sandbox-clock?environment=${id}`)
      assert.match(
        text,
        /data-moves="1"[\s\S]*<progress max="86400000" value="\d+" aria-label="Progress of the clock">/
      )
      assert.isTrue(hasScript(text))
    })
  )
})

/** Runs the script of live pages over one part, and returns what hands it a fresh answer and counts the parts it took. */
const livePart = (markup: string) => {
  const none = () => undefined
  const taken: Array<string> = []
  const listeners = new Map<string, (event: { readonly detail: string }) => void>()
  const part = { id: "rows", innerHTML: markup, contains: () => false, querySelectorAll: () => [] }
  const document = {
    body: { dataset: {} },
    hidden: true,
    getElementById: () => null,
    querySelectorAll: (what: string) =>
      what === "[data-live]" ? [{ ...part, replaceChildren: () => taken.push("") }] : [],
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    dispatchEvent: none
  }
  class DOMParser {
    parseFromString(innerHTML: string) {
      return { body: { dataset: {} }, getElementById: () => ({ ...part, innerHTML, childNodes: [] }) }
    }
  }
  const source = readFileSync(new URL("../../packages/console/kit/live.js", import.meta.url), "utf8")
  const others = { addEventListener: none, clearTimeout: none, getSelection: none, performance, CustomEvent, DOMParser }
  runInNewContext(source, { document, ...others })
  return { look: (text: string) => listeners.get("fresh")?.({ detail: text }), taken }
}

it("the script of live pages takes over a part that changed, and none for the new value of its forms or older times", () => {
  const markup = (csrf: string, status: string) =>
    `<time data-ago="${csrf} seconds ago"></time><form><input type="hidden" name="csrf" value="${csrf}">${status}</form>`
  const { look, taken } = livePart(markup("one", "queued"))
  look(markup("two", "queued"))
  assert.lengthOf(taken, 0)
  look(markup("three", "sent"))
  look(markup("four", "sent"))
  assert.lengthOf(taken, 1)
})
