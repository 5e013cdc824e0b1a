import { CallLog } from "../kit/CallLog.ts"
import { logAndFaults, refused } from "../kit/Control.ts"
import { Faults } from "../kit/Faults.ts"
import { signedWebhookFaults } from "../kit/FaultyWebhooks.ts"
import { Landings } from "../kit/Landings.ts"
import { isWebAddress, jsonOf, listen, ok, type RouteList, recordOf, serverOf } from "../kit/Routes.ts"
import { lostCallNames } from "../kit/Strikes.ts"
import type { NumprovOptions } from "../numprov/Vendor.ts"
import { Ed25519Webhooks, publicKeyOf } from "./Ed25519Webhooks.ts"
import { Numbers } from "./Numbers.ts"
import type { TelnyxAccount } from "./TelnyxAccount.ts"
import { failure, refusalOf, telnyxRefusals } from "./TelnyxErrors.ts"
import { numberRoutes, orderRoutes, refuse, type TelnyxContext } from "./TelnyxRoutes.ts"

/** A simulated Telnyx that listens. */
export interface TelnyxSimulator {
  /** Its API is also below `/v2`. */
  readonly url: string
  /** The key by which its webhooks are verified, in base64. */
  readonly publicKey: string
  readonly log: CallLog
  readonly faults: Faults
  readonly numbers: Numbers
  readonly webhooks: Ed25519Webhooks
  readonly close: () => Promise<void>
}

/**
 * Faults beside refusals, lost calls and webhooks: `late_delivery` takes milliseconds; `lands_late` cuts the connection
 * of an order, which then takes effect after `value` milliseconds: until then it is not found, and a repeat is refused.
 * `unfiltered_lookup` lists orders without the reference, `lagging_lookup` leaves out those younger than `value`
 * milliseconds. `voice_only` shows numbers that take calls alone, `no_numbers` none.
 */
const faultNames = [
  ...telnyxRefusals,
  ...lostCallNames,
  ...signedWebhookFaults,
  "slow",
  "order_fails",
  "never_delivered",
  "late_delivery",
  "lands_late",
  "unfiltered_lookup",
  "lagging_lookup",
  "voice_only",
  "no_numbers"
] as const

/** Starts one on loopback; port 0 takes any free one. The key of its webhooks belongs to `webhookSecret`. */
export const startTelnyx = async (options: NumprovOptions, port = 0): Promise<TelnyxSimulator> => {
  const { apiKey, now, webhookSecret } = options
  const log = new CallLog(now)
  const faults = new Faults(faultNames)
  const webhooks = new Ed25519Webhooks(webhookSecret, now, log, faults)
  const numbers = new Numbers(options, faults, webhooks)
  numbers.setUp({ key: apiKey, id: "acc_platform", name: "Platform", isSuspended: false })
  const landings = new Landings(now)
  const ownWebhooks = (url: unknown, secret: unknown): Ed25519Webhooks | undefined => {
    if (!isWebAddress(url) || typeof secret !== "string") return undefined
    const own = new Ed25519Webhooks(secret, now, log, faults)
    own.aim(url)
    return own
  }
  const context: TelnyxContext = {
    log,
    faults,
    landings,
    codes: telnyxRefusals,
    refuse: refusalOf,
    failure,
    authenticate: ({ headers }) => {
      const key = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? ""
      const account = numbers.accounts.get(key)
      if (account === undefined) return refuse("credentials_invalid")
      return account.isSuspended ? refuse("account_suspended") : { account }
    },
    numbers,
    now
  }
  const routes = [...orderRoutes(context), ...numberRoutes(context)]
  const below = routes.map(([pattern, handler]) => [pattern.replace(" ", " /v2"), handler] as const)
  const server = serverOf([...telnyxControl(context, webhooks, ownWebhooks), ...routes, ...below], () =>
    refusalOf("not_found")
  )
  const url = await listen(server, port)
  return {
    url,
    publicKey: publicKeyOf(webhookSecret),
    log,
    faults,
    numbers,
    webhooks,
    close: () => {
      webhooks.close()
      numbers.close()
      landings.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** The control routes, which the product never calls: see `README.md`. */
const telnyxControl = (
  { faults, log, now, numbers }: TelnyxContext,
  webhooks: Ed25519Webhooks,
  ownWebhooks: (url: unknown, secret: unknown) => Ed25519Webhooks | undefined
): RouteList => [
  ...logAndFaults(log, faults),
  [
    "POST /accounts",
    ({ body }) => {
      const { id, key, name, numbers: listed, suspended, webhook_secret, webhook_url } = recordOf(jsonOf(body))
      if (typeof key !== "string" || typeof id !== "string") return refused("key and id")
      const identity = { key, id, name: typeof name === "string" ? name : id, isSuspended: suspended === true }
      const account = numbers.setUp(identity, ownWebhooks(webhook_url, webhook_secret))
      for (const one of Array.isArray(listed) ? listed.map(recordOf) : []) addNumber(numbers, account, one, now())
      return ok({
        ok: true,
        ...(typeof webhook_secret === "string" ? { public_key: publicKeyOf(webhook_secret) } : {})
      })
    }
  ],
  [
    "POST /sms",
    ({ body }) => {
      const { text, to } = recordOf(jsonOf(body))
      const told = numbers.sms(String(to), String(text))
      return told === undefined ? refused("to: a number of an account that takes messages") : ok({ ok: true })
    }
  ],
  [
    "POST /webhook-url",
    ({ body }) => {
      const { url } = recordOf(jsonOf(body))
      if (!isWebAddress(url)) return refused("url: where webhooks go")
      webhooks.aim(url)
      return ok({ ok: true })
    }
  ]
]

const addNumber = (
  numbers: Numbers,
  account: TelnyxAccount,
  { number, number_id, sms, status }: Readonly<Record<string, unknown>>,
  purchasedAt: number
): void =>
  numbers.add(account, {
    id: String(number_id),
    phoneNumber: String(number),
    sms: sms !== false,
    purchasedAt,
    customerReference: null,
    status: status === "suspended" ? "emergency-only" : status === "released" ? "deleted" : "active",
    messagingProfileId: null
  })
