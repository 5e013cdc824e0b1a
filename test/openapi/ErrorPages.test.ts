import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Api } from "@carteiro/schema/Api.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { operationsOf } from "../../packages/openapi/description/ContractOperation.ts"
import { errorCatalog } from "../../packages/openapi/errors/ErrorCatalog.ts"
import { errorMarkdown } from "../../packages/openapi/errors/ErrorPages.ts"
import { ErrorsHttp } from "../../packages/openapi/errors/ErrorsHttp.ts"
import { guides } from "../../packages/openapi/errors/GuideOf.ts"
import { serverOf } from "../http-edge/SampleServer.ts"
import { call, exchange } from "../http-edge/Wire.ts"

const operations = operationsOf(Api)
const catalog = errorCatalog(operations)

/** Codes of all refusals that the contract's source declares. */
const declared = (): ReadonlyArray<string> => {
  const folder = fileURLToPath(new URL("../../schema", import.meta.url))
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/apiError\(\s*"(\w+)"/g)])
    .map(([, code]) => code as string)
}

/**
 * Refusals of the dashboard, of operations that only people use, and of the operator's command line: people see their
 * message, and no answer of the API has them. Decision 0155
 */
const forPeople = new Set([
  ...operationsOf(PeopleApi)
    .flatMap(({ refusals }) => refusals.map(({ code }) => code))
    .filter((code) => !catalog.has(code)),
  "feedback_report_status_conflict",
  "last_owner",
  "member_email_taken",
  "member_not_found",
  "owners_only",
  "phone_number_order_not_open"
])

it("every declared code has a page, and no guide is for an undeclared one A-ERR-01 M-DLV-01", () => {
  const codes = new Set([...declared(), ...Object.keys(deliveryCodes), "http_exception"])
  assert.isAbove(codes.size, 200)
  assert.deepStrictEqual(
    [...codes].filter((code) => catalog.has(code) === forPeople.has(code)),
    []
  )
  assert.deepStrictEqual(
    Object.keys(guides).filter((code) => !catalog.has(code)),
    []
  )
})

it("a guide names only routes, members and codes of the contract A-VER-02", () => {
  const routes = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
  for (const { causes, code, remedy } of catalog.values()) {
    for (const [, route] of `${causes} ${remedy}`.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)) {
      assert.isTrue(routes.has(route ?? ""), `${code}: ${route}`)
    }
    for (const sentence of [causes, remedy]) assert.match(sentence, /^[A-Z`].*[.]$/s, code)
  }
})

/** Statuses that the source refuses requests with by `http_exception`. */
const exceptionStatuses = (): ReadonlyArray<number> =>
  ["packages/http-edge", "runtime"].flatMap((name) => {
    const folder = fileURLToPath(new URL(`../../${name}`, import.meta.url))
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
      .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/httpException\(\s*(\d+)/g)])
      .map(([, status]) => Number(status))
  })

it("the page of a code names every status of that code A-ERR-22 A-ERR-23", () => {
  const { statuses, types } = catalog.get("http_exception") ?? assert.fail()
  assert.deepStrictEqual(
    statuses,
    [...new Set(exceptionStatuses())].sort((one, other) => one - other)
  )
  assert.deepStrictEqual(types, ["validation_error", "authorization_error"])
  for (const { refusal, statuses: named } of catalog.values()) {
    assert.isTrue(refusal === undefined || named.includes(refusal.status))
  }
})

it("a page advises a repeat only when the cause of a refusal ends by itself A-ERR-05", () => {
  const advised = (code: string) => errorMarkdown(catalog.get(code) ?? assert.fail(code), "https://api.test")
  assert.include(advised("idempotency_key_in_progress"), "may succeed once the cause has passed")
  assert.include(advised("rate_limited"), "The same request may succeed later.")
  assert.include(advised("insufficient_scope"), "is refused again until its cause is removed")
  const passing = [...catalog.values()].filter(({ passes }) => passes === true)
  assert.deepStrictEqual(
    passing.filter(({ refusal }) => refusal === undefined || refusal.status === 429 || refusal.status >= 500),
    []
  )
  for (const { code } of catalog.values()) {
    if (code.endsWith("_in_progress") && code !== "transcription_in_progress") {
      assert.include(advised(code), "once the cause has passed", code)
    }
  }
})

it("a page says that any route answers a code only when every route does A-VER-02", () => {
  const any = [...catalog.values()].filter(({ where }) => where === "Any route may answer it.")
  assert.deepStrictEqual(
    any.map(({ code }) => code),
    ["http_exception", "internal_error", "rate_limited", "service_unavailable"]
  )
  const markdown = errorMarkdown(catalog.get("provider_webhook_signature_invalid") ?? assert.fail(), "https://api.test")
  assert.include(markdown, "Only the routes below `/webhooks`, which providers call.")
  for (const { refusal, routes, where } of catalog.values()) {
    assert.strictEqual(refusal === undefined || where !== undefined, routes.length === 0)
  }
})

it.layer(serverOf(ErrorsHttp), { excludeTestServices: true })("Pages of error codes", (it) => {
  it.effect("a refusal links to the page of its code, whatever host the request names A-ERR-01", () =>
    Effect.gen(function* () {
      const { json } = yield* call("GET /v1/nowhere", { headers: [["X-Forwarded-Host", "forged.example"]] })
      assert.strictEqual(json.error.doc_url, "http://127.0.0.1:8080/docs/errors/route_not_found")
      const page = yield* call("GET /docs/errors/route_not_found", { anonymous: true })
      assert.deepStrictEqual([page.status, page.headers["content-type"]], [200, "text/html; charset=utf-8"])
      assert.match(page.headers["content-security-policy"] ?? "", /^default-src 'none'; style-src 'self';/)
      assert.include(page.text, "<h1><code>route_not_found</code></h1>")
      const unparsed = yield* exchange("NONSENSE\r\n\r\n")
      assert.include(unparsed, '"doc_url":"http://127.0.0.1:8080/docs/errors/http_exception"')
    })
  )

  it.effect("every code is listed and read as HTML and as Markdown A-ERR-01", () =>
    Effect.gen(function* () {
      const index = yield* call("GET /docs/errors", { anonymous: true })
      for (const code of catalog.keys()) {
        assert.include(index.text, `href="/docs/errors/${code}"`)
        const [page, text] = yield* Effect.all([
          call(`GET /docs/errors/${code}`, { anonymous: true }),
          call(`GET /docs/errors/${code}.md`, { anonymous: true })
        ])
        assert.deepStrictEqual([page.status, text.status], [200, 200], code)
        assert.notMatch(page.text, /<script|style=|undefined/, code)
        assert.deepStrictEqual(text.headers["content-type"], "text/markdown; charset=utf-8")
        assert.isTrue(text.text.startsWith(`# ${code}\n`), code)
        assert.include(text.text, catalog.get(code)?.remedy ?? "")
      }
    })
  )

  it.effect("an unknown code is a page that leads to the list, without the requested text A-ERR-01", () =>
    Effect.gen(function* () {
      const page = yield* call("GET /docs/errors/%3Cscript%3E", { anonymous: true })
      assert.strictEqual(page.status, 404)
      assert.notInclude(page.text, "<script")
      assert.include(page.text, 'href="/docs/errors"')
    })
  )
})
