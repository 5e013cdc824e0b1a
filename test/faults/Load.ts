import { Effect } from "effect"
import { askUntilFinal, type Client, isFinal } from "./Client.ts"
import { type Ended, fields, type Scenario } from "./Log.ts"
import type { Seeds } from "./Seeds.ts"

/** What the load runs on. */
export interface Stage {
  readonly client: Client
  readonly phoneNumberId: string
  /** Phones whose service window is open. */
  readonly recipients: readonly [string, ...ReadonlyArray<string>]
  readonly stopped: () => boolean
  /** Milliseconds between two calls of a sender, at least and at most. */
  readonly pace: readonly [least: number, most: number]
  /** A share of the sender's calls are reads of what it sent. */
  readonly reads: number
  /** What is sent: free text that a sandbox moves by its scenario, or the template that the platform knows. */
  readonly sends: "text" | "template"
}

/** A message somebody wants sent once, whatever happens to the answers. */
interface Intent {
  readonly marker: string
  readonly key: string | null
  readonly scenario: Scenario | null
  readonly recipient: string
}

/** Keyed intents without a final answer, to be asked again once the product is well again. */
export type Unanswered = Map<string, Intent>

const scenarios: readonly [Scenario, ...ReadonlyArray<Scenario>] = [
  "success",
  "success",
  "success",
  "delivered_only",
  "sent_only",
  "delivery_failure"
]

/** One client: sends, repeats itself under the same key as real callers do, and reads back, until it is stopped. */
export const sender = Effect.fnUntraced(function* (stage: Stage, name: string, seeds: Seeds, unanswered: Unanswered) {
  const known: Array<string> = []
  for (let turn = 0; !stage.stopped(); turn++) {
    yield* Effect.sleep(seeds.between(...stage.pace))
    const message_id = known.at(-seeds.between(1, 20))
    if (message_id !== undefined && seeds.chance(stage.reads)) {
      yield* stage.client.call(
        name,
        { kind: "read", message_id },
        { method: "GET", path: `/v1/messages/${message_id}` }
      )
      continue
    }
    const marker = `${name}-${turn}`
    const intent: Intent = {
      marker,
      key: seeds.chance(0.7) ? `key ${marker}` : null,
      scenario: stage.sends === "text" ? seeds.pick(scenarios) : null,
      recipient: seeds.pick(stage.recipients)
    }
    const accepted = intent.key === null ? yield* send(stage, name, intent) : yield* insist(stage, name, seeds, intent)
    if (accepted?.phase === "ok") known.push(String(fields(accepted.text).id))
    else if (intent.key !== null && accepted === undefined) unanswered.set(marker, intent)
    if (intent.key !== null && accepted?.phase === "ok") yield* repeat(stage, name, seeds, intent, intent.key)
  }
})

/** Asks again under the same key until every intent has its final answer; answers those that never got one. */
export const askAgain = (stage: Stage, unanswered: Unanswered, tries: number) =>
  askUntilFinal(unanswered, tries, (intent) => send(stage, "insister", intent))

/** Simultaneous copies of one request, then retries with the same key until an answer is final or the load stops. */
const insist = Effect.fnUntraced(function* (stage: Stage, name: string, seeds: Seeds, intent: Intent) {
  const copies = seeds.chance(0.3) ? seeds.between(2, 4) : 1
  const again = () => Effect.forEach(range(copies), (copy) => send(stage, `${name}.${copy}`, intent), everyone)
  for (let ends = yield* again(); ; ends = [yield* send(stage, name, intent)]) {
    const final = ends.find(({ phase }) => phase === "ok") ?? ends.find(isFinal)
    if (final !== undefined || stage.stopped()) return final
    yield* Effect.sleep(seeds.between(50, 250))
  }
})

/** What callers do to an answered key: ask once more, or misuse it for another body. */
const repeat = Effect.fnUntraced(function* (stage: Stage, name: string, seeds: Seeds, intent: Intent, key: string) {
  if (seeds.chance(0.15)) yield* send(stage, name, intent)
  if (!seeds.chance(0.05)) return
  const operation = { kind: "conflict", marker: intent.marker, key } as const
  const body = bodyOf(stage, { ...intent, marker: `${intent.marker}-other` })
  yield* stage.client.call(name, operation, { method: "POST", path: "/v1/messages", body, key })
})

const send = (stage: Stage, name: string, intent: Intent): Effect.Effect<Ended> => {
  const { key, marker, scenario } = intent
  const asked = { method: "POST", path: "/v1/messages", body: bodyOf(stage, intent), key } as const
  return stage.client.call(name, { kind: "send", marker, key, scenario }, asked)
}

const bodyOf = (stage: Stage, { marker, recipient, scenario }: Intent) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: stage.phoneNumberId },
  recipient: { type: "phone_e164", id: recipient },
  message:
    stage.sends === "text"
      ? { type: "text", text: { body: `text of ${marker}` } }
      : { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: marker } } },
  metadata: { marker, ...(scenario === "success" || scenario === null ? {} : { sandbox_scenario: scenario }) }
})

const everyone = { concurrency: "unbounded" } as const
const range = (length: number) => Array.from({ length }, (_, index) => index)
