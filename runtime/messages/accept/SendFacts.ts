import { Effect } from "effect"
import { parseId } from "../../platform/ids/Ids.ts"
import type { NumberState } from "../facts/NumberState.ts"
import { type AskedCustomer, customerOf, type SendFacts } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import type { AcceptItem } from "../number/PhoneNumberEntity.ts"

/** What reading needs beside its batch. */
interface ReadDeps {
  readonly repo: SendingRepo["Service"]
  readonly memory: SendMemory
}

/**
 * Facts for a batch of sends: of customers heard lately from memory, without any statement when all of them were; of the
 * others in one. What memory cannot know (an opt-out or a suspension on another node since) stops the commit instead,
 * and the send is judged again by what is read then. Architecture, section 2 "Facts that grow"
 */
export const readSendFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  numberId: string,
  now: number,
  { repo, memory }: ReadDeps
): Effect.Effect<SendFacts> => {
  const known = new Map<string, number>()
  const { number } = state
  const unknown = number === undefined ? items : items.filter((item) => !remember(item, known, numberId, now, memory))
  if (number !== undefined && unknown.length === 0) {
    return Effect.succeed({ number, windows: known, optedOut: none, quoted: noneQuoted, stored: none })
  }
  const customers = new Map<string, AskedCustomer>()
  const quoted: Array<string> = []
  for (const { channel, customer_key, reply_to } of unknown) {
    const customer = { channel, key: customer_key }
    customers.set(customerOf(customer), customer)
    // What is no id names no message, and must not spoil the statement of the whole batch.
    if (reply_to !== undefined && parseId("msg", reply_to)) quoted.push(reply_to)
  }
  const ids = unknown.map(({ id }) => id)
  return Effect.map(repo.readFacts(numberId, [...customers.values()], quoted, ids), (facts) => {
    state.number = facts.number?.suspended === false ? facts.number : undefined
    for (const customer of customers.keys()) {
      const latest = facts.optedOut.has(customer) ? undefined : facts.windows.get(customer)
      if (latest === undefined) memory.forget(numberId, customer)
      else memory.heard(numberId, customer, latest)
    }
    return known.size === 0 ? facts : { ...facts, windows: new Map([...known, ...facts.windows]) }
  })
}

/** Notes a customer whose open window is remembered; false when the table must be asked about the send. */
const remember = (
  { channel, customer_key, reply_to }: AcceptItem,
  known: Map<string, number>,
  numberId: string,
  now: number,
  memory: SendMemory
): boolean => {
  if (reply_to !== undefined) return false
  const customer = customerOf({ channel, key: customer_key })
  const latest = memory.latestInbound(numberId, customer)
  if (!isWindowOpen(latest, now)) return false
  known.set(customer, latest as number)
  return true
}

const none: ReadonlySet<string> = new Set()
const noneQuoted: SendFacts["quoted"] = new Map()
