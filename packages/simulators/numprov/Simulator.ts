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
import { Inventory } from "./Inventory.ts"
import { type NumprovOptions, numprovError, refusalNames } from "./Vendor.ts"

/** A simulated number provider that listens. */
export interface NumprovSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly inventory: Inventory
  readonly webhooks: SignedWebhooks
  readonly close: () => Promise<void>
}

/**
 * Faults beside refusals, lost calls and webhooks: `late_delivery` takes milliseconds; `lands_late` cuts the connection
 * of an order, which then takes effect after `value` milliseconds: until then it is not found, and a repeat is refused.
 * `unfiltered_lookup` answers a look-up by the caller's id with other orders.
 */
const faultNames = [
  ...refusalNames,
  ...lostCallNames,
  ...signedWebhookFaults,
  "order_fails",
  "never_delivered",
  "late_delivery",
  "lands_late",
  "unfiltered_lookup"
] as const

/** Starts one on loopback; port 0 takes any free one. vendor-wires "numprov" */
export const startNumprov = async (options: NumprovOptions, port = 0): Promise<NumprovSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(faultNames)
  const webhooks = new SignedWebhooks(options, log, faults)
  const inventory = new Inventory(options, faults, webhooks)

  type Account = NonNullable<ReturnType<typeof inventory.accounts.get>>

  /** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
  const of =
    (operation: string, handle: (account: Account, call: Call) => SimulatedAnswer | undefined): Handler =>
    (call) => {
      const external_id = recordOf(jsonOf(call.body)).external_id ?? call.query.get("external_id")
      const note = (outcome: string) => log.add(operation, { outcome, external_id, path: call.path })
      const key = /^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1] ?? ""
      const account = inventory.accounts.get(key)
      if (account === undefined) {
        note("credentials_invalid")
        return numprovError("credentials_invalid")
      }
      if (account.isSuspended) {
        note("account_suspended")
        return numprovError("account_suspended")
      }
      const struck = strikeBefore(faults, refusalNames, (code) => numprovError(code, "simulated"), operation, call)
      if (struck !== undefined) {
        note(struck.name)
        return struck.answer
      }
      const answer = handle(account, call)
      if (answer === undefined) {
        note("lands_late")
        return undefined
      }
      const lost = strikeAfter(faults, operation, call)
      note(lost?.name ?? (answer.status < 300 ? "ok" : "refused"))
      return lost === undefined ? answer : lost.answer
    }

  /** Returns the webhooks of an account with its own receiver and secret. */
  const ownWebhooks = (url: unknown, webhookSecret: unknown): SignedWebhooks | undefined => {
    if (typeof url !== "string" || !URL.canParse(url) || typeof webhookSecret !== "string") return undefined
    const own = new SignedWebhooks({ ...options, webhookSecret }, log, faults)
    own.aim(url)
    return own
  }

  const control: RouteList = [
    ...logAndFaults(log, faults),
    [
      "POST /accounts",
      ({ body }) => {
        const { id, key, name, numbers, suspended, webhook_secret, webhook_url } = recordOf(jsonOf(body))
        if (typeof key !== "string" || typeof id !== "string") return refused("key and id")
        const own = ownWebhooks(webhook_url, webhook_secret)
        inventory.account(key, id, typeof name === "string" ? name : id, suspended === true, own)
        for (const one of Array.isArray(numbers) ? numbers.map(recordOf) : []) {
          inventory.addNumber(key, {
            number_id: String(one.number_id),
            number: String(one.number),
            status: one.status === "suspended" || one.status === "released" ? one.status : "active",
            sms: one.sms !== false
          })
        }
        return ok({ ok: true })
      }
    ],
    [
      "POST /sms",
      ({ body }) => {
        const { text, to } = recordOf(jsonOf(body))
        return inventory.sms(String(to), String(text)) ? ok({ ok: true }) : refused("to: a number of an account")
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
    ]
  ]
  const server = serverOf(
    [
      ...control,
      ["GET /v1/account", of("account", ({ id, name }) => ok({ id, name }))],
      ["GET /v1/available", of("available", (_account, call) => inventory.available(call))],
      ["POST /v1/orders", of("order", (account, call) => inventory.order(account, call))],
      ["GET /v1/orders", of("order_lookup", (_account, call) => inventory.orderList(call))],
      ["GET /v1/orders/{}", of("order_status", (_account, call) => inventory.orderById(call))],
      ["GET /v1/numbers", of("numbers", (account, call) => inventory.list(account, call))],
      ["DELETE /v1/numbers/{}", of("release", (account, call) => inventory.release(account, call))]
    ],
    () => numprovError("not_found", "no route")
  )
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    inventory,
    webhooks,
    close: () => {
      webhooks.close()
      inventory.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
