import { attention, type Judgement, size, span, well, wrong } from "./Finding.ts"
import type { StandingFacts } from "./InstallationRepo.ts"

/** One server that `DATABASE_URL` names, and how it stands; a text says why it gave no answer. */
export interface NamedServer {
  readonly host: string
  readonly stands: StandingFacts | string
}

/** Bytes of log that a standby replays in a second or two. */
const largeLag = 67_108_864

/**
 * Returns how each server stands of a `DATABASE_URL` that names several: which one nodes write to, how far the standbys are
 * behind, and which cannot be reached or must not run.
 */
export const namedServerFindings = (servers: ReadonlyArray<NamedServer>): ReadonlyArray<Judgement> => {
  const primary = primaryOf(servers)
  return servers.map(({ host, stands }) => {
    if (typeof stands === "string") {
      const silent = `${host} cannot be looked at: ${stands}.`
      return primary === undefined
        ? wrong(silent, "Start it, or promote a standby that runs.")
        : attention(
            silent,
            "Nodes go on without it. Bring it back as a standby before the next failover, or leave it out."
          )
    }
    if (primary !== undefined && stands.system !== primary.system) {
      return wrong(`${host} holds other data than ${primary.host}.`, "Name the servers of one installation alone.")
    }
    if (stands.timeline === null) return standbyFinding(host, stands, primary)
    if (host !== primary?.host) {
      return wrong(
        `${host} takes writes on timeline ${stands.timeline} beside ${primary?.host}: it is an old primary, which no node uses.`,
        "Stop it, and make it a standby by pg_rewind."
      )
    }
    if (stands.refusals > 0) {
      return wrong(
        `${host} takes writes on timeline ${stands.timeline}, and nodes that run refuse it: it was promoted, and the former primary had no synchronous standby, so that what was answered last may be missing.`,
        "Stop all nodes, run carteiro-operator restore accept --promoted, and start them."
      )
    }
    const told = `${host} is the primary, on timeline ${stands.timeline}`
    return stands.is_synchronous
      ? well(`${told}; its commits wait for a standby.`)
      : attention(
          `${told}; no commit waits for a standby, so a failover can lose what was answered last.`,
          "Name one in synchronous_standby_names, and reload."
        )
  })
}

interface Primary extends StandingFacts {
  readonly host: string
}

/** Returns the server that takes writes on the newest timeline, the first of several. */
const primaryOf = (servers: ReadonlyArray<NamedServer>): Primary | undefined =>
  servers
    .flatMap(({ host, stands }) => (typeof stands === "string" || stands.timeline === null ? [] : { host, ...stands }))
    .toSorted((one, other) => (other.timeline ?? 0) - (one.timeline ?? 0))[0]

const standbyFinding = (host: string, stands: StandingFacts, primary: Primary | undefined): Judgement => {
  if (primary === undefined) {
    return wrong(`${host} is a standby, and no server takes writes.`, "Start the primary, or promote this server.")
  }
  const behind = Math.max(0, primary.position - stands.position)
  const replayed = stands.replayed_ms_ago
  const last = behind === 0 || replayed === null ? "" : `; its last transaction is ${span(replayed)} old`
  const told = `${host} is a standby, ${size(behind)} of the log behind ${primary.host}${last}.`
  return behind > largeLag
    ? attention(told, "Look for a slow disk or network there, and for statements on it that hold up its log.")
    : well(told)
}
