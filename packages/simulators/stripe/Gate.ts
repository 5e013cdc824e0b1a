import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { Landings, standardLandingMs } from "../kit/Landings.ts"
import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import type { Account } from "./account/Account.ts"
import { brokenServer, strikeAfter, strikeBefore } from "./StripeFaults.ts"
import { apiVersion, type Done, type StripeOperation, type StripeOptions } from "./Vendor.ts"
import { type FormRecord, formOf } from "./wire/Form.ts"
import { IdempotencyKeys, type KeyedCall } from "./wire/IdempotencyKeys.ts"
import { Ids } from "./wire/Ids.ts"
import { answerOf, invalid, Refusal } from "./wire/Refusal.ts"

/** A call with its parameters. */
export interface Request {
  readonly call: Call
  readonly params: FormRecord
  readonly version: string
}

type Facts = Readonly<Record<string, unknown>>

/** The door of the account: version, credential, faults before the effect, keys, the effect, faults after it, log. */
export class Gate {
  private readonly keys: IdempotencyKeys
  private readonly landings: Landings
  private readonly account: Account
  private readonly options: StripeOptions
  private readonly log: CallLog
  private readonly faults: Faults

  constructor(account: Account, options: StripeOptions, log: CallLog, faults: Faults) {
    this.account = account
    this.options = options
    this.log = log
    this.faults = faults
    this.keys = new IdempotencyKeys(options.now)
    this.landings = new Landings(options.now)
  }

  /** Lets creates take effect that are due by the simulator's clock. */
  landDue(): void {
    this.landings.landDue()
  }

  close(): void {
    this.landings.close()
  }

  /** Makes a route; `isOpen` lets in calls of a browser without the account's key. */
  route(
    operation: StripeOperation,
    handle: (request: Request) => Done,
    isOpen: (request: Request) => boolean = () => false
  ): Handler {
    return (call) => {
      const requestId = `req_${Ids.secret(14)}`
      this.account.origin = `http://${call.headers.host}`
      this.landings.landDue()
      const note = (outcome: string, facts: Facts = {}) => this.log.add(operation, { outcome, ...facts })
      const finish = (answer: SimulatedAnswer | undefined) => answer && dressed(answer, call, requestId)
      try {
        const request = requestOf(call)
        if (!this.isKnown(call) && !isOpen(request)) throw strangerOf(call)
        const struck = strikeBefore(this.faults, operation, call)
        if (struck !== undefined) {
          note(struck.name)
          return finish(struck.answer)
        }
        return this.run(operation, request, requestId, handle, note, finish)
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal
        note(refusal.outcome, refusal.facts)
        return finish(answerOf(refusal))
      }
    }
  }

  private run(
    operation: StripeOperation,
    request: Request,
    requestId: string,
    handle: (request: Request) => Done,
    note: (outcome: string, facts?: Facts) => void,
    finish: (answer: SimulatedAnswer | undefined) => SimulatedAnswer | undefined
  ): SimulatedAnswer | undefined | Promise<SimulatedAnswer | undefined> {
    const { call, params } = request
    const key = call.method === "POST" ? (call.headers["idempotency-key"]?.toString() ?? null) : null
    const facts = factsOf(operation, params, key)
    const keyed = this.claim(call, params, key, requestId, facts)
    if (keyed?.answer !== undefined) {
      note("repeated", { ...facts, ...keyed.facts })
      const headers = { "idempotent-replayed": "true", "original-request": keyed.requestId }
      const lost = strikeAfter(this.faults, operation, call)
      return finish(lost === undefined ? { ...keyed.answer, headers } : lost.answer)
    }
    const act = () => this.act(handle, request, requestId, key, keyed)
    const late = this.faults.hit(["lands_late"], { operation })
    if (late !== undefined) {
      this.landings.later(key ?? requestId, late.value ?? standardLandingMs, () => void act())
      call.response.destroy()
      note("lands_late", facts)
      return undefined
    }
    const done = act()
    return this.answer(operation, call, keyed, { ...done, facts: { ...facts, ...done.facts } }, note, finish)
  }

  private answer(
    operation: StripeOperation,
    call: Call,
    keyed: KeyedCall | undefined,
    { answer, facts, outcome }: Done,
    note: (outcome: string, facts?: Facts) => void,
    finish: (answer: SimulatedAnswer | undefined) => SimulatedAnswer | undefined
  ): SimulatedAnswer | undefined | Promise<SimulatedAnswer | undefined> {
    const kept = this.faults.hit(["error_500_kept"], { operation })
    if (kept !== undefined && keyed !== undefined) keyed.answer = brokenServer
    const lost = strikeAfter(this.faults, operation, call)
    const name = kept?.name ?? lost?.name
    note(outcome, name === undefined ? facts : { ...facts, lost: name })
    if (lost !== undefined) return finish(lost.answer)
    const whole = kept === undefined ? answer : brokenServer
    const delay = this.faults.hit(["delay", "webhook_first"], { operation })
    if (delay === undefined) return finish(whole)
    // Until the answer is written, the call runs: a repeat under its key is refused.
    const first = keyed?.answer
    if (keyed !== undefined) keyed.answer = undefined
    return new Promise((resolve) => {
      setTimeout(() => {
        if (keyed !== undefined) keyed.answer = first
        resolve(finish(whole))
      }, delay.value ?? standardLandingMs).unref()
    })
  }

  /** Carries a call out, and keeps its answer under its key unless its parameters were refused. */
  private act(
    handle: (request: Request) => Done,
    request: Request,
    requestId: string,
    key: string | null,
    keyed: KeyedCall | undefined
  ): Done {
    this.account.events.cause = { id: requestId, idempotency_key: key }
    const done = carriedOut(handle, request)
    this.account.events.cause = { id: null, idempotency_key: null }
    if (key !== null && keyed !== undefined) {
      const status = done.answer?.status ?? 0
      if (status >= 400 && status !== 402) this.keys.forget(key)
      else {
        keyed.answer = done.answer
        keyed.facts = done.facts ?? {}
      }
    }
    return done
  }

  private claim(
    call: Call,
    params: FormRecord,
    key: string | null,
    requestId: string,
    facts: Facts
  ): KeyedCall | undefined {
    if (key === null) return undefined
    const fingerprint = JSON.stringify(params, (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : value
    )
    try {
      return this.keys.earlier(key, call.path, fingerprint) ?? this.keys.begin(key, call.path, fingerprint, requestId)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      throw new Refusal(refusal.status, refusal.error, refusal.outcome, facts)
    }
  }

  private isKnown({ headers: { authorization = "" } }: Call): boolean {
    const [scheme = "", value = ""] = authorization.split(" ")
    if (scheme.toLowerCase() === "bearer") return value === this.options.apiKey
    const [user] = Buffer.from(value, "base64").toString("utf8").split(":")
    return scheme.toLowerCase() === "basic" && user === this.options.apiKey
  }
}

const carriedOut = (handle: (request: Request) => Done, request: Request): Done => {
  try {
    return handle(request)
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    return { answer: answerOf(refusal), outcome: refusal.outcome, facts: refusal.facts }
  }
}

const requestOf = (call: Call): Request => {
  const version = call.headers["stripe-version"]?.toString() ?? apiVersion
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version)) throw invalid(`Invalid Stripe API version: ${version}`)
  const type = call.headers["content-type"] ?? ""
  if (call.method === "POST" && call.body.length > 0 && !type.startsWith("application/x-www-form-urlencoded")) {
    throw invalid("Invalid request (check that your POST content type is application/x-www-form-urlencoded).")
  }
  const encoded = call.method === "POST" ? call.body.toString("utf8") : call.query.toString()
  return { call, params: formOf(encoded), version }
}

const strangerOf = ({ headers: { authorization } }: Call): Refusal =>
  new Refusal(
    401,
    {
      message:
        authorization === undefined
          ? "You did not provide an API key. You need to provide your API key in the Authorization header, using " +
            "Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
          : `Invalid API Key provided: ****${authorization.slice(-4)}`,
      type: "invalid_request_error"
    },
    "credentials_invalid"
  )

/** Returns what the log tells of a call's parameters, in the words of the bridge's simulator. */
const factsOf = (operation: StripeOperation, params: FormRecord, key: string | null): Facts => {
  const metadata = params.metadata
  const external_id = typeof metadata === "object" && "external_id" in metadata ? metadata.external_id : undefined
  const facts = {
    ...(external_id === undefined ? undefined : { external_id }),
    ...(key === null ? undefined : { idempotency_key: key })
  }
  if (operation !== "charge") return facts
  const { amount, confirm, customer, off_session, payment_method } = params
  return {
    ...facts,
    amount_centavos: Number(amount),
    confirm: confirm === "true",
    customer,
    off_session: off_session === "true",
    payment_method
  }
}

/** Writes an answer as the API does. */
const dressed = ({ body, headers, status }: SimulatedAnswer, call: Call, requestId: string): SimulatedAnswer => {
  const key = call.headers["idempotency-key"]
  return {
    status,
    body: Buffer.from(JSON.stringify(body, null, 2)),
    headers: {
      "content-type": "application/json",
      "request-id": requestId,
      "stripe-version": call.headers["stripe-version"]?.toString() ?? apiVersion,
      ...(key === undefined ? undefined : { "idempotency-key": String(key) }),
      ...(status === 401 ? { "www-authenticate": 'Basic realm="Stripe"' } : undefined),
      ...(status === 409 ? { "stripe-should-retry": "true" } : undefined),
      ...headers
    }
  }
}
