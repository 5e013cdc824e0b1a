import type { Carteiro } from "@carteiro/sdk"
import { sleep } from "../shell/Clock.ts"
import { Failure } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

/** What a scenario has at hand. */
export interface Stage {
  readonly shell: Shell
  readonly client: Carteiro
  /** The sandbox's number. */
  readonly number: string
  /** The customer who plays along. */
  readonly customer: string
  /** Returns the scenario's request with the fields that the person gave. */
  readonly filled: <Body>(body: Body) => Body
}

/** How a scenario went. */
export interface Played {
  /** What the API answered last. */
  readonly result: unknown
  /** Ids that the events which follow name in their data. */
  readonly ids: ReadonlyArray<string>
}

/** Something that a sandbox plays. */
export interface Scenario {
  readonly name: string
  /** What it causes, for `--list`. */
  readonly causes: string
  /** Types of the events that follow; the last of them ends the wait. */
  readonly events: ReadonlyArray<string>
  readonly play: (stage: Stage) => Promise<Played>
}

/** Returns what the API answered, with its id as the one that events name. */
export const byId = <A extends { readonly id: string }>(result: A): Played => ({ result, ids: [result.id] })

/** Reads a thing until it is as wanted. Refuses when it is not within half a minute. */
export const until = async <A>(read: () => Promise<A>, holds: (thing: A) => boolean): Promise<A> => {
  for (let look = 1; look <= 120; look++) {
    const thing = await read()
    if (holds(thing)) return thing
    await sleep(250, new AbortController().signal)
  }
  throw new Failure("what the scenario needs did not come within 30 seconds", { code: "scenario_stuck" })
}
