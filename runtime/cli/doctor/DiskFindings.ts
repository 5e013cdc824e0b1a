import { statfs } from "node:fs/promises"
import { Effect } from "effect"
import { attention, type Judgement, size, unknown, well, wrong } from "./Finding.ts"

/** Shares of a disk below which it wants more room, and below which it is about to stop. */
const scarce = 0.15
const nearlyFull = 0.05

/** One disk: its free bytes as a user without privileges has them, and all of them. */
export interface DiskFacts {
  readonly free: number
  readonly total: number
}

/** Returns how full a disk is. */
export const diskFinding = (what: string, { free, total }: DiskFacts): Judgement => {
  const told = `The disk of ${what} has ${size(free)} of ${size(total)} free`
  const remedy = "Give it more room, or remove what does not belong to it. Never remove files of PostgreSQL by hand."
  if (free < total * nearlyFull) return wrong(`${told}: writes are about to fail.`, remedy)
  return free < total * scarce ? attention(`${told}.`, remedy) : well(`${told}.`)
}

/** Looks at the disk below a folder of this machine. */
export const lookAtDisk = (what: string, folder: string): Effect.Effect<Judgement> =>
  Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, blocks, bsize }) => diskFinding(what, { free: bavail * bsize, total: blocks * bsize })),
    Effect.catch(() => Effect.succeed(elsewhere(what)))
  )

/** A disk that cannot be seen from this machine. */
export const elsewhere = (what: string): Judgement =>
  unknown(
    `The disk of ${what} cannot be seen from here.`,
    "Look at it on its own machine, and let your monitoring watch it."
  )
