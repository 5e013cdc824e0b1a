import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder of the database cluster that a data directory's embedded PostgreSQL serves. */
export const clusterOf = (dataDir: string): string => {
  const record = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { readonly home: string | null }
  return join(record.home ?? join(dataDir, "postgres"), "cluster")
}

/** Returns the pid file of its server. */
export const pidFileOf = (dataDir: string): string => join(clusterOf(dataDir), "postmaster.pid")

/** Returns the process id of its server. */
export const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(pidFileOf(dataDir), "utf8").split("\n", 1)[0])
