import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context } from "effect"

/** The rules by which requests of one kind of environment are kept. */
export interface KeptRequests {
  /** The days that a request is kept, unless the environment keeps payloads for a shorter time. */
  readonly days: number
  /** The successful reads per second that are all kept, for each environment and node. */
  readonly reads_per_second: number
  /** Of reads above that rate, one of this many is kept. */
  readonly sample_one_of: number
  /** True when bodies are kept, without secrets. */
  readonly bodies: boolean
}

/** The rules by kind of environment; undefined keeps nothing. Boot contract, "Settings" */
export const RequestLogSettings = Context.Reference<Readonly<Record<EnvironmentKind, KeptRequests>> | undefined>(
  "@carteiro/runtime/request-logs/log/RequestLogSettings",
  {
    defaultValue: () => ({
      sandbox: { days: 7, reads_per_second: 20, sample_one_of: 20, bodies: true },
      production: { days: 30, reads_per_second: 20, sample_one_of: 20, bodies: true }
    })
  }
)
