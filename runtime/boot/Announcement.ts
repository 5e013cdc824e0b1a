import { Effect } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { showBanner } from "./Banner.ts"
import { type DevFile, devFilePath, writeDevFile } from "./DevFile.ts"
import type { RunningSimulators } from "./simulators/Simulators.ts"

/** Where a node takes requests, and in development the demo organization that is there. */
export interface Announcement {
  /** The address of the ready line. */
  readonly url: string
  /** Where this machine reaches the public listener. */
  readonly localUrl: string
  /** Metrics and detailed health. */
  readonly adminUrl: string
  readonly demo: Demo | undefined
}

interface Demo {
  readonly file: DevFile
  /** The production number, as people write it. */
  readonly phone: string | null
}

/** Writes dev.json, tells the simulators of the demo organization, and prints the ready line last. Boot contract, "Ready" */
export const announce = Effect.fn("Announcement.announce")(function* (
  { adminUrl, demo, localUrl, url }: Announcement,
  dataDir: string,
  simulators: Pick<RunningSimulators, "tell">
) {
  if (demo !== undefined) {
    yield* writeDevFile(dataDir, demo.file)
    const { pixprov2_connection_id: pixprov2ConnectionId } = demo.file.simulators
    yield* Effect.sync(() => simulators.tell({ baseUrl: localUrl, phone: demo.phone, pixprov2ConnectionId }))
  }
  yield* Effect.logInfo("ready", { url, admin: adminUrl })
  yield* Effect.sync(() => {
    const shown = demo && { file: demo.file, path: devFilePath(dataDir) }
    showBanner({ version: packageJson.version, baseUrl: url, adminUrl, demo: shown })
    process.stdout.write(`ready ${url}\n`)
  })
})
