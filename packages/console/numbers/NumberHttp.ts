import { timeIn } from "@carteiro/owners/TenantTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PhoneManagementCoverage } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { field, queryParameter } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, declared, type Label, say, statusWord } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { countOf } from "../kit/Numbers.ts"
import { orNotHere, orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, instant, notice, personText } from "../kit/Parts.ts"
import { NotAllowed } from "../kit/Refusals.ts"
import { bucketsOf, queryOf, spanChoice, spanNamed } from "../kit/Spans.ts"
import { fold, type Step, section, storyPage, timeline } from "../kit/Story.ts"
import { makeNamedMessages, messageTable } from "../messages/MessageParts.ts"
import { messageTraffic } from "../messages/TrafficParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories } from "../story/Stories.ts"
import { monthsAddress, numberBadge, numbersAddress, qualityBadge } from "./NumberParts.ts"
import { pinProblem, registrationSection } from "./RegistrationParts.ts"

/** One number: state, health, allowance, rent, name reviews and its last messages. */
export const NumberHttp = Layer.unwrap(
  Effect.gen(function* () {
    const named = yield* makeNamedMessages
    const stories = yield* Stories
    const { activity, connectionDecisions, messageLookups, numberDetails, phoneCoverage, phoneNumbers } =
      yield* Operations

    const trafficOf = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry, id: string) {
      const now = yield* timeIn(environment.id, visit.now)
      const span = spanNamed(queryParameter(visit.request, "span"))
      const messages = yield* activity.ofNumber(asVisitor(visit, environment), {
        params: { phone_number_id: id },
        query: queryOf(span, now)
      })
      const { drawn, summary } = messageTraffic(span, bucketsOf(span, visit.zone, now, messages))
      const choice = spanChoice(`${numbersAddress}/${environment.id}/${id}`, span)
      return html`<div class="section-head"><p>${summary}</p>${choice}</div>${drawn}`
    })

    const show = Effect.fnUntraced(function* (visit: Visit, pinError?: Html): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const caller = asVisitor(visit, environment)
      const params = { phone_number_id: yield* idOf(visit, "pn") }
      const number = yield* orNotHere(phoneNumbers.get(caller, { params }))
      const { portfolio_id: portfolio, registration } = yield* numberDetails.get(caller, { params })
      const { data } = yield* phoneCoverage.all(caller)
      const managed = data.find(({ id }) => id === number.id)
      const here = `${numbersAddress}/${environment.id}/${number.id}`
      const deliveries = yield* stories.deliveries(visit, environment, number.id)
      // The number names its last messages by id; one that was erased meanwhile is left out.
      const looked = yield* Effect.forEach(
        number.recent_messages,
        ({ id }) => orNothing(messageLookups.get(caller, { params: { message_id: id } })),
        { concurrency: 5 }
      )
      const recent = yield* named(
        caller,
        looked.filter((message) => message !== undefined)
      )
      return {
        ...(pinError === undefined ? undefined : { status: 400 }),
        title: number.phone === null ? "Phone number" : html`${readablePhone(number.phone).text}`,
        section: "numbers",
        environment: environment.id,
        up: [`${numbersAddress}?environment=${environment.id}`, "Phone numbers"],
        follows: "events",
        ...storyPage({
          headline: {
            state: html`${numberBadge(number.status)} ${qualityBadge(number.quality_rating)}`,
            about: [
              number.display_name !== null && personText(number.display_name),
              number.source === "numprov" ? say("rented here") : say("yours")
            ]
          },
          warnings: html`<div id="trouble"${live}>${codeOf(number)}${number.error_message !== null && notice("bad", personText(declared(number.error_code ?? "", number.error_message)))}
${number.warnings.map(({ code, message }) => notice("warn", declared(code, message)))}</div>`,
          story: html`${registration !== null && registrationSection(visit, here, registration, pinError)}
${section("traffic", "Messages over time", yield* trafficOf(visit, environment, number.id))}
${section("timeline", "What happened", timelineOf(number))}
${section(
  "recent",
  "Last messages",
  html`${messageTable(environment.id, recent, say("No message yet."))}
<p><a href="${addressOf("/dashboard/messages", { environment: environment.id, sender_id: number.id })}">All messages of this number</a></p>`
)}
${deliveries}
${stories.calls([{ title: "Read it", method: "GET", path: `/v1/phone-numbers/${number.id}` }])}`,
          facts: stateOf(number, environmentName(environment)),
          aside: html`${fold("health", "Health and allowance", healthOf(number, portfolio), { isOpen: true })}
${rentOf(number)}
${managed !== undefined && monthOf(managed)}`
        })
      }
    })

    const enterPin = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      if (visit.session.member.role !== "owner") return yield* new NotAllowed()
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "pn")
      const pin = field(sent, "pin").trim()
      const problem = pinProblem(pin)
      if (problem !== undefined) return yield* show(visit, problem)
      const caller = asVisitor(visit, environment)
      const { is_entered } = yield* numberDetails.enterPin(caller, {
        params: { phone_number_id: id },
        payload: { pin }
      })
      if (is_entered) yield* connectionDecisions.lookNow(caller)
      return { to: `${numbersAddress}/${environment.id}/${id}${is_entered ? "?done=pin_entered" : ""}` }
    })

    const path = `${numbersAddress}/:environment/:id`
    return Layer.merge(
      page({ operation: "phoneNumber", path, handler: (visit) => show(visit) }),
      action({ operation: "enterNumberPin", audit: "phone_number.pin_entered", path: `${path}/pin`, handler: enterPin })
    )
  })
)

/** Returns a name with its value; undefined, which shows neither, where there is no value. */
const known = (name: Label, value: Piece): readonly [Label, Piece] | undefined =>
  value === null ? undefined : [name, value]

const given = (text: string | null): Html | null => (text === null ? null : personText(text))

const when = (at: string | null): Html | null => (at === null ? null : instant(at))

const stateOf = (number: PhoneNumber, where: Html): Html =>
  facts([
    ["Source", number.source === "numprov" ? say("rented here") : say("yours")],
    known("Name", given(number.display_name)),
    known("Verified name", given(number.verified_name)),
    number.pending_name_review === null ? undefined : ["Name in review", personText(number.pending_name_review.name)],
    number.name_review === null
      ? undefined
      : ["Name review", html`${contractWord(number.name_review.decision)} ${instant(number.name_review.decided_at)}`],
    known("Number at the platform", given(number.upstream_phone_number_id)),
    known("Account at the platform", given(number.biz_account_id)),
    number.numprov_management === null
      ? undefined
      : ["Management", statusWord("management", number.numprov_management.status)],
    ["Environment", where],
    known("Active since", when(number.activated_at)),
    ["Created", instant(number.created_at)],
    ["Id", html`<code>${number.id}</code>`]
  ])

/** All numbers of a portfolio share one allowance: what is left is left for them together. */
const healthOf = (number: PhoneNumber, portfolio: string | null): Html =>
  facts([
    ["Quality", qualityBadge(number.quality_rating)],
    ["Tier", tierOf(number.messaging_tier)],
    known("Business portfolio", given(portfolio)),
    ["New recipients in 24 hours", countOf(number.current_24h_unique_recipients)],
    known(
      portfolio === null ? "New recipients left, about" : "New recipients left for the whole portfolio, about",
      number.remaining_messaging_allowance_estimate === null
        ? null
        : countOf(number.remaining_messaging_allowance_estimate)
    ),
    known("Throughput tier", given(number.upstream_throughput_tier)),
    known("Last read", when(number.upstream_health_synced_at))
  ])

/** How many customers a number may begin to write to in 24 hours. */
const tierOf = (tier: PhoneNumber["messaging_tier"]): Html => {
  const [, count, thousands] = /^tier_(\d+)(k?)$/.exec(tier) ?? []
  return count === undefined
    ? contractWord(tier)
    : html`${countOf(Number(count) * (thousands === "k" ? 1000 : 1))} new customers in 24 hours`
}

/** The code with which the platform verifies a number, while it is kept. */
const codeOf = ({ verification_code: code, verification_code_received_at: at }: PhoneNumber): Html | false =>
  code !== null &&
  notice(
    "info",
    html`Verification code ${html`<strong>${code}</strong>`}, received ${instant(at)}; it is shown for ten minutes.`
  )

const rentOf = ({ renewal }: PhoneNumber): Html | false =>
  renewal !== null &&
  fold(
    "rent",
    "Rent of this month",
    html`${renewal.state === "at_risk" && notice("bad", say("This month is not paid: add credit, or switch automatic top-up on."))}${facts(
      [
        ["State", statusWord("month", renewal.state)],
        known("Charged", renewal.amount_brl && formatReais(renewal.amount_brl)),
        known("Next month is charged", when(renewal.next_renewal_at)),
        known("Paid until, or released", when(renewal.release_cutoff_at))
      ]
    )}`,
    { isOpen: renewal.state === "at_risk" }
  )

/** The month of a number that was imported: what covers it, and when it ends. */
const monthOf = (month: PhoneManagementCoverage): Html =>
  fold(
    "month",
    "This month",
    html`${facts([
      ["Service", contractWord(month.service_state)],
      ["Covered by", contractWord(month.coverage)],
      known("Until", when(month.covered_until)),
      ["This month", statusWord("month", month.current_month_payment_status)],
      known("Next charge", when(month.next_charge_at)),
      known("Disabled unless paid by", when(month.disable_at))
    ])}<p><a href="${monthsAddress}">All months</a></p>`
  )

/** Returns what happened to a number with the causes. */
const timelineOf = (number: PhoneNumber): Html => {
  const { name_review, renewal } = number
  const cause = number.source === "numprov" ? say("rented here") : say("yours")
  const steps: ReadonlyArray<Step> = [
    { what: say("Created"), at: number.created_at, cause },
    ...(number.activated_at === null
      ? []
      : [
          {
            what: say("Active"),
            at: number.activated_at,
            tone: "good" as const,
            cause: say("The platform accepted it.")
          }
        ]),
    ...(name_review === null
      ? []
      : [{ what: say("Name review"), at: name_review.decided_at, cause: contractWord(name_review.decision) }]),
    ...(number.error_message === null
      ? []
      : [
          {
            what: numberBadge(number.status),
            at: null,
            tone: "bad" as const,
            cause: personText(declared(number.error_code ?? "", number.error_message))
          }
        ]),
    ...(renewal === null
      ? []
      : [
          {
            what: say("Paid until, or released"),
            at: renewal.release_cutoff_at,
            cause: statusWord("month", renewal.state)
          }
        ])
  ]
  return timeline(steps)
}
