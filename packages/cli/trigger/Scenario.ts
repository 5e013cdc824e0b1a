import type { Carteiro } from "@carteiro/sdk"
import { sleep } from "../shell/Clock.ts"
import { Failure } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

/** The means of a scenario. */
export interface Stage {
  readonly shell: Shell
  /** True with --yes: nothing is asked. */
  readonly isAgreed: boolean
  /** How long what follows is waited for, in milliseconds; undefined without --wait. */
  readonly waitMs: number | undefined
  readonly client: Carteiro
  /** The sandbox's number. */
  readonly number: string
  /** The simulated customer. */
  readonly customer: string
  /** Returns the scenario's request with the fields that the person gave. */
  readonly filled: <Body>(body: Body) => Body
}

/** The result of a scenario. */
export interface Played {
  /** The last response of the API. */
  readonly result: unknown
  /** Ids that the following events name in their data. */
  readonly ids: ReadonlyArray<string>
}

/** One scenario that a sandbox can simulate. */
export interface Scenario {
  readonly name: string
  /** Its effect, for `--list`. */
  readonly causes: string
  /** Types of the following events; the last of them ends the wait. */
  readonly events: ReadonlyArray<string>
  readonly play: (stage: Stage) => Promise<Played>
}

/** Returns the API's response, with its id as the one that events name. */
export const byId = <A extends { readonly id: string }>(result: A): Played => ({ result, ids: [result.id] })

/** Reads a resource until it meets the condition. Refuses when it does not within half a minute. */
export const until = async <A>(read: () => Promise<A>, holds: (thing: A) => boolean): Promise<A> => {
  for (let look = 1; look <= 120; look++) {
    const thing = await read()
    if (holds(thing)) return thing
    await sleep(250, new AbortController().signal)
  }
  throw new Failure("what the scenario needs did not come within 30 seconds", { code: "scenario_stuck" })
}
