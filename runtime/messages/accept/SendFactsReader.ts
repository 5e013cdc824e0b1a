import { parseId } from "@carteiro/owners/Ids.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import { type NamedFlows, resolveFlow } from "../../flows/Flows.ts"
import { checkTemplateParameters, type SentParameters, templateNeeds } from "../../templates/Templates.ts"
import {
  type AskedConsent,
  customerOf,
  type KnownTemplate,
  type NamedTemplate,
  type NumberSendFacts,
  type NumberState,
  type SendFacts,
  type TemplateRows
} from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import { isSuspended } from "../facts/Suspension.ts"
import { subjectTexts } from "../message/Recipient.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import type { AcceptItem } from "./AcceptItem.ts"

/** Where the facts of sends come from. */
export interface SendFactsDeps {
  readonly repo: SendingRepo["Service"]
  readonly memory: SendMemory
  readonly flows: NamedFlows["Service"]
  readonly secrets: Secrets["Service"]
}

/**
 * Facts for a batch of sends: of customers heard lately, and of templates sent lately, from memory, without any statement
 * when that is all they need; of the others in one. What memory cannot know (an opt-out, a suspension or a change of the
 * template on another node since) stops the commit instead, and the send is judged again by what is read then.
 * Architecture, section 2 "Facts that grow"
 */
export const readSendFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  numberId: string,
  now: number,
  deps: SendFactsDeps
): Effect.Effect<SendFacts> => {
  const { memory, repo, secrets } = deps
  const known = new Map<string, number>()
  const number = state.number !== undefined && isSuspended(state.number, now) ? undefined : state.number
  const unknown = number === undefined ? items : items.filter((item) => !remember(item, known, numberId, now, memory))
  if (number !== undefined && unknown.length === 0) {
    const template = (named: NamedTemplate) => memory.template(number.environment_id, named)
    return Effect.succeed({ ...nothingRead, number, windows: known, template })
  }
  const customers = new Map<string, AskedConsent>()
  const quoted: Array<string> = []
  // A text that is no id names no message, and must not spoil the statement of the whole batch.
  const quote = (id: string | undefined) => {
    if (id !== undefined && parseId("msg", id)) quoted.push(id)
  }
  for (const { channel, customer_key, environment_id, names, reply_to } of unknown) {
    const customer = customerOf({ channel, key: customer_key })
    if (!customers.has(customer)) {
      const subjects = subjectTexts(secrets, environment_id, channel, customer_key)
      customers.set(customer, { channel, key: customer_key, subjects })
    }
    quote(reply_to)
    if (names?._tag === "Reaction") quote(names.message_id)
  }
  const ids = unknown.map(({ id }) => id)
  const templates = namedTemplates(unknown)
  return Effect.flatMap(repo.readFacts(numberId, [...customers.values()], quoted, ids, templates), (facts) => {
    state.number = facts.number === undefined || isSuspended(facts.number, now) ? undefined : facts.number
    for (const customer of customers.keys()) {
      const latest = facts.optedOut.has(customer) ? undefined : facts.windows.get(customer)
      if (latest === undefined) memory.forget(numberId, customer)
      else memory.heard(numberId, customer, latest)
    }
    const windows = known.size === 0 ? facts.windows : new Map([...known, ...facts.windows])
    return withNamed({ ...facts, windows }, unknown, deps)
  })
}

/** Every template that sends of the batch name, once. */
const namedTemplates = (items: ReadonlyArray<AcceptItem>): ReadonlyArray<NamedTemplate> => {
  const named = items.flatMap(({ names }) => (names?._tag === "Template" ? [[keyOf(names), names] as const] : []))
  return named.length === 0 ? [] : [...new Map(named).values()]
}

/** Languages never hold a space. */
const keyOf = ({ language, name }: NamedTemplate): string => `${language} ${name}`

/** Adds the templates and flows that sends of the batch name; only flows cost a statement more. */
const withNamed = (
  facts: NumberSendFacts,
  items: ReadonlyArray<AcceptItem>,
  { flows, memory }: SendFactsDeps
): Effect.Effect<SendFacts> => {
  const { number } = facts
  const environmentId = number?.environment_id ?? ""
  const found = new Map(facts.templates.map((rows) => [keyOf(rows), knownTemplate(rows)]))
  for (const named of namedTemplates(items)) {
    const template = found.get(keyOf(named))
    if (template === undefined) memory.forgetTemplate(environmentId, named)
    else memory.knows(environmentId, template)
  }
  // Rows that were read replace remembered ones; memory has the rest of the batch.
  const template = (named: NamedTemplate) => found.get(keyOf(named)) ?? memory.template(environmentId, named)
  const references = items.flatMap(({ names }) => (names?._tag === "Flow" ? [names] : []))
  if (number === undefined || references.length === 0) {
    return Effect.succeed({ ...facts, template, flow: nothingRead.flow })
  }
  return Effect.map(flows.find(number.environment_id, references), (find) => ({
    ...facts,
    template,
    flow: (reference) => resolveFlow(reference, find(reference), number.environment)
  }))
}

const knownTemplate = ({ components, parameter_format, version_id, ...rest }: TemplateRows): KnownTemplate => ({
  row_version: rest.row_version,
  id: rest.id,
  name: rest.name,
  language: rest.language,
  sending_status: rest.sending_status,
  quality: rest.quality,
  version:
    version_id === null
      ? null
      : {
          id: version_id,
          version: rest.version,
          category: rest.category,
          check: checkWith(parameter_format, components)
        }
})

/** Parsed once, however many sends are held against it. */
const checkWith = (parameter_format: TemplateRows["parameter_format"], components: string) => {
  const needs = templateNeeds({ parameter_format, components: JSON.parse(components) })
  return (sent: SentParameters) => checkTemplateParameters(needs, sent)
}

/**
 * Notes a customer whose open window is remembered; false when the table must be asked about the send. A template needs
 * no window: where it matters whether there is one, its limits tell.
 */
const remember = (
  { channel, customer_key, environment_id, id, names, reply_to }: AcceptItem,
  known: Map<string, number>,
  numberId: string,
  now: number,
  memory: SendMemory
): boolean => {
  if (reply_to !== undefined || (names !== undefined && names._tag !== "Template")) return false
  const customer = customerOf({ channel, key: customer_key })
  const latest = memory.latestInbound(numberId, customer)
  const isOpen = isWindowOpen(latest, now)
  // One that the commit stopped is judged by the tables.
  const isKnown =
    names === undefined ? isOpen : !memory.hasDrawn(id) && memory.template(environment_id, names) !== undefined
  if (isKnown && isOpen) known.set(customer, latest as number)
  return isKnown
}

const nothingRead: SendFacts = {
  number: undefined,
  windows: new Map(),
  optedOut: new Set(),
  quoted: new Map(),
  stored: new Set(),
  templates: [],
  template: () => undefined,
  flow: (reference) => resolveFlow(reference, undefined, "sandbox")
}
