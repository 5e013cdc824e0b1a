import type { Carteiro } from "@carteiro/sdk"
import { type Members, withFields } from "../api/Fields.ts"
import { writingOf, writtenValue } from "../api/Written.ts"
import { now, spanMs } from "../shell/Clock.ts"
import { Failure, usage } from "../shell/Failure.ts"
import { nearestOf } from "../shell/Nearest.ts"
import type { Shell } from "../shell/Shell.ts"
import { table } from "../shell/Table.ts"
import type { Played, Scenario, Stage } from "./Scenario.ts"
import { scenarios } from "./Scenarios.ts"

export interface TriggerOptions {
  readonly list?: boolean
  readonly customer: string
  readonly region?: string
  readonly wait?: string
  readonly yes?: boolean
}

/** How long the events of a scenario are waited for without `--wait`, in milliseconds. */
const eventsWithinMs = 30_000

/** Runs a scenario and shows the following events. */
export const trigger = async (
  shell: Shell,
  name: string | undefined,
  words: ReadonlyArray<string>,
  options: TriggerOptions
): Promise<void> => {
  if (options.list === true || name === undefined) return list(shell)
  const scenario = scenarios.find((one) => one.name === name)
  if (scenario === undefined) throw usage(`there is no scenario ${name}`, near(name))
  const waitMs = options.wait === undefined ? undefined : spanMs(options.wait)
  if (options.wait !== undefined && waitMs === undefined) throw usage("--wait takes a span such as 30s")
  const client = await shell.client()
  const writing = await writingOf(shell, options.region, [`phone=${options.customer}`, ...words])
  const quickstart = await client.sandbox.quickstart()
  const stage: Stage = {
    shell,
    isAgreed: options.yes === true,
    waitMs,
    client,
    number: quickstart.sender.phone_number_id ?? "",
    customer: writtenValue("phone", options.customer, writing),
    filled: <Body>(body: Body) => withFields(body as Members, words, writing) as Body
  }
  const before = await client.webhooks.events.listen({ start_at: "tail", limit: 1, wait_ms: 0 })
  const played = await scenario.play(stage)
  const seen = await follow(stage, scenario, played, before.next_cursor, now() + (waitMs ?? eventsWithinMs))
  if (shell.options.json === true) shell.result({ scenario: name, result: played.result, events: seen }, "")
  else if (scenario.events.length === 0) shell.result(played.result, JSON.stringify(played.result, null, 2))
}

const list = (shell: Shell): void => {
  const shown = scenarios.map(({ causes, events, name }) => ({ name, causes, events }))
  const rows = shown.map(({ causes, name }) => [name, causes])
  shell.result(shown, table(["SCENARIO", "CAUSES"], rows))
}

const near = (name: string): string => {
  const all = scenarios.map((one) => one.name)
  const [group = ""] = name.split(".")
  const names = all.filter((one) => one.startsWith(group))
  const nearest = nearestOf(name, all)
  const others = names.length === 0 ? "carteiro trigger --list" : `one of: ${names.join(", ")}`
  return nearest === undefined ? others : `did you mean ${nearest}? Otherwise ${others}`
}

/** Shows the events of the scenario until the last expected one; refuses when it does not come in time. */
const follow = async (
  { client, shell }: Stage,
  { events, name }: Scenario,
  { ids }: Played,
  from: string,
  deadline: number
): Promise<ReadonlyArray<Carteiro.Event>> => {
  const seen: Array<Carteiro.Event> = []
  const isMissing = () => events.some((type) => !seen.some((event) => event.type === type))
  let cursor = from
  while (isMissing()) {
    const left = deadline - now()
    if (left <= 0) throw new Failure(`the events of ${name} did not all come`, { next: "wait longer: --wait 60s" })
    const wait_ms = Math.max(0, Math.min(left, 20_000))
    const page = await client.webhooks.events.listen({ cursor, wait_ms }, { signal: shell.io.signal })
    cursor = page.next_cursor
    for (const event of page.data.map(({ payload }) => payload as Carteiro.Event)) {
      if (!ids.some((id) => JSON.stringify(event.data).includes(id))) continue
      seen.push(event)
      if (shell.options.json !== true) shell.result(event, `${event.type.padEnd(28)}  ${event.id}  ${aboutOf(event)}`)
    }
  }
  return seen
}

/** Returns the most informative members of an event's data in one line. */
const aboutOf = ({ data }: Carteiro.Event): string => {
  const names = ["message_id", "id", "group_id", "template_id", "media_asset_id", "status", "error_code", "text"]
  const members: Members = { ...data }
  return names.flatMap((name) => (typeof members[name] === "string" ? [`${name}=${members[name]}`] : [])).join(" ")
}
