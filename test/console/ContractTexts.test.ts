import { globSync, readFileSync } from "node:fs"
import { Api } from "@carteiro/schema/Api.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { FailureClass } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { assert, it } from "@effect/vitest"
import { catalogs, declared, dottedWord } from "../../packages/console/kit/Language.ts"
import portuguese from "../../packages/console/kit/portuguese.json" with { type: "json" }
import catalog from "../../packages/console/kit/portuguese-contract.json" with { type: "json" }
import * as ConsoleRefusals from "../../packages/console/kit/Refusals.ts"
import { refusalText } from "../../packages/console/kit/RefusalTexts.ts"
import { inZone } from "../../packages/console/kit/TimeZone.ts"
import { attemptError } from "../../packages/console/webhooks/DeliveryParts.ts"
import { operationsOf } from "../../packages/openapi/description/ContractOperation.ts"
import { refusalsOf } from "../../packages/openapi/description/Refusals.ts"
import { auditActions, guardReasons, raisedRefusals, remarkCodes } from "./ConsoleTexts.ts"

const root = new URL("../../", import.meta.url)
const names = new Set(Object.keys(catalog))

/** The codes of everything that an operation of the contract or a form of the console can refuse. */
const refusalCodes: ReadonlySet<string> = new Set([
  ...operationsOf(Api).flatMap((operation) => refusalsOf(operation).map(({ code }) => code)),
  ...operationsOf(PeopleApi).flatMap((operation) => refusalsOf(operation).map(({ code }) => code)),
  ...Object.values(ConsoleRefusals).map(({ code }) => code)
])

const meters = new Set(
  globSync("schema/database/*.sql", { cwd: root }).flatMap((file) =>
    [...readFileSync(new URL(file, root), "utf8").matchAll(/'((?:message|payment|phone)\.[a-z_.]+)'/g)].map(
      ([, meter = ""]) => meter
    )
  )
)

const spaced = (name: string): string => name.replaceAll(/[._]/g, " ")
const missing = (all: Iterable<string>): ReadonlyArray<string> => [...all].filter((name) => !names.has(name))
const remedy = "give each of these a line in packages/console/kit/portuguese-contract.json"

it("each refusal of an operation and of a form has a sentence in Portuguese by its code", () => {
  assert.isAbove(refusalCodes.size, 200)
  assert.deepStrictEqual(missing(refusalCodes), [], remedy)
})

it("a refusal that is raised with a sentence of its own has one in Portuguese by its parameter, or by the sentence", () => {
  const raised = raisedRefusals().filter(({ code }) => refusalCodes.has(code))
  assert.isAbove(raised.length, 20)
  assert.deepStrictEqual(
    raised
      .filter(
        ({ code, message, param }) =>
          !(param !== undefined && names.has(`${code} ${param}`)) &&
          !names.has(message) &&
          !Object.hasOwn(portuguese, message)
      )
      .map(({ code, message, param }) => `${code} ${param ?? "-"}: ${message}`),
    []
  )
})

it("each event, failure of a message, remark, meter and audit action has its words in Portuguese", () => {
  assert.isAbove(meters.size, 5)
  assert.isAbove(auditActions().size, 50)
  assert.isAbove(remarkCodes().size, 7)
  assert.isAbove(guardReasons().size, 10)
  assert.deepStrictEqual(
    missing([
      ...eventCatalog.map(({ type }) => type),
      ...Object.values(deliveryCodes),
      ...remarkCodes(),
      ...meters,
      ...[...auditActions()].map(spaced),
      ...[...guardReasons(), ...FailureClass.literals].map(spaced).filter((word) => !Object.hasOwn(portuguese, word))
    ]),
    [],
    remedy
  )
})

/** The sentences by which attempts of deliveries fail; the code of a certificate's fault stands apart. */
const attemptSentences: ReadonlySet<string> = new Set(
  ["packages/outbound/Attempt.ts", "runtime/webhooks/delivery/AttemptOutcome.ts"]
    .flatMap((file) => [
      ...readFileSync(new URL(file, root), "utf8").matchAll(/["`]((?:The|There) [a-zA-Z' 0-9]+)[. ](?:"|\(\$)/g)
    ])
    .map(([, said = ""]) => `${said}.`)
)

it("each sentence by which an attempt of a delivery fails is in Portuguese", () => {
  assert.isAbove(attemptSentences.size, 12)
  assert.isTrue(attemptSentences.has("The TLS certificate was not accepted."))
  assert.deepStrictEqual(missing(attemptSentences), [], remedy)
  assert.strictEqual(attemptError("The connection was refused.")?.in(catalogs.pt), "A conexão foi recusada.")
  assert.strictEqual(
    attemptError("The TLS certificate was not accepted (CERT_HAS_EXPIRED).")?.in(catalogs.pt),
    "O certificado TLS não foi aceito. <code>CERT_HAS_EXPIRED</code>"
  )
})

it("the catalog has no name that the contract and the product say no more", () => {
  const sources = globSync("{schema,runtime,packages}/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] }).map(
    (file) => readFileSync(new URL(file, root), "utf8")
  )
  const quoted = new Set(
    sources.flatMap((text) => [...text.matchAll(/"([a-z][a-z_.]+)"/g)].map(([, word = ""]) => spaced(word)))
  )
  const members = new Set(sources.flatMap((text) => [...text.matchAll(/\b([a-z_]+)\??: /g)].map(([, name]) => name)))
  const derived = new Set([
    ...refusalCodes,
    ...raisedRefusals().flatMap(({ code, message, param }) => [message, `${code} ${param}`]),
    ...eventCatalog.map(({ description }) => description),
    ...attemptSentences,
    ...Object.values(deliveryCodes),
    ...meters
  ])
  const things = [
    ...readFileSync(new URL("packages/console/kit/Language.ts", root), "utf8").matchAll(/^ {2}\| "([a-z]+)"$/gm)
  ].map(([, thing = ""]) => thing)
  const isStatus = (name: string): boolean =>
    things.some((thing) => name.endsWith(` ${thing}`) && quoted.has(name.slice(0, -thing.length - 1)))
  const isMember = (part: string) => part === "*" || members.has(part)
  const isSaid = (name: string): boolean => {
    const [code = "", path, ...more] = name.split(" ")
    const isRefusedMember = path !== undefined && more.length === 0 && refusalCodes.has(code)
    return (
      (isRefusedMember && path.split(".").every(isMember)) ||
      quoted.has(spaced(name)) ||
      derived.has(name) ||
      isStatus(name)
    )
  }
  assert.isFalse(isSaid("invalid_api_key_request shoe_size"))
  assert.isFalse(isSaid("refusal_of_yesterday"))
  assert.deepStrictEqual(
    [...names].filter((name) => !isSaid(name)),
    []
  )
})

it("a refusal reads by parameter, else by code with its field, else as the API says it", () => {
  const inPortuguese = (error: ApiError) => refusalText(error).in(catalogs.pt)
  const refuse = (code: string, param?: string) =>
    new ApiError({ _tag: code, status: 400, type: "validation_error", message: "Only the API says this.", param })
  assert.strictEqual(refusalText(refuse("batch_not_found")).markup, "Only the API says this.")
  assert.strictEqual(inPortuguese(refuse("batch_not_found")), "Nenhum lote tem este id.")
  assert.strictEqual(
    inPortuguese(refuse("invalid_template_request", "components.1.buttons.0.text")),
    "O texto do botão está vazio ou é longo demais."
  )
  assert.strictEqual(
    inPortuguese(refuse("invalid_template_request", "components.1.format")),
    "O modelo não está certo. Confira <code>components.1.format</code>."
  )
  assert.strictEqual(inPortuguese(refuse("code_of_tomorrow", "name")), "Only the API says this.")
})

it("a refusal with amounts has them in Portuguese too, and reads without them where it has none", () => {
  const details = { balance_brl: "3.0000", amount_brl: "1234.5000" }
  const refused = refusalText({ code: "insufficient_balance", message: "The API's own.", details })
  assert.strictEqual(
    refused.in(catalogs.pt),
    "O crédito de R$\u00a03,00 não cobre R$\u00a01.234,50. Adicione crédito e tente de novo."
  )
  const plain = refusalText({ code: "insufficient_balance", message: "The API's own.", details: {} })
  assert.strictEqual(plain.in(catalogs.pt), "O crédito não cobre este valor. Adicione crédito e tente de novo.")
  assert.strictEqual(plain.markup, "The API&#39;s own.")
})

it("an instant of a refusal is a Brazilian date in the reader's time zone", () => {
  const refused = refusalText({
    code: "recipient_frequency_capped",
    message: "Marketing to this recipient is paused.",
    details: { next_allowed_at: "2026-03-02T01:30:00.000Z" }
  })
  const reader = { zone: "America/Sao_Paulo", isZoneUnknown: false, language: "pt", now: Date.UTC(2026, 2, 2) } as const
  const shown = inZone(refused.in(catalogs.pt), reader)
  assert.include(shown, 'title="01/03/2026 22:30:00 UTC-3"')
  const text = shown.replaceAll(/<[^>]*>/g, "")
  assert.strictEqual(text, "O marketing para este cliente está em pausa. Permitido de novo: 1 mar 22:30.")
})

it("an audit action and an event of one name keep their own words", () => {
  assert.strictEqual(dottedWord("payment.cancelled").in(catalogs.pt), "pagamento cancelado")
  assert.strictEqual(
    declared("payment.cancelled", "A payment was cancelled.").in(catalogs.pt),
    "Um pagamento foi cancelado."
  )
  assert.strictEqual(dottedWord("message.transport.marketing").in(catalogs.pt), "mensagens de marketing")
})
