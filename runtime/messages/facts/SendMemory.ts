import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import type { KnownTemplate, NamedTemplate } from "./SendingFacts.ts"

/** Conversations and sends a node remembers at most; some 100 bytes each. */
const mostWindows = 50_000
const mostSends = 10_000
/** Templates a node remembers at most; some kilobytes each. */
const mostTemplates = 2000

/**
 * The bounded cache that the owners of a node keep of conversations and sends, in front of their rows. Nothing but
 * time closes a window and nothing unsends a message, so what is remembered stays true whichever node wrote since.
 * Consent is not remembered: the commit of a send looks at it, and at the row of the template it names, which is
 * remembered with its version. Architecture, section 2 "Facts that grow"
 */
export class SendMemory {
  private readonly windows = new BoundedMap<string, number>(mostWindows)
  private readonly sends = new BoundedMap<string, true>(mostSends)
  private readonly draws = new BoundedMap<string, true>(mostSends)
  private readonly templates = new BoundedMap<string, KnownTemplate>(mostTemplates)

  /** Epoch milliseconds; undefined says nothing of the table. `customer` as `customerOf` names it. */
  latestInbound(numberId: string, customer: string): number | undefined {
    return this.windows.get(keyOf(numberId, customer))
  }

  /** A customer who has not opted out wrote at that instant. */
  heard(numberId: string, customer: string, at: number): void {
    const key = keyOf(numberId, customer)
    this.windows.set(key, Math.max(this.windows.get(key) ?? at, at))
  }

  /** The customer may have opted out: the next send asks the tables. */
  forget(numberId: string, customer: string): void {
    this.windows.delete(keyOf(numberId, customer))
  }

  /** A send was stored under this id. */
  stored(id: string): void {
    this.sends.set(id, true)
  }

  isStored(id: string): boolean {
    return this.sends.get(id) === true
  }

  /** A send drew its token, and is judged once more since what it was judged by has changed. */
  drew(id: string): void {
    this.draws.set(id, true)
  }

  hasDrawn(id: string): boolean {
    return this.draws.get(id) === true
  }

  /** An approved template as it was read last; whoever sends it finds out by the commit whether it still is so. */
  template(environmentId: string, named: NamedTemplate): KnownTemplate | undefined {
    return this.templates.get(templateKey(environmentId, named))
  }

  /** A template was read; one that cannot be sent is not remembered. */
  knows(environmentId: string, template: KnownTemplate): void {
    const key = templateKey(environmentId, template)
    if (template.version !== null && template.sending_status === "approved") this.templates.set(key, template)
    else this.templates.delete(key)
  }

  /** It may have changed: the next send of it asks the tables. */
  forgetTemplate(environmentId: string, named: NamedTemplate): void {
    this.templates.delete(templateKey(environmentId, named))
  }
}

const templateKey = (environmentId: string, { language, name }: NamedTemplate): string =>
  `${environmentId} ${language} ${name}`

const keyOf = (numberId: string, customer: string): string => `${numberId} ${customer}`
