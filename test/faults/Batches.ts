import { Effect } from "effect"
import { type Client, isFinal } from "./Client.ts"
import { type Ended, type Operation, recipientMarker } from "./Log.ts"
import type { Seeds } from "./Seeds.ts"

/** Whom batches of one environment go to, from which number. */
export interface BatchStage {
  readonly client: Client
  readonly phoneNumberId: string
  readonly environment: "sandbox" | "production"
  /** Recipients of one batch. */
  readonly recipients: number
  readonly stopped: () => boolean
}

/** Batches without a final answer, to be asked for again once the product is well again. */
export type UnansweredBatches = Map<string, BatchStage>

/** Between two batches, in milliseconds. */
const pace = [2_000, 5_000] as const

/** One client that sends a batch after the other, each until its answer is final or the load stops. */
export const batcher = Effect.fnUntraced(function* (
  stage: BatchStage,
  name: string,
  seeds: Seeds,
  unanswered: UnansweredBatches
) {
  for (let turn = 0; !stage.stopped(); turn++) {
    const marker = `${name}-${turn}`
    unanswered.set(marker, stage)
    let end = yield* ask(stage, name, marker)
    while (!isFinal(end) && !stage.stopped()) {
      yield* Effect.sleep(seeds.between(50, 250))
      end = yield* ask(stage, name, marker)
    }
    if (isFinal(end)) unanswered.delete(marker)
    for (let rest = seeds.between(...pace); rest > 0 && !stage.stopped(); rest -= 100) yield* Effect.sleep(100)
  }
})

/** Asks again under the same keys until every batch has its final answer. */
export const askForBatches = Effect.fnUntraced(function* (unanswered: UnansweredBatches, tries: number) {
  for (let attempt = 0; attempt < tries && unanswered.size > 0; attempt++) {
    for (const [marker, stage] of unanswered) {
      if (isFinal(yield* ask(stage, "insister", marker))) unanswered.delete(marker)
    }
    if (unanswered.size > 0) yield* Effect.sleep("250 millis")
  }
})

const ask = ({ client, environment, phoneNumberId, recipients }: BatchStage, name: string, marker: string) => {
  const key = `key ${marker}`
  const operation: Operation = { kind: "batch", marker, key, environment, recipients }
  const body = {
    sender: { type: "chatapp_phone_number", id: phoneNumberId },
    template: { name: "welcome", language: "pt_BR" },
    metadata: { marker },
    recipients: Array.from({ length: recipients }, (_, n) => ({
      to: `+55119${83_000_000 + n}`,
      variables: { 1: marker },
      metadata: { marker: recipientMarker(marker, n) }
    }))
  }
  const asked: Effect.Effect<Ended> = client.call(name, operation, { method: "POST", path: "/v1/batches", body, key })
  return asked
}
