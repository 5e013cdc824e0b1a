import { randomUUID } from "node:crypto"
import { appendFile, mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { matchKey } from "@carteiro/schema/messages/PhoneDigits.ts"
import { configFolder, readIfThere } from "../profiles/ProfileFiles.ts"
import { now } from "../shell/Clock.ts"
import { digest } from "../shell/FileNames.ts"
import type { Shell } from "../shell/Shell.ts"
import type { Person } from "./ListFile.ts"

/** Customers that were handed over in one call, and what came of it. */
export interface HandedOver {
  /** The idempotency key of the call. */
  readonly key: string
  /** One mark for each customer, in the order of the call. */
  readonly customers: ReadonlyArray<string>
  /** One mark for each row, with its values. */
  readonly rows: ReadonlyArray<string>
}

/** A line of the record of a run. */
type Entry =
  | { readonly run: string }
  | { readonly handing: HandedOver }
  | { readonly accepted: ReadonlyArray<string>; readonly id?: string }
  | { readonly ended: number }

/** The record of a run over a file, stored beside the profiles: who was accepted, call by call. */
export interface Run {
  /** Part of its idempotency keys; empty where another run over the same rows is the same operation. */
  readonly id: string
  /** Marks of the customers that were accepted. */
  readonly accepted: ReadonlySet<string>
  /** Ids of what was made of them. */
  readonly ids: ReadonlyArray<string>
  /** A call whose answer was not recorded. */
  readonly handing: HandedOver | undefined
  readonly hand: (handing: HandedOver) => Promise<void>
  readonly accept: (customers: ReadonlyArray<string>, id?: string) => Promise<void>
  /** Writes that nothing is left to hand over. */
  readonly end: () => Promise<void>
  readonly forget: () => Promise<void>
}

/** How a run begins. */
export interface RunKind {
  /** It is started anew, though an earlier one was not ended or ended lately. */
  readonly isNew: boolean
  /** The same rows are handed over once, even when the record is lost. */
  readonly isOnce: boolean
}

/** How long an ended run is continued by a file of the same name: as long as the API remembers a key. */
const remembersMs = 24 * 3_600_000

/**
 * Returns the run of a command over the list of this identity, whatever a file holds by now. An earlier one is continued
 * unless `isNew` says otherwise, or it ended more than 24 hours ago.
 */
export const openRun = async (
  shell: Shell,
  list: string,
  about: ReadonlyArray<string>,
  { isNew, isOnce }: RunKind
): Promise<Run> => {
  const folder = join(configFolder(shell.io), "runs")
  const path = join(folder, `${await fingerprint(shell, [list, ...about])}.jsonl`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = isNew ? [] : readEntries((await readIfThere(path)) ?? "")
  const ended = entries.findLast((entry) => "ended" in entry)
  const isOver = ended !== undefined && "ended" in ended && ended.ended < now() - remembersMs
  const held = isOver ? [] : entries
  const run = held.find((entry) => "run" in entry)
  const id = run !== undefined && "run" in run ? run.run : isOnce && !isNew ? "" : randomUUID()
  if (held.length === 0) await rm(path, { force: true })
  const write = (entry: Entry) => append(path, entry)
  if (run === undefined) await write({ run: id })
  const accepted = held.flatMap((entry) => ("accepted" in entry ? [entry] : []))
  const last = held.findLast((entry) => "handing" in entry || "accepted" in entry)
  return {
    id,
    accepted: new Set(accepted.flatMap(({ accepted: customers }) => customers)),
    ids: accepted.flatMap(({ id: made }) => made ?? []),
    handing: last !== undefined && "handing" in last ? last.handing : undefined,
    hand: (handing) => write({ handing }),
    accept: (customers, made) => write({ accepted: customers, ...(made === undefined ? {} : { id: made }) }),
    end: () => write({ ended: now() }),
    forget: () => rm(path, { force: true })
  }
}

/** A run that was killed leaves half a line at most, which is left out. */
const readEntries = (text: string): ReadonlyArray<Entry> =>
  text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry]
      } catch {
        return []
      }
    })

/** Writes a line behind the others; it is on the disk when this resolves. */
const append = async (path: string, entry: Entry): Promise<void> => {
  const line = `${JSON.stringify(entry)}\n`
  const before = await readIfThere(path)
  // Half a line of a killed run must not swallow this one.
  const start = before === undefined || before === "" || before.endsWith("\n") ? "" : "\n"
  await appendFile(path, `${start}${line}`, { mode: 0o600 })
  const handle = await open(path, "r+")
  await handle.sync().finally(() => handle.close())
}

/** Returns a fingerprint of one environment and the parameters of a run. */
const fingerprint = async (shell: Shell, about: ReadonlyArray<string>): Promise<string> => {
  const { apiKey, baseUrl, profile } = await shell.access()
  const environment = profile?.environment_id ?? digest(apiKey)
  return digest(JSON.stringify([baseUrl, environment, ...about])).slice(0, 32)
}

/** Returns the mark of a customer, whatever else the row holds. */
export const customerMark = ({ phone }: Pick<Person, "phone">): string =>
  digest(`customer ${matchKey(phone.slice(1))}`).slice(0, 16)

/** Returns the mark of a row with all its values. */
export const rowMark = ({ metadata, phone, variables }: Person): string =>
  digest(JSON.stringify([phone, Object.entries(variables), Object.entries(metadata)])).slice(0, 16)

/** Returns what is handed over in one call. The same rows have the same key in each run of this id. */
export const handOver = (
  run: Pick<Run, "id">,
  people: ReadonlyArray<Person>,
  about: ReadonlyArray<string>
): HandedOver => {
  const rows = people.map(rowMark)
  return {
    key: `carteiro-${digest(JSON.stringify([run.id, about, rows])).slice(0, 40)}`,
    customers: people.map(customerMark),
    rows
  }
}

/** Options of a call within a long run, which waits out rate limits and outages. */
export const patient = (shell: Shell, idempotencyKey?: string) => ({
  maxRetries: 100,
  signal: shell.io.signal,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey })
})

/** Returns the people of a list, each customer once, and how many rows name one again. */
export const eachOnce = (people: ReadonlyArray<Person>) => {
  const first = new Map<string, Person>()
  for (const person of people) {
    const mark = customerMark(person)
    if (!first.has(mark)) first.set(mark, person)
  }
  return { people: [...first.values()], repeated: people.length - first.size }
}
