import { attemptResult, failed, type OutboundResult } from "@carteiro/outbound/Attempt.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { type ChatAnswer, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { Clock, Effect, Layer } from "effect"
import { makeSeeds, type Seeds } from "../faults/Seeds.ts"
import { connectionOf, notSent } from "../support/Chat.ts"
import { anyTenantUrl } from "../support/Vendors.ts"
import type { Ways } from "./Ways.ts"
import { minute, second } from "./World.ts"

export type ReceiverAnswer = "up" | "down" | "flaky" | "slow" | "gone"
export type ProviderAnswer = "accepts" | "rejects" | "busy" | "loses" | "mixed"

/** A delivery as it reached a receiver. */
export interface Arrival {
  readonly url: string
  readonly event_id: string
  readonly ok: boolean
}

/** Receivers and a provider without sockets. What they answer, and how soon, is the schedule's. */
export class Outside {
  readonly arrivals: Array<Arrival> = []
  /** How often each message reached the provider. */
  readonly sent = new Map<string, number>()
  /** Messages the provider took and said so, with the instants it got them and was heard (epoch milliseconds). */
  readonly taken = new Map<string, { readonly from: number; readonly to: number }>()
  readonly receivers = new Map<string, ReceiverAnswer>()
  private provider: { readonly mode: ProviderAnswer; readonly since: number } = { mode: "accepts", since: 0 }
  private readonly seeds: Seeds

  constructor(seed: number) {
    this.seeds = makeSeeds(`outside/${seed}`)
  }

  /** What the provider answers from an instant on. Nobody is busy for long: what cannot leave is tried every second. */
  answers(mode: ProviderAnswer, since: number): void {
    this.provider = { mode, since }
  }

  /** Everything works from now on. */
  recover(): void {
    for (const url of this.receivers.keys()) this.receivers.set(url, "up")
    this.answers("accepts", 0)
  }

  private modeAt(now: number) {
    const { mode, since } = this.provider
    const mixed = mode === "mixed" || (mode === "busy" && now - since > minute)
    return mixed ? this.seeds.pick(["accepts", "rejects", "busy", "loses"] as const) : mode
  }

  /** One delivery of a node. */
  post(ways: Ways, url: string, event_id: string): Effect.Effect<OutboundResult> {
    return Effect.gen({ self: this }, function* () {
      yield* ways.pass(`POST ${url}`)
      const mode = this.receivers.get(url) ?? "up"
      const ok = mode === "up" || ((mode === "flaky" || mode === "slow") && this.seeds.chance(0.5))
      this.arrivals.push({ url, event_id, ok })
      yield* Effect.sleep(mode === "gone" ? 15 * second : this.seeds.between(1, mode === "slow" ? 10 * second : 200))
      yield* ways.pass(`answer of ${url}`)
      if (ok) return attemptResult(200, null)
      return mode === "gone" ? failed("timeout", "No answer.") : attemptResult(503, null)
    })
  }

  /** One message of a node. */
  send(ways: Ways, message_id: string): Effect.Effect<ChatAnswer> {
    return Effect.gen({ self: this }, function* () {
      yield* ways.pass("send")
      const from = yield* Clock.currentTimeMillis
      const mode = this.modeAt(from)
      if (mode !== "busy") this.sent.set(message_id, (this.sent.get(message_id) ?? 0) + 1)
      yield* Effect.sleep(this.seeds.between(1, mode === "loses" ? 30 * second : 2 * second))
      yield* ways.pass("answer to send")
      if (mode === "busy") return notSent
      if (mode === "rejects") return { _tag: "Rejected", code: "upstream_rejected", error: null }
      if (mode === "loses") return { _tag: "Unknown" }
      this.taken.set(message_id, { from, to: yield* Clock.currentTimeMillis })
      return { _tag: "Accepted", provider_message_id: `up_${message_id}`, response: {} }
    })
  }
}

/** The outside as the ports of one node. */
export const outsideLayer = (outside: Outside, ways: Ways) =>
  Layer.merge(
    Layer.succeed(Outbound, {
      post: ({ headers, url }) => outside.post(ways, url.href, headers["svc-webhook-id"] ?? ""),
      check: () => "ok" as const,
      tenantUrl: anyTenantUrl,
      originOf: (url) => url,
      vet: () => Effect.succeed("ok" as const)
    }),
    Layer.succeed(ConnectedChat, () => Effect.succeed(connectionOf(({ message_id }) => outside.send(ways, message_id))))
  )
