import { BoundedMap, EraCache } from "@carteiro/owners/BoundedMap.ts"
import type { KnownTemplate, NamedTemplate } from "./SendingFacts.ts"

/** The most conversations and sends in a node's cache; some 100 bytes each. */
const mostWindows = 50_000
const mostSends = 10_000
/** The most templates in a node's cache; some kilobytes each. */
const mostTemplates = 2000

/** A customer's conversation with a number in the environment that the number belongs to; `customer` as `customerOf` names it. */
export interface Conversation {
  readonly environment_id: string
  readonly business_id: string
  readonly customer: string
}

/**
 * The bounded cache of conversations and sends that the owners of a node share, in front of their rows. Only time
 * closes a window, and nothing undoes a send, so cached entries stay true whichever node writes. Consent is not cached:
 * the commit of a send checks it, and checks the row of the send's template, which is cached with its version.
 */
export class SendMemory {
  /** The era of numbers whose sandbox was reset: conversations of an earlier one are gone. */
  private readonly eras = new BoundedMap<string, number>(mostSends)
  private readonly windows = new EraCache<number>(mostWindows)
  private readonly sends = new BoundedMap<string, true>(mostSends)
  private readonly draws = new BoundedMap<string, true>(mostSends)
  private readonly templates = new BoundedMap<string, KnownTemplate>(mostTemplates)

  /** Returns the latest inbound instant, epoch milliseconds; undefined when it is not cached. */
  latestInbound(conversation: Conversation): number | undefined {
    return this.windows.get(keyOf(conversation), this.eraOf(conversation))
  }

  /** Records that a customer who has not opted out wrote at that instant. */
  heard(conversation: Conversation, at: number): void {
    const key = keyOf(conversation)
    const era = this.eraOf(conversation)
    this.windows.set(key, era, Math.max(this.windows.get(key, era) ?? at, at))
  }

  /** Removes a customer who may have opted out: the next send reads the tables. */
  forget(conversation: Conversation): void {
    this.windows.delete(keyOf(conversation))
  }

  /** Forgets the conversations of a number whose sandbox was reset; 0 is the era of one that never was. */
  enterEra(numberId: string, era: number): void {
    if (era > 0) this.eras.set(numberId, era)
  }

  private eraOf({ business_id }: Conversation): number {
    return this.eras.get(business_id) ?? 0
  }

  /** Records that a send was stored under this id. */
  stored(id: string): void {
    this.sends.set(id, true)
  }

  isStored(id: string): boolean {
    return this.sends.get(id) === true
  }

  /** Records that a send took its token, and is decided again because its facts have changed. */
  drew(id: string): void {
    this.draws.set(id, true)
  }

  hasDrawn(id: string): boolean {
    return this.draws.get(id) === true
  }

  /** Returns an approved template as last read; the commit of a send checks that it is unchanged. */
  template(environmentId: string, named: NamedTemplate): KnownTemplate | undefined {
    return this.templates.get(templateKey(environmentId, named))
  }

  /** Caches a template that was read, unless it cannot be sent. */
  knows(environmentId: string, template: KnownTemplate): void {
    const key = templateKey(environmentId, template)
    if (template.version !== null && template.sending_status === "approved") this.templates.set(key, template)
    else this.templates.delete(key)
  }

  /** Removes a template that may have changed: its next send reads the tables. */
  forgetTemplate(environmentId: string, named: NamedTemplate): void {
    this.templates.delete(templateKey(environmentId, named))
  }
}

const keyOf = ({ business_id, customer, environment_id }: Conversation): string =>
  `${environment_id} ${business_id} ${customer}`

const templateKey = (environmentId: string, { language, name }: NamedTemplate): string =>
  `${environmentId} ${language} ${name}`
