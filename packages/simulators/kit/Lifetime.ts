import { recordOf } from "./Routes.ts"

/** A simulator that runs in this process. */
export interface Hosted {
  readonly url: string
  /** Takes what the simulator could not know when it started. */
  readonly told: (message: unknown) => void
  readonly stop: () => Promise<void>
}

/** One that a command line starts, with the words behind its name. */
export interface Program {
  /** Its line in the help, and its options. */
  readonly usage: string
  readonly start: (words: ReadonlyArray<string>) => Promise<Hosted>
}

/** A simulator that tells one receiver what happens. */
interface Telling {
  readonly url: string
  readonly webhooks: { readonly aim: (url: string) => void }
  readonly close: () => Promise<void>
}

/** Hosts a simulator whose receiver its command line names, or a message of the process later. */
export const hostTelling = (simulator: Telling, webhookUrl: string | undefined): Hosted => {
  if (webhookUrl !== undefined) simulator.webhooks.aim(webhookUrl)
  return {
    url: simulator.url,
    told: (message) => {
      const { webhook_url } = recordOf(message)
      if (typeof webhook_url === "string") simulator.webhooks.aim(webhook_url)
    },
    stop: () => simulator.close()
  }
}

/** Milliseconds since the epoch: a vendor lives by a clock of its own. */
export const vendorClock = (): number => Math.floor(performance.timeOrigin + performance.now())
