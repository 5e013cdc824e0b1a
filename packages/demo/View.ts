import { styleText } from "node:util"

/** One node as the view shows it. */
export interface NodeLine {
  readonly name: string
  readonly state: "running" | "frozen" | "killed" | "starting"
  /** Undefined while its metrics cannot be read. */
  readonly shards: number | undefined
  readonly owners: number | undefined
  readonly memoryBytes: number | undefined
  /** Share of one core, 0 to 1 and more. */
  readonly cpu: number | undefined
}

/** One picture of the demo. */
export interface Scene {
  readonly seconds: number
  readonly tenants: number
  readonly nodes: ReadonlyArray<NodeLine>
  /** The place of the selected node in `nodes`. */
  readonly selected: number
  readonly accepted: number
  readonly failed: number
  readonly missing: number
  /** Messages accepted in each of the last seconds, oldest first. */
  readonly acceptedBySecond: ReadonlyArray<number>
  readonly webhooksBySecond: ReadonlyArray<number>
  /** Milliseconds, ascending. */
  readonly latencies: ReadonlyArray<number>
  readonly webhooks: number
  readonly refused: number
  readonly receiverBroken: boolean
  /** The newest lines of the log, oldest first. */
  readonly log: ReadonlyArray<string>
}

/** Returns the picture as lines of text with terminal styles. */
export const render = (scene: Scene): ReadonlyArray<string> => [
  `${bold("Carteiro")}  ${count(scene.nodes.length, "node")} · ${count(scene.tenants, "tenant")}${" ".repeat(24)}${clock(scene.seconds)}`,
  "",
  dim("    node       state      shards  owners   memory    cpu"),
  ...scene.nodes.map((node, place) => nodeLine(node, place, place === scene.selected)),
  "",
  `  accepted   ${number(scene.accepted)}  ${rate(scene.acceptedBySecond)}  ${bars(scene.acceptedBySecond)}`,
  `  webhooks   ${number(scene.webhooks)}  ${rate(scene.webhooksBySecond)}  ${bars(scene.webhooksBySecond)}`,
  `  latency    p50 ${milliseconds(scene.latencies, 0.5)}   p99 ${milliseconds(scene.latencies, 0.99)}   of the last 10 s`,
  `  receiver   ${scene.receiverBroken ? red("broken") : green("answers")}   refused ${scene.refused}`,
  `  failed ${scene.failed === 0 ? green("0") : red(String(scene.failed))}   accepted and not delivered yet ${scene.missing}`,
  "",
  ...scene.log.map((line) => dim(`  ${line}`)),
  "",
  `  ${keys}`
]

const keys = "1-9 node   k kill   f freeze or thaw   a add a shard   b break the receiver   h heal it   q quit"

const styled = (style: "bold" | "dim" | "red" | "green" | "cyan") => (text: string) =>
  styleText(style, text, { validateStream: false })
const bold = styled("bold")
const dim = styled("dim")
const red = styled("red")
const green = styled("green")

const stateColour = { running: green, frozen: styled("cyan"), killed: red, starting: dim } as const

const nodeLine = (
  { cpu, memoryBytes, name, owners, shards, state }: NodeLine,
  place: number,
  selected: boolean
): string => {
  const share = cpu === undefined ? "–" : `${Math.round(cpu * 100)} %`
  const memory = memoryBytes === undefined ? "–" : `${Math.round(memoryBytes / 1024 / 1024)} MB`
  const figures = [right(shards, 6), right(owners, 6), memory.padStart(7), share.padStart(5)].join("  ")
  return `${selected ? "▸" : " "} ${place + 1} ${name.padEnd(9)}  ${stateColour[state](state.padEnd(8))}  ${figures}`
}

const right = (value: number | undefined, width: number) => (value === undefined ? "–" : String(value)).padStart(width)

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? "" : "s"}`

const number = (value: number) => value.toLocaleString("en-US").padStart(7)

const rate = (bySecond: ReadonlyArray<number>) => `${String(bySecond.at(-1) ?? 0).padStart(4)}/s`

const clock = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

const milliseconds = (ascending: ReadonlyArray<number>, share: number) => {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]
  return value === undefined ? "–" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

const heights = "▁▂▃▄▅▆▇█"

const bars = (values: ReadonlyArray<number>) => {
  const most = Math.max(1, ...values)
  return values.map((value) => (value === 0 ? " " : heights[Math.ceil((value / most) * heights.length) - 1])).join("")
}
