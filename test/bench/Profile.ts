import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Time spent in one function, or in one part of the program, itself; callees are left out. */
export interface Hot {
  readonly name: string
  /** Share of all samples but the idle ones, 0..1. */
  readonly share: number
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface CpuProfile {
  readonly nodes: ReadonlyArray<{ readonly id: number; readonly callFrame: CallFrame }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const startMicros = 5_000_000

/** Where a profiled process spent its time once it had started: its functions and its parts, each most first. */
export const hottest = (
  folder: string
): { readonly functions: ReadonlyArray<Hot>; readonly parts: ReadonlyArray<Hot> } => {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".cpuprofile")) : undefined
  if (file === undefined) return { functions: [], parts: [] }
  const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const parts = new Map<string, number>()
  let clock = 0
  let all = 0
  for (const [at, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[at] ?? 0
    clock += time
    const frame = frames.get(id)
    if (clock < startMicros || frame === undefined || frame.functionName === "(idle)") continue
    add(functions, `${frame.functionName || "(anonymous)"}  ${placeOf(frame)}`, time)
    add(parts, partOf(frame), time)
    all += time
  }
  return { functions: ranked(functions, all), parts: ranked(parts, all) }
}

const add = (times: Map<string, number>, name: string, time: number) => times.set(name, (times.get(name) ?? 0) + time)

const ranked = (times: ReadonlyMap<string, number>, all: number): ReadonlyArray<Hot> =>
  [...times].toSorted(([, a], [, b]) => b - a).map(([name, time]) => ({ name, share: time / all }))

const pathOf = ({ url }: CallFrame): string => url.replace(/^.*\/(?=(?:node_modules|runtime|schema|packages)\/)/, "")

const placeOf = (frame: CallFrame): string => (frame.url === "" ? "" : `${pathOf(frame)}:${frame.lineNumber + 1}`)

/** `effect/cluster`, `@effect/sql-pg`, `packages/http-edge`, `node`, or the engine's own name for native work. */
const partOf = (frame: CallFrame): string => {
  if (frame.url === "") return frame.functionName
  if (frame.url.startsWith("node:")) return "node"
  const path = pathOf(frame).split("/")
  if (path[0] !== "node_modules") return path.slice(0, 2).join("/")
  if (path[1] === "effect") return ["effect", ...path.slice(3, -1)].join("/")
  return path[1]?.startsWith("@") ? path.slice(1, 3).join("/") : (path[1] ?? "")
}
