import { Context } from "effect"
import type { Postgres } from "./Postgres.ts"

/** Length and number of the rounds of a run, and whether it takes profiles. */
export interface Options {
  readonly rounds: number
  /** Length of one round of load. */
  readonly seconds: number
  /** Take a processor profile of the product and print where its time goes. */
  readonly profile: boolean
}

/** What every workload of a run shares. */
export class Bench extends Context.Service<
  Bench,
  {
    readonly options: Options
    readonly postgres: Postgres
    /** A folder for scripts, data directories and profiles; it goes with the run. */
    readonly folder: string
    /** The repository. */
    readonly root: string
    /** Tells the person at the terminal what is going on. */
    readonly say: (line: string) => void
  }
>()("@carteiro/test/bench/Bench") {}
