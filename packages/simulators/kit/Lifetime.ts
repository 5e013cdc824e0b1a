import { recordOf } from "./Routes.ts"

/** A simulator that runs in this process. */
export interface Hosted {
  readonly url: string
  /** Printed before the ready line, by name: what others have to know beside the address. */
  readonly facts?: Readonly<Record<string, string>>
  /** Receives settings that were unknown at the simulator's start. */
  readonly receive: (message: unknown) => void
  readonly stop: () => Promise<void>
}

/** A simulator that a command line starts, with the words after its name. */
export interface Program {
  /** Its line in the help, and its options. */
  readonly usage: string
  readonly start: (words: ReadonlyArray<string>) => Promise<Hosted>
}

/** A simulator that posts webhooks to one receiver. */
interface Telling {
  readonly url: string
  readonly webhooks: { readonly aim: (url: string) => void }
  readonly close: () => Promise<void>
}

/** Hosts a simulator whose receiver comes from its command line, or later from a message of the process. */
export const hostTelling = (simulator: Telling, webhookUrl: string | undefined): Hosted => {
  if (webhookUrl !== undefined) simulator.webhooks.aim(webhookUrl)
  return {
    url: simulator.url,
    receive: (message) => {
      const { webhook_url } = recordOf(message)
      if (typeof webhook_url === "string") simulator.webhooks.aim(webhook_url)
    },
    stop: () => simulator.close()
  }
}

/** Returns epoch milliseconds of a vendor's own clock. */
export const vendorClock = (): number => Math.floor(performance.timeOrigin + performance.now())
