import type { WatchedCall } from "@carteiro/outbound/Calls.ts"
import { Instruments, secondsBounds } from "@carteiro/owners/Instruments.ts"
import { Effect } from "effect"

/**
 * Measures calls to vendors by the vendor's name and by how they ended: `2xx`, `4xx` and so on, or `unanswered`. The
 * names come with the base URLs that the settings have; an undefined one is a vendor that is not set up.
 */
export const vendorMetrics = (vendors: Readonly<Record<string, string | undefined>>) =>
  Effect.map(Instruments, (instruments) => {
    const seconds = instruments.histogram({
      name: "vendor_call_duration_seconds",
      help: "Time of a call to a vendor, its answer included",
      labels: ["vendor", "outcome"],
      bounds: secondsBounds
    })
    const names = new Map(
      Object.entries(vendors).flatMap(([name, url]) =>
        url === undefined ? [] : [[new URL(url).origin, name] as const]
      )
    )
    return ({ milliseconds, origin, status }: WatchedCall): void => {
      const name = names.get(origin)
      if (name === undefined) return
      const outcome = status === null ? "unanswered" : `${Math.floor(status / 100)}xx`
      seconds(name, outcome)(milliseconds / 1000)
    }
  })
