import { type Judgement, problemsOr, unknown, well, wrong } from "./Finding.ts"
import type { RunnerFacts } from "./InstallationRepo.ts"

/** How far a machine's clock may be from the database's, and how exact a look must be, in milliseconds. */
export interface ClockFacts {
  readonly aheadMillis: number
  readonly uncertaintyMillis: number
  readonly toleranceMillis: number
}

/** Returns how this machine's clock stands to the database's. Architecture, section 2 "Time is Clock" */
export const clockFindings = ({ aheadMillis, toleranceMillis, uncertaintyMillis }: ClockFacts): Judgement => {
  const off = Math.max(0, Math.abs(aheadMillis) - uncertaintyMillis)
  const told = `${Math.round(Math.abs(aheadMillis))} ms ${aheadMillis < 0 ? "ahead of" : "behind"} the database's`
  if (off > toleranceMillis) {
    return wrong(
      `The clock of this machine is ${told}; a node that drifts by more than ${toleranceMillis} ms takes no requests.`,
      "Repair time synchronization (chrony, systemd-timesyncd) on this machine or on the database's."
    )
  }
  return uncertaintyMillis > toleranceMillis
    ? unknown(
        `The database took ${Math.round(uncertaintyMillis * 2)} ms to tell its time, too long to compare clocks.`,
        "Look again when the database is less busy, from a machine nearer to it."
      )
    : well(`The clock of this machine is ${told}, exact to ${Math.ceil(uncertaintyMillis)} ms.`)
}

/** Returns which runners live, and whether every shard has one. */
export const runnerFindings = (runners: ReadonlyArray<RunnerFacts>, shards: number): ReadonlyArray<Judgement> => {
  const alive = runners.filter(({ is_alive }) => is_alive)
  const held = alive.reduce((sum, one) => sum + one.shards, 0)
  const start = "Start nodes with the role all or shard, and see the log of those that should run."
  if (alive.length === 0) return [wrong("No node with shards runs: nothing is accepted, sent or delivered.", start)]
  const idle = alive.filter((one) => one.shards === 0)
  const problems: Array<Judgement> = []
  if (held < shards) {
    problems.push(
      wrong(
        `${shards - held} of ${shards} shards have no node: their owners do not answer.`,
        `Wait ten seconds, and look again. ${start}`
      )
    )
  }
  for (const { address } of idle) {
    problems.push(
      wrong(
        `The runner ${address} holds no shard.`,
        "Look at /health/ready on its admin port: it is starting, stopping, or its clock or database is away."
      )
    )
  }
  const shown = alive.map((one) => `${one.address} (${one.shards})`).join(", ")
  return problemsOr(problems, `All ${shards} shards have a node: ${shown}.`)
}
