import type { Carteiro } from "@carteiro/sdk"
import type { Person } from "../rows/ListFile.ts"
import { customerMark, type HandedOver, handOver, patient, type Run, rowMark } from "../rows/Runs.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

/** The most recipients of one batch. */
const largest = 10_000
/** Batches that are looked through for one whose answer was lost. */
const mostLookedAt = 300

/** What all batches of a run have in common. */
export interface BatchTarget {
  readonly sender: { readonly type: "chatapp_phone_number"; readonly id: string }
  readonly template: { readonly name: string; readonly language: string }
  readonly name: string | undefined
}

interface Handing {
  readonly run: Run
  readonly people: ReadonlyArray<Person>
  readonly target: BatchTarget
  readonly about: ReadonlyArray<string>
}

/**
 * Hands over everybody whom no earlier run of this file handed over, ten thousand at a time, and returns the ids of all
 * batches of the run. Each call is recorded before it is made and after its answer. A call whose answer was lost is looked
 * for first, and made again under its own key: a customer is in one batch at most.
 */
export const handAll = async (
  shell: Shell,
  client: Carteiro,
  { about, people, run, target }: Handing
): Promise<ReadonlyArray<string>> => {
  const ids = [...run.ids]
  const accepted = new Set(run.accepted)
  const take = async (customers: ReadonlyArray<string>, id: string) => {
    await run.accept(customers, id)
    for (const customer of customers) accepted.add(customer)
    if (!ids.includes(id)) ids.push(id)
  }
  const hand = async (part: ReadonlyArray<Person>) => {
    const handing = handOver(run, part, about)
    await run.hand(handing)
    const batch = await client.batches.create(bodyOf(target, part), patient(shell, handing.key))
    await take(handing.customers, batch.id)
  }
  if (run.handing !== undefined) {
    const lost = await findLost(shell, client, run.handing, target)
    const again = lost === undefined ? rowsOf(people, run.handing) : undefined
    if (lost !== undefined) await take(run.handing.customers, lost)
    else if (again !== undefined) await hand(again)
  }
  const waiting = people.filter((person) => !accepted.has(customerMark(person)))
  const before = people.length - waiting.length
  if (before > 0)
    shell.note(
      `${counted(before, "recipient")} accepted by an earlier run of this file are left out; --new sends to all`
    )
  for (let from = 0; from < waiting.length; from += largest) await hand(waiting.slice(from, from + largest))
  await run.end()
  return ids
}

/** Returns the people of a call that was recorded, in its order; undefined when a row was changed or taken out since. */
const rowsOf = (people: ReadonlyArray<Person>, { rows }: HandedOver): ReadonlyArray<Person> | undefined => {
  const byMark = new Map(people.map((person) => [rowMark(person), person]))
  const part = rows.flatMap((row) => byMark.get(row) ?? [])
  return part.length === rows.length ? part : undefined
}

/** Returns the id of the batch that a call made whose answer was lost: the one with exactly its customers. */
const findLost = async (
  shell: Shell,
  client: Carteiro,
  { customers }: HandedOver,
  { sender, template }: BatchTarget
): Promise<string | undefined> => {
  let looked = 0
  for await (const batch of client.batches.list({ limit: 100 }, patient(shell))) {
    if (looked++ >= mostLookedAt) return undefined
    const isLike =
      batch.recipient_count === customers.length &&
      batch.sender.id === sender.id &&
      batch.template.name === template.name &&
      batch.template.language === template.language
    if (isLike && (await hasCustomers(shell, client, batch.id, new Set(customers)))) return batch.id
  }
  return undefined
}

const hasCustomers = async (
  shell: Shell,
  client: Carteiro,
  id: string,
  customers: ReadonlySet<string>
): Promise<boolean> => {
  for await (const { to } of client.batches.recipients(id, { limit: 100 }, patient(shell)))
    if (to === null || !customers.has(customerMark({ phone: to }))) return false
  return true
}

const bodyOf = ({ name, sender, template }: BatchTarget, people: ReadonlyArray<Person>): Carteiro.CreateBatch => ({
  sender,
  template,
  recipients: people.map(({ metadata, phone, variables }) => ({
    to: phone,
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata })
  })),
  ...(name === undefined ? {} : { name })
})
