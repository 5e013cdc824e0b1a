import { ApiKey } from "@carteiro/schema/access/ApiKey.ts"
import { BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { ListedTopup } from "@carteiro/schema/billing/CreditTopup.ts"
import { SentEmail } from "@carteiro/schema/emails/EmailsApi.ts"
import { FlowStatus } from "@carteiro/schema/flows/FlowEvents.ts"
import { GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import { MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { FeeState } from "@carteiro/schema/payments/PaymentFees.ts"
import { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { NumberStatus, NumprovManagement } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { PhoneRenewal } from "@carteiro/schema/phone-numbers/Renewal.ts"
import { OrderStatus } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import { NumprovConnection, NumprovResource } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { ConnectionStatus } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { SetupSession } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import { WebhookAttempt, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { assert, it } from "@effect/vitest"
import { wordFilter } from "../../packages/console/kit/Filters.ts"
import { catalogs, type StatusThing, statusWord } from "../../packages/console/kit/Language.ts"
import catalog from "../../packages/console/kit/portuguese-contract.json" with { type: "json" }
import { messageBadge } from "../../packages/console/messages/MessageParts.ts"
import { statusBadge } from "../../packages/console/webhooks/DeliveryParts.ts"

type Gender = "feminine" | "masculine"

/** Each thing with the gender of its Portuguese name, and its statuses. */
const statuses: Readonly<Record<StatusThing, readonly [Gender, ReadonlyArray<string>]>> = {
  account: ["feminine", [...NumprovConnection.fields.status.literals, "approved", "rejected", "available", "blocked"]],
  attempt: ["feminine", WebhookAttempt.fields.status.literals],
  authorization: ["feminine", AuthorizationStatus.literals],
  batch: ["masculine", BatchStatus.literals],
  connection: ["feminine", ConnectionStatus.literals],
  delivery: ["feminine", WebhookEventStatus.literals],
  email: ["masculine", SentEmail.fields.status.literals],
  fee: ["feminine", FeeState.literals],
  file: ["masculine", MediaStatus.literals],
  flow: ["masculine", FlowStatus.literals],
  group: ["masculine", GroupStatus.literals],
  key: ["feminine", [...ApiKey.fields.status.literals, "expired"]],
  management: ["feminine", NumprovManagement.fields.status.literals],
  message: ["feminine", [...MessageStatus.literals, "pending"]],
  month: ["masculine", [...PhoneRenewal.fields.state.literals, "paid", "unpaid", "not_charged"]],
  number: ["masculine", [...NumberStatus.literals, ...NumprovResource.fields.status.literals]],
  order: ["masculine", OrderStatus.literals],
  organization: ["feminine", ["suspended"]],
  payment: ["masculine", [...PaymentStatus.literals, ...AgenticPayment.fields.status.literals]],
  plan: ["masculine", ["active", "past_due", "canceled", "none"]],
  production: ["feminine", ["blocked"]],
  report: ["masculine", ["received", "in_review", "resolved", "closed"]],
  setup: ["masculine", SetupSession.fields.status.literals],
  template: ["masculine", TemplateStatus.literals],
  topup: ["feminine", [...ListedTopup.fields.status.literals, "on", "off"]],
  version: ["feminine", TemplateStatus.literals]
}

const walked = Object.entries(statuses).flatMap(([thing, [gender, words]]) =>
  words.map((status) => {
    const said = statusWord(thing as StatusThing, status)
    return { thing, gender, status, english: said.markup, portuguese: said.in(catalogs.pt) }
  })
)

/** Returns the gender that a participle or an adjective shows; undefined for words that have one form, such as "entregue". */
const genderOf = (word: string): Gender | undefined => {
  const [first = ""] = word.replace(/^não /, "").split(" ")
  if (/(?:[gist]o|(?<!n)do|fão)$/.test(first)) return "masculine"
  return /(?:[gist]a|(?<!n)da|fã)$/.test(first) ? "feminine" : undefined
}

it("each status has a Portuguese word in the gender of the thing that it is of", () => {
  assert.isAbove(walked.length, 100)
  assert.deepStrictEqual(
    walked.filter(({ english, portuguese }) => portuguese === english).map(({ status, thing }) => `${thing} ${status}`),
    []
  )
  assert.deepStrictEqual(
    walked
      .filter(({ gender, portuguese }) => (genderOf(portuguese) ?? gender) !== gender)
      .map(({ portuguese, status, thing }) => `${thing} ${status}: ${portuguese}`),
    []
  )
  assert.deepStrictEqual(
    ["enviado", "lida", "órfão", "não pago", "entregue", "enviando", "na fila", "em processamento"].map(genderOf),
    ["masculine", "feminine", "masculine", "masculine", undefined, undefined, undefined, undefined]
  )
})

it("the catalog has a word of its own for a status only where the common one has another form", () => {
  const common = new Map(walked.map(({ english, status }) => [english, catalogs.pt.words(status.replaceAll("_", " "))]))
  for (const { english, portuguese, thing } of walked) {
    const own = Object.entries(catalog).find(([name]) => name === `${english} ${thing}`)?.[1]
    if (own !== undefined) assert.notStrictEqual(own, common.get(english), `${english} ${thing}`)
    assert.strictEqual(portuguese, own ?? common.get(english))
  }
})

it("badges and filters say a status by its thing", () => {
  assert.include(messageBadge("read").in(catalogs.pt), "lida")
  assert.include(messageBadge("read").markup, "read")
  assert.include(statusBadge("succeeded", "attempt").in(catalogs.pt), "concluída")
  const field = { name: "status", value: "", error: undefined, choices: [] }
  const filter = wordFilter("Status", MessageStatus.literals, { thing: "message" }).control(field).in(catalogs.pt)
  assert.match(filter, /<option value="sent"[^>]*>enviada</)
  assert.match(filter, /<option value="queued"[^>]*>na fila</)
})
