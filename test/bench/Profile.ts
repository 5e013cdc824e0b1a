import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Time spent in one function itself, callees left out. */
export interface Hot {
  readonly name: string
  readonly place: string
  /** Share of all samples but the idle ones, 0..1. */
  readonly share: number
}

const startMicros = 5_000_000

interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** The functions a profiled process spent its time in, most first; what its start cost is left out. */
export const hottest = (folder: string, count: number): ReadonlyArray<Hot> => {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".cpuprofile")) : undefined
  if (file === undefined) return []
  const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile
  const names = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const times = new Map<string, number>()
  let all = 0
  let clock = 0
  for (const [at, id] of profile.samples.entries()) {
    const frame = names.get(id)
    const time = profile.timeDeltas[at] ?? 0
    clock += time
    if (clock < startMicros || frame === undefined || frame.functionName === "(idle)") continue
    const place =
      frame.url === ""
        ? ""
        : `${frame.url.replace(/^.*\/(?=(?:node_modules|runtime|schema)\/)/, "")}:${frame.lineNumber + 1}`
    const key = `${frame.functionName || "(anonymous)"}\n${place}`
    times.set(key, (times.get(key) ?? 0) + time)
    all += time
  }
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([key, time]) => {
      const [name = "", place = ""] = key.split("\n")
      return { name, place, share: time / all }
    })
}
