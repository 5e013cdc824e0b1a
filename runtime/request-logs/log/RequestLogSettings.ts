import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context } from "effect"

/** How requests of one kind of environment are kept. */
export interface KeptRequests {
  /** Days that a request is kept, unless the environment keeps payloads for less. */
  readonly days: number
  /** Successful reads of one second that are all kept, for each environment and node. */
  readonly reads_per_second: number
  /** One of so many is kept of those beyond. */
  readonly sample_one_of: number
  /** Whether bodies are kept, without secrets. */
  readonly bodies: boolean
}

/** Holds what is kept, by kind of environment; undefined keeps nothing. Boot contract, "Settings" */
export const RequestLogSettings = Context.Reference<Readonly<Record<EnvironmentKind, KeptRequests>> | undefined>(
  "@carteiro/runtime/request-logs/log/RequestLogSettings",
  {
    defaultValue: () => ({
      sandbox: { days: 7, reads_per_second: 20, sample_one_of: 20, bodies: true },
      production: { days: 30, reads_per_second: 20, sample_one_of: 20, bodies: true }
    })
  }
)
