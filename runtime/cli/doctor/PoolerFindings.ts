import type { Pooler } from "@carteiro/tables/Pooler.ts"
import { poolerProblem, poolerSizes } from "../../boot/Poolers.ts"
import { attention, type Judgement, well, wrong } from "./Finding.ts"

/**
 * Returns what stands between this machine and PostgreSQL, for a node that takes so many sessions. A node that runs already
 * holds its part of the sessions, so that the rest is told and not judged.
 */
export const poolerFindings = (
  poolers: ReadonlyArray<Pooler>,
  sessions: number,
  database: string
): ReadonlyArray<Judgement> =>
  poolers.flatMap((pooler) => {
    const refused = poolerProblem(pooler)
    if (refused !== undefined) return [wrong(sentence(refused.problem), sentence(refused.remedy))]
    const sizes = poolerSizes(pooler, sessions, database)
    if (sizes === undefined) return []
    const isStarved = pooler.kind === "sessions" && (pooler.sizes?.waiting ?? 0) > 0
    return [isStarved ? attention(`${sizes.found}.`, sentence(sizes.remedy)) : well(`${sizes.found}.`)]
  })

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
