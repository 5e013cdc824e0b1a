import type { ChatAnswer } from "@carteiro/provider/ChatProvider.ts"
import { judgeSend } from "@carteiro/runtime/messages/accept/Acceptance.ts"
import type { DueMessage, NumberFacts } from "@carteiro/runtime/messages/facts/SendingFacts.ts"
import { numberLimits } from "@carteiro/runtime/messages/facts/Throughput.ts"
import { accepted } from "@carteiro/runtime/messages/message/MessageState.ts"
import { consentChange } from "@carteiro/runtime/messages/receive/InboundKeyword.ts"
import { remaining, type Scenario } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import {
  applyReports,
  applyTrigger,
  beginProgress,
  endAttempt,
  judgeStaleAttempt,
  type SendProgress,
  takeTurn
} from "@carteiro/runtime/messages/send/SendProgress.ts"
import { type Bucket, levelAt, take } from "@carteiro/runtime/platform/ratelimit/TokenBucket.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { NumberOracle, type Stored } from "./NumberOracle.ts"
import { hour, minute, second, World } from "./World.ts"

/** What a provider does with what it is given. */
export type ProviderMode = "accepts" | "rejects" | "busy" | "loses" | "mixed"

/** What happens to a number from outside. */
export type NumberAction =
  | { readonly kind: "hear"; readonly customer: number; readonly text: string }
  /** `edge` sends at the instant the window closes, plus that many milliseconds. */
  | { readonly kind: "send"; readonly customer: number; readonly count: number; readonly edge: number | undefined }
  | { readonly kind: "scenario"; readonly customer: number; readonly scenario: Scenario }
  | { readonly kind: "number"; readonly active: boolean; readonly suspended: boolean }
  | { readonly kind: "provider"; readonly mode: ProviderMode }
  /** The provider reports on a message, in whatever order. */
  | { readonly kind: "report"; readonly nth: number; readonly status: "sent" | "delivered" | "read" | "failed" }
  /** The node goes away with the calls it made. */
  | { readonly kind: "crash" }

const unitMs = 500
const limit = { burst: 100, perMillis: 10 / second }
const passLimit = 256

const isTurn = ({ message }: Stored): boolean => message.status === "queued" && message.status_reason === null

const newMessage = (
  id: string,
  customer: number,
  scenario: Scenario,
  at: number,
  status_reason: string | null
): DueMessage => ({
  id,
  channel: "chatapp",
  type: "text",
  status: "queued",
  status_reason,
  business_phone: null,
  customer_id: String(customer),
  customer_key: String(customer),
  provider: null,
  provider_message_id: null,
  provider_payload: null,
  content: null,
  context: null,
  metadata: null,
  error_code: null,
  error_message: null,
  provider_error: null,
  events: null,
  trace_id: "",
  scenario,
  sending_since: null,
  released_at: null,
  delivery_unconfirmed_at: null,
  created_at: at,
  latest_inbound_at: null,
  opted_out: false
})

/** One number with its messages, windows and buckets, put together from the rules as its owner puts them together. */
export class NumberWorld extends World {
  readonly oracle = new NumberOracle()
  private readonly kind: EnvironmentKind
  private number: NumberFacts
  private readonly windows = new Map<number, number>()
  private readonly optedOut = new Set<number>()
  private readonly messages: Array<Stored> = []
  private readonly open = new Set<Stored>()
  private buckets: { accept: Bucket | undefined; send: Bucket | undefined } = { accept: undefined, send: undefined }
  private mode: ProviderMode = "accepts"
  private life = 0
  private lookAt = Number.POSITIVE_INFINITY

  constructor(seed: number, kind: EnvironmentKind) {
    super(seed)
    this.kind = kind
    this.number = {
      version: "1",
      environment_id: "env",
      environment: kind,
      phone: "+5511900000000",
      status: "active",
      suspended: false,
      throughput_plan: "starter",
      upstream_throughput_tier: null
    }
  }

  get stored(): ReadonlyArray<Stored> {
    return this.messages
  }

  act(action: NumberAction): void {
    switch (action.kind) {
      case "hear":
        this.hear(action.customer, action.text)
        break
      case "send":
        this.send(action.customer, action.count, action.edge)
        break
      case "scenario":
        this.accept(action.customer, this.kind === "sandbox" ? action.scenario : "success")
        break
      case "number":
        this.number = { ...this.number, status: action.active ? "active" : "disconnected", suspended: action.suspended }
        break
      case "provider":
        this.mode = action.mode
        // Nobody is busy for a day: what cannot leave is tried again every second until then.
        if (action.mode === "busy") this.after(minute, () => (this.mode = "mixed"))
        break
      case "report":
        this.report(action.nth, action.status)
        break
      case "crash":
        this.life++
        this.look(this.now + this.seeds.between(100, 5 * second))
        break
    }
  }

  private get limits() {
    return numberLimits(this.kind, this.number.throughput_plan, this.number.upstream_throughput_tier, limit)
  }

  private hear(customer: number, text: string): void {
    this.windows.set(customer, this.now)
    const change = consentChange(text)
    if (change === "opt_out") this.optedOut.add(customer)
    if (change === "opt_in") this.optedOut.delete(customer)
    this.oracle.heard(customer, text, this.now)
  }

  private send(customer: number, count: number, edge: number | undefined): void {
    const heardAt = this.windows.get(customer)
    if (edge === undefined || heardAt === undefined) for (let n = 0; n < count; n++) this.accept(customer, "success")
    else this.at(heardAt + 24 * hour + edge, () => this.accept(customer, "success"))
  }

  private accept(customer: number, scenario: Scenario): void {
    const rate = this.limits.accept
    const takeToken = () => {
      if (rate === undefined) return undefined
      const taken = take(this.buckets.accept, rate, this.now)
      this.buckets.accept = taken.bucket
      this.oracle.drew("accept", rate, this.now, taken.taken ? 1 : 0)
      if (taken.taken) return undefined
      this.oracle.waits(taken, rate, this.now)
      return taken.retryAfterMs
    }
    const refusal = judgeSend(
      {
        channel: "chatapp",
        type: "text",
        sender: this.number,
        overSpendCap: false,
        optedOut: this.optedOut.has(customer),
        latestInboundAt: this.windows.get(customer)
      },
      takeToken,
      this.now
    )
    this.oracle.accepts(customer, this.number.suspended, refusal?._tag, this.now)
    if (refusal !== undefined) return
    const { state } = accepted(this.now, scenario === "messaging_limit_pacing")
    const script = { scenario, type: "text" as const, accepted_at: this.now, unit_ms: unitMs, provider_message_id: "" }
    const message = newMessage(`msg_${this.messages.length}`, customer, scenario, this.now, state.status_reason)
    const due_at = this.kind === "sandbox" ? (remaining(script, state)[0]?.at ?? this.now) : this.now
    this.messages.push({ message, due_at })
    this.open.add(this.messages.at(-1) as Stored)
    this.look(due_at)
  }

  private look(at: number): void {
    if (at >= this.lookAt) return
    this.lookAt = at
    this.at(at, () => {
      this.lookAt = Number.POSITIVE_INFINITY
      this.pass()
    })
  }

  private pass(): void {
    const rate = this.limits.send
    const tokens = rate === undefined ? passLimit : Math.floor(levelAt(this.buckets.send, rate, this.now) + 1e-9)
    const due = [...this.open].filter(({ due_at }) => due_at !== null && due_at <= this.now)
    const turns = due.filter(isTurn).slice(0, tokens)
    if (rate !== undefined && turns.length > 0) {
      this.buckets.send = take(this.buckets.send, rate, this.now, turns.length).bucket
      this.oracle.drew("send", rate, this.now, turns.length)
    }
    for (const stored of due.filter((one) => !isTurn(one))) {
      const progress = beginProgress(stored.message)
      const sandbox = this.kind === "sandbox"
      this.write(stored, sandbox ? applyReports(progress, unitMs, this.now) : judgeStaleAttempt(progress, this.now))
    }
    for (const stored of turns) this.takeTurn(stored)
    let next = Number.POSITIVE_INFINITY
    for (const { due_at } of this.open) if (due_at !== null) next = Math.min(next, due_at)
    this.look(Math.max(next, this.now + (next <= this.now ? 250 : 0)))
  }

  private takeTurn(stored: Stored): void {
    const { message } = stored
    const customer = Number(message.customer_key)
    const latest = this.windows.get(customer)
    const facts = {
      ...message,
      opted_out: this.optedOut.has(customer),
      latest_inbound_at: latest ?? null
    }
    const provider = this.kind === "sandbox" ? "sandbox" : "upstream"
    const reserved = takeTurn(beginProgress(facts), this.number, provider, this.now)
    if (reserved.state.status !== "sending") {
      this.write(stored, reserved)
      return
    }
    this.oracle.left(message.id)
    if (this.kind === "sandbox") {
      const answer = { _tag: "Accepted" as const, provider_message_id: `sb_${message.id}` }
      this.write(stored, applyReports(endAttempt(reserved, answer, null, this.now), unitMs, this.now))
    } else {
      this.write(stored, reserved)
      this.call(stored)
    }
  }

  /** Asks the provider; what it answers to a node that went away is lost. */
  private call(stored: Stored): void {
    const { life } = this
    const answer = this.answer(stored.message.id)
    if (answer._tag === "NotSent") this.oracle.cameBack(stored.message.id)
    this.after(this.seeds.between(5, 2 * second), () => {
      if (life !== this.life || stored.message.status !== "sending") return
      this.write(stored, endAttempt(beginProgress(stored.message), answer, null, this.now))
      if (stored.due_at !== null) this.look(stored.due_at)
    })
  }

  private answer(id: string): ChatAnswer {
    const mode = this.mode === "mixed" ? this.seeds.pick(["accepts", "rejects", "busy", "loses"] as const) : this.mode
    if (mode === "rejects") return { _tag: "Rejected", code: "upstream_rejected", error: null }
    if (mode === "busy") return { _tag: "NotSent" }
    if (mode === "loses") return { _tag: "Unknown" }
    return { _tag: "Accepted", provider_message_id: `up_${id}`, response: {} }
  }

  private report(nth: number, status: "sent" | "delivered" | "read" | "failed"): void {
    const stored = this.messages[nth % Math.max(1, this.messages.length)]
    // A provider speaks only of what it was given.
    if (stored === undefined || this.kind === "sandbox" || !this.oracle.hasLeft(stored.message.id)) return
    const progress = applyTrigger(beginProgress(stored.message), { _tag: "Report", status }, this.now)
    const stays = progress.state.status === stored.message.status
    this.write(stored, { ...progress, due_at: stays ? stored.due_at : null })
  }

  private write(stored: Stored, progress: SendProgress): void {
    const { state, transitions } = progress
    this.oracle.moved(stored.message, state.status, transitions)
    stored.message = {
      ...stored.message,
      status: state.status,
      status_reason: state.status_reason,
      provider_message_id: state.provider_message_id,
      error_code: state.error_code,
      error_message: state.error_message,
      provider: progress.provider,
      sending_since: progress.sending_since,
      released_at: progress.released_at,
      delivery_unconfirmed_at: state.delivery_unconfirmed_at
    }
    stored.due_at = progress.due_at
    if (stored.due_at === null) this.open.delete(stored)
  }
}
