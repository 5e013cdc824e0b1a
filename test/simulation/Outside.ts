import { type ChatAnswer, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { answered, failed, type OutboundResult } from "@carteiro/runtime/platform/outbound/Attempt.ts"
import { Outbound } from "@carteiro/runtime/platform/outbound/Outbound.ts"
import { Effect, Layer } from "effect"
import type fc from "fast-check"
import { makeSeeds } from "../faults/Seeds.ts"

export type ReceiverAnswer = "up" | "down" | "flaky" | "gone"
export type ProviderAnswer = "accepts" | "rejects" | "loses" | "mixed"

/** A delivery as it reached a receiver. */
export interface Arrival {
  readonly url: string
  readonly event_id: string
  readonly ok: boolean
}

/** Receivers and a provider without sockets. What they answer, and in which order, is the schedule's. */
export class Outside {
  readonly arrivals: Array<Arrival> = []
  /** How often each message reached the provider. */
  readonly sent = new Map<string, number>()
  readonly receivers = new Map<string, ReceiverAnswer>()
  provider: ProviderAnswer = "accepts"
  private readonly seeds
  private readonly scheduler: fc.Scheduler
  private asked = 0

  constructor(seed: number, scheduler: fc.Scheduler) {
    this.seeds = makeSeeds(`outside/${seed}`)
    this.scheduler = scheduler
  }

  /** Lets one of the answers under way arrive; true while there are any. */
  arrive(): boolean {
    if (this.scheduler.count() === 0) return false
    void this.scheduler.waitOne()
    return true
  }

  /** Everything works from now on. */
  recover(): void {
    for (const url of this.receivers.keys()) this.receivers.set(url, "up")
    this.provider = "accepts"
  }

  post(url: string, event_id: string): Effect.Effect<OutboundResult> {
    return this.later(`POST ${url}`, () => {
      const mode = this.receivers.get(url) ?? "up"
      const ok = mode === "up" || (mode === "flaky" && this.seeds.chance(0.5))
      this.arrivals.push({ url, event_id, ok })
      if (ok) return answered(200, null)
      return mode === "gone" ? failed("timeout", "No answer.") : answered(503, null)
    })
  }

  send(message_id: string): Effect.Effect<ChatAnswer> {
    this.sent.set(message_id, (this.sent.get(message_id) ?? 0) + 1)
    return this.later(`send ${message_id.slice(0, 4)}`, (): ChatAnswer => {
      const mode = this.provider === "mixed" ? this.seeds.pick(["accepts", "rejects", "loses"] as const) : this.provider
      if (mode === "rejects") return { _tag: "Rejected", code: "upstream_rejected", error: null }
      if (mode === "loses") return { _tag: "Unknown" }
      return { _tag: "Accepted", provider_message_id: `up_${message_id}`, response: {} }
    })
  }

  private later<A>(label: string, answer: () => A): Effect.Effect<A> {
    return Effect.promise(() => this.scheduler.schedule(Promise.resolve(), `${label} ${++this.asked}`).then(answer))
  }
}

/** The outside as the runtime's ports. */
export const outsideLayer = (outside: Outside) =>
  Layer.merge(
    Layer.succeed(Outbound, {
      post: ({ headers, url }) => Effect.suspend(() => outside.post(url, headers["svc-webhook-id"] ?? "")),
      vet: () => Effect.succeed("ok" as const)
    }),
    Layer.succeed(ConnectedChat, () =>
      Effect.succeed({
        name: "upstream" as const,
        inProcess: false,
        send: (sends) => Effect.forEach(sends, ({ message_id }) => Effect.suspend(() => outside.send(message_id)))
      })
    )
  )
