import { CallLog } from "../kit/CallLog.ts"
import { logAndFaults, refused } from "../kit/Control.ts"
import { Faults } from "../kit/Faults.ts"
import {
  type Call,
  type Handler,
  jsonOf,
  listen,
  ok,
  type RouteList,
  recordOf,
  type SimulatedAnswer,
  serverOf
} from "../kit/Routes.ts"
import { SignedWebhooks, signedWebhookFaults } from "../kit/SignedWebhooks.ts"
import { lostCallNames, strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import { authenticationPage } from "./AuthenticationPage.ts"
import { cardError, refusalNames } from "./CardErrors.ts"
import { Cards } from "./Cards.ts"
import { Charges } from "./Charges.ts"
import type { CardOperation, CardprocOptions, Done } from "./Vendor.ts"

/** A simulated card processor that listens. */
export interface CardprocSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly charges: Charges
  readonly webhooks: SignedWebhooks
  readonly close: () => Promise<void>
}

/** Faults beside refusals, lost calls and webhooks: `delay` and `processing` take milliseconds. */
const faultNames = [
  ...refusalNames,
  ...lostCallNames,
  ...signedWebhookFaults,
  "delay",
  "processing",
  "declined",
  "other_amount",
  "lands_late",
  "pays_after_decline",
  "lagging_lookup",
  "unfiltered_lookup"
] as const

/** Starts one on loopback; port 0 takes any free one. gaps-3 G "cardproc calls" */
export const startCardproc = async (options: CardprocOptions, port = 0): Promise<CardprocSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(faultNames)
  const webhooks = new SignedWebhooks(options, log, faults)
  const cards = new Cards()
  const charges = new Charges(cards, webhooks, faults, options.now)

  /** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
  const of =
    (operation: CardOperation, handle: (call: Call) => Done): Handler =>
    (call) => {
      const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
      if (call.headers.authorization !== `Bearer ${options.apiKey}`) {
        note("credentials_invalid")
        return cardError("credentials_invalid")
      }
      const struck = strikeBefore(faults, refusalNames, (code) => cardError(code, "simulated"), operation, call)
      if (struck !== undefined) {
        note(struck.name)
        return struck.answer
      }
      const { answer, facts, outcome } = handle(call)
      if (answer === undefined) {
        note(outcome, facts)
        return undefined
      }
      const lost = strikeAfter(faults, operation, call)
      note(outcome, lost === undefined ? facts : { ...facts, lost: lost.name })
      if (lost !== undefined) return lost.answer
      const delay = faults.hit(["delay"], { operation })?.value
      return delay === undefined ? answer : after(delay, answer)
    }

  const authenticate = ({ body, places: [secret = ""] }: Call): SimulatedAnswer => {
    const proven = new URLSearchParams(body.toString("utf8")).get("outcome") !== "deny"
    return authenticationPage(charges.authenticate(secret, proven))
  }

  const control: RouteList = [
    ...logAndFaults(log, faults),
    ["GET /charges", () => ok({ charges: charges.list.map(({ client_secret: _, ...charge }) => charge) })],
    [
      "POST /refunds",
      ({ body }) => {
        const charge = charges.refund(String(recordOf(jsonOf(body)).charge))
        return charge === undefined ? refused("charge: its id, or ours") : ok({ status: charge.status })
      }
    ],
    [
      "POST /late-payments",
      ({ body }) => {
        const charge = charges.payLate(String(recordOf(jsonOf(body)).charge))
        return charge === undefined ? refused("charge: its id, or ours") : ok({ status: charge.status })
      }
    ],
    [
      "POST /webhook-url",
      ({ body }) => {
        const { url } = recordOf(jsonOf(body))
        if (typeof url !== "string" || !URL.canParse(url)) return refused("url: where webhooks go")
        webhooks.aim(url)
        return ok({ ok: true })
      }
    ],
    // The page that a cardholder's browser is sent to.
    [
      "GET /authenticate/{}",
      ({ places: [secret] }) => authenticationPage(charges.list.find(({ client_secret }) => client_secret === secret))
    ],
    ["POST /authenticate/{}", authenticate],
    ["POST /v1/setup_intents/{}/confirm", (call) => cards.confirmSetup(call).answer]
  ]
  const server = serverOf(
    [
      ...control,
      ["POST /v1/customers", of("customer", (call) => cards.postCustomer(call))],
      ["POST /v1/setup_intents", of("setup", (call) => cards.postSetup(call))],
      ["GET /v1/payment_methods/{}", of("card", (call) => cards.show(call))],
      ["POST /v1/payment_methods/{}/attach", of("attach", (call) => cards.hold(call, true))],
      ["POST /v1/payment_methods/{}/detach", of("detach", (call) => cards.hold(call, false))],
      ["POST /v1/payment_intents", of("charge", (call) => charges.post(call))],
      ["GET /v1/payment_intents", of("charge_lookup", (call) => charges.find(call))],
      ["GET /v1/payment_intents/{}", of("charge_status", (call) => charges.show(call))]
    ],
    () => ({ status: 404, body: { error: { code: "not_found", message: "no route" } } })
  )
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    charges,
    webhooks,
    close: () => {
      webhooks.close()
      charges.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

const after = (ms: number, answer: SimulatedAnswer): Promise<SimulatedAnswer> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, answer)
  })
