import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { isListFault } from "@carteiro/lists/Faults.ts"
import { readSheet } from "@carteiro/lists/Sheet.ts"
import { readPhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { csvReply } from "../../packages/console/kit/Csv.ts"
import { listFile, mostFileRows } from "../../packages/console/kit/ListFile.ts"
import { committedDescription } from "../../packages/openapi/Committed.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

/** Parameters of lists that are no filters, or that its page has otherwise: paging, what rows hold, and these. */
const paging = ["limit", "starting_after", "after", "include", "event_types"]

/** The call below a list: its path, and its parameters by name. */
const callIn = (page: string) => {
  const text = page
    .slice(page.indexOf("<summary>Copy as curl"))
    .split("</code></pre>")[0]
    ?.replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
  const [, path = ""] = /curl -G 'https?:\/\/[^/]+([^']+)'/.exec(text ?? "") ?? []
  const asked = [...(text ?? "").matchAll(/--data-urlencode '(\w+)=([^']*)'/g)]
  return { text: text ?? "", path, query: new URLSearchParams(asked.map(([, name = "", value = ""]) => [name, value])) }
}

/** Pages of lists, told by their file. */
const listPages = Effect.map(RouteTable, (table) =>
  table
    .routes()
    .flatMap((route) => (route.kind === "raw" && /^\/dashboard\/[\w-]+\/export$/.test(route.path) ? [route.path] : []))
    .map((path) => path.replace("/export", ""))
)

/** An id before which no list has a row. */
const behind = `msg_${"0".repeat(26)}`

interface Parameter {
  readonly in: string
  readonly name: string
}

/** Names of the query of a list by its path. */
const filtersOf = (path: string): ReadonlyArray<string> => {
  const { paths } = JSON.parse(committedDescription() ?? "") as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters: ReadonlyArray<Parameter> } }>>
  }
  return (paths[path]?.get?.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name)
}

it.layer(DashboardTest, { excludeTestServices: true })("Lists", (it) => {
  it.effect("an empty list explains its purpose with one thing to do, and its file has only the header", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const pages = yield* listPages
      assert.isAbove(pages.length, 17)
      for (const path of pages) {
        const { status, text } = yield* someone.get(`${path}?environment=${acme.production.id}`)
        assert.strictEqual(status, 200, path)
        const main = text.slice(text.indexOf("<main"))
        if (!main.includes('<table role="table">')) {
          assert.include(main, 'class="first-step"', path)
          const list = main.slice(main.indexOf('<h2 id="list">'))
          assert.notInclude(main, 'role="search" aria-label="Filters"', path)
          assert.isAtMost((list.match(/class="(button )?primary"/g) ?? []).length, 1, path)
        }
        const file = yield* someone.get(`${path}/export?environment=${acme.production.id}`)
        assert.deepStrictEqual([file.status, file.headers["content-type"]], [200, "text/csv; charset=utf-8"], path)
        assert.match(file.text, /^[a-z_]+(,[a-z_]+)+\r\n/, path)
        assert.match(file.headers["content-disposition"] ?? "", /^attachment; filename="[a-z-]+\.csv"$/)
      }
    })
  )

  it.effect("the copied curl call of a list of messages returns the rows that are shown", () =>
    Effect.gen(function* () {
      const { acme, call, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const speak = (from: string) =>
        post(
          "/v1/sandbox/inbound-messages",
          { channel: "chatapp", from, to: number.id, type: "text", text: { body: "=1+1" } },
          { key }
        )
      const first = yield* speak("+5511922221111")
      const second = yield* speak("+5511922223333")
      assert.deepStrictEqual([first.status, second.status], [202, 202])
      const someone = yield* signedIn(acme)
      const narrowed = `environment=${environment}&type=text&direction=inbound&created_after=2020-01-01`
      const { text } = yield* someone.get(`/dashboard/messages?${narrowed}`)
      const all = `<a class="button quiet" href="/dashboard/messages?environment=${environment}">Show all`
      assert.include(text, all)
      assert.notInclude((yield* someone.get(`/dashboard/messages?environment=${environment}`)).text, ">Show all")
      const { path, query, text: curl } = callIn(text)
      assert.include(curl, '-H "Authorization: Bearer $CARTEIRO_API_KEY"')
      assert.deepStrictEqual([...query.keys()], ["direction", "type", "created_after"])
      const answer = yield* call("GET", `${path}?${query}`, undefined, { key })
      assert.strictEqual(answer.status, 200, answer.text)
      const ids = answer.body.data.map(({ id }: { readonly id: string }) => id)
      assert.deepStrictEqual(ids, [second.body.id, first.body.id])
      for (const id of ids) assert.include(text, `/dashboard/messages/${environment}/${id}`)
      const file = yield* someone.get(`/dashboard/messages/export?${narrowed}`)
      assert.deepStrictEqual(
        file.text.split("\r\n").map((line) => line.split(",")[0]),
        ["id", ...ids, ""]
      )
      const none = yield* someone.get(`/dashboard/messages?${narrowed.replace("inbound", "outbound")}`)
      assert.include(textOf(none.text), "Nothing here is like this. Show all")
    })
  )

  it.effect("every list offers the filters of its API route", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const { id: environment } = acme.sandbox
      const someone = yield* signedIn(acme)
      const calls = new Set<string>()
      for (const path of yield* listPages) {
        // A list without any row has nothing to narrow: a page behind its first has its filters.
        const { text } = yield* someone.get(`${path}?environment=${environment}&before=${behind}`)
        const call = callIn(text)
        if (call.path === "") continue
        calls.add(call.path)
        const main = text.slice(text.indexOf("<main"), text.indexOf("<footer"))
        const offered = [...main.matchAll(/ name="([\w]+)"/g)].map(([, name = ""]) => name)
        // The page of groups is older than the name of its parameter.
        const named = offered.map((name) => (name === "number" ? "phone_number_id" : name))
        const missing = filtersOf(call.path).filter((name) => !paging.includes(name) && !named.includes(name))
        assert.deepStrictEqual(missing, [], path)
      }
      assert.isAbove(calls.size, 13)
      assert.strictEqual((yield* call("GET", "/dashboard/messages/export")).status, 303)
    })
  )

  it.effect("a file has at most its maximum of rows, read in bounded parts", () =>
    Effect.gen(function* () {
      const counts: Array<number> = []
      const read = (before: string | undefined, count: number) => {
        counts.push(count)
        const from = before === undefined ? 0 : Number(before) + 1
        const rows = Array.from({ length: count }, (_, index) => ({ id: String(from + index) }))
        return Effect.succeed({ rows, walked_to: null })
      }
      const { body } = yield* listFile("x", { id: ({ id }: { readonly id: string }) => id }, ({ id }) => id, read)
      const lines = String(body).split("\r\n")
      assert.deepStrictEqual([lines.length, lines[1], lines.at(-2)], [mostFileRows + 2, "0", String(mostFileRows - 1)])
      assert.deepStrictEqual([...new Set(counts)], [1000])
      let reads = 0
      const empty = () => Effect.sync(() => ({ rows: [], walked_to: String(reads++) }))
      yield* listFile("x", { id: () => null }, () => "", empty)
      assert.strictEqual(reads, 60)
    })
  )

  it.effect(
    'a list is downloaded as a Brazilian spreadsheet opens it, with phones that can be read again gaps-2 A "Phones outside `recipient.id`"',
    () =>
      Effect.gen(function* () {
        const { other, post } = yield* Api
        const { id, key } = other.sandbox
        const made = yield* post("/v1/contacts/opt-in", { phone: "+5511922224444" }, { key })
        assert.strictEqual(made.status, 200)
        const someone = yield* signedIn(other)
        const page = `/dashboard/contacts?environment=${id}`
        assert.include((yield* someone.get(page)).text, `/dashboard/contacts/export?environment=${id}&amp;format=br"`)
        const plain = yield* someone.get(`/dashboard/contacts/export?environment=${id}`)
        assert.match(plain.text, /^id,phone,.*\r\ncon_\w+,\+5511922224444,/)
        const file = yield* someone.get(`/dashboard/contacts/export?environment=${id}&format=br`)
        assert.deepStrictEqual([...Buffer.from(file.text).subarray(0, 3)], [0xef, 0xbb, 0xbf])
        const sheet = readSheet(file.text)
        assert.isFalse(isListFault(sheet))
        if (isListFault(sheet)) return
        assert.strictEqual(sheet.names?.[1], "phone")
        assert.strictEqual(sheet.rows[0]?.cells[1], "+55 11 92222-4444")
        assert.strictEqual(readPhone(sheet.rows[0]?.cells[1] ?? "", "BR").phone, "+5511922224444")
      })
  )

  it.effect("a cell that a spreadsheet would run is exported as text", () =>
    Effect.sync(() => {
      const { body } = csvReply("x", ["a"], [["=1+1"], ["\t=1"], ['say "hi", you'], [-5]])
      assert.strictEqual(String(body), `a\r\n'=1+1\r\n'\t'=1\r\n"say ""hi"", you"\r\n-5\r\n`)
    })
  )

  it.effect("times are shown in the chosen zone, on every page and without scripts", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const page = `/dashboard/projects`
      const timeIn = (text: string) => /<time datetime="([^"]+)" title="([^"]+)"[^>]*>.*?<\/time>/.exec(text) ?? []
      const [, iso = "", utc = ""] = timeIn((yield* someone.get(page)).text)
      assert.match(utc, / UTC$/)
      const chosen = yield* someone.get(`${page}?time_zone=America/Sao_Paulo`)
      const [, same, title = ""] = timeIn(chosen.text)
      const local = new Date(Date.parse(iso) - 3 * 3_600_000).toISOString()
      assert.deepStrictEqual([same, title], [iso, `${local.slice(0, 10)} ${local.slice(11, 19)} UTC-3`])
      assert.include(chosen.text, '<option value="America/Sao_Paulo" selected>')
      assert.match(timeIn((yield* someone.get("/dashboard/members")).text)[2] ?? "", / UTC-3$/)
      yield* someone.get(`${page}?time_zone=Nowhere/None`)
      assert.match(timeIn((yield* someone.get(page)).text)[2] ?? "", / UTC-3$/)
    })
  )

  it.effect("a list shows the columns that a person chose, in its address and from then on, without a script", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const page = "/dashboard/members"
      const columnsOf = (text: string) => [...text.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, name]) => name)
      const all = columnsOf((yield* someone.get(page)).text)
      assert.isAbove(all.length, 3)
      const form = (yield* someone.get(page)).text
      const keys = [...form.matchAll(/name="columns" value="([^"]+)"/g)].map(([, key = ""]) => key)
      assert.strictEqual(keys.length, all.length)
      const chosen = yield* someone.get(`${page}?columns=${keys[0]}&columns=${keys[2]}`)
      assert.deepStrictEqual(columnsOf(chosen.text), [all[0], all[2]])
      assert.strictEqual(chosen.text.match(/<td role="cell"/g)?.length, chosen.text.match(/<th scope="row"/g)?.length)
      assert.match(chosen.headers["set-cookie"] ?? "", /^carteiro_columns=[a-z.-]+; Path=\/dashboard\/members;/)
      assert.deepStrictEqual(columnsOf((yield* someone.get(page)).text), [all[0], all[2]])
      const other = yield* someone.get("/dashboard/projects")
      assert.isAbove(columnsOf(other.text).length, 2)
      yield* someone.get(`${page}?columns=<b>&columns=${"x".repeat(500)}`)
      assert.deepStrictEqual(columnsOf((yield* someone.get(page)).text), [all[0]])
      yield* someone.get(`${page}?${keys.map((key) => `columns=${key}`).join("&")}`)
      assert.deepStrictEqual(columnsOf((yield* someone.get(page)).text), all)
    })
  )

  it.effect("the day of a filter begins in the chosen zone", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const page = `/dashboard/messages?environment=${acme.sandbox.id}&created_after=2020-01-02&created_before=2030-01-02`
      const asked = (text: string) => {
        const { query } = callIn(text)
        return [query.get("created_after"), query.get("created_before")]
      }
      assert.deepStrictEqual(asked((yield* someone.get(page)).text), [
        "2020-01-01T23:59:59.999Z",
        "2030-01-03T00:00:00.000Z"
      ])
      assert.deepStrictEqual(asked((yield* someone.get(`${page}&time_zone=America/Sao_Paulo`)).text), [
        "2020-01-02T02:59:59.999Z",
        "2030-01-03T03:00:00.000Z"
      ])
    })
  )
})
