import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Result } from "effect"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import { NamedFlows } from "../../flows/Flows.ts"
import { NamedGroups } from "../../groups/Groups.ts"
import { MediaHashes } from "../../media/Media.ts"
import { TemplateHints } from "../../templates/Templates.ts"
import { resolveContent } from "../content/SentContent.ts"
import { readState } from "../facts/SendingFacts.ts"
import { SendingRepo } from "../facts/SendingRepo.ts"
import { SendMemory } from "../facts/SendMemory.ts"
import { GuardRepo } from "../guards/GuardRepo.ts"
import { PacingRepo } from "../pacing/PacingRepo.ts"
import { judgeSendItem, noWait } from "./Accept.ts"
import { addressedItems } from "./AddressedItems.ts"
import { SendOutlook } from "./SendOutlook.ts"
import { readAcceptedFacts } from "./TemplateLimits.ts"

/** Sends that one statement looks at. */
const lookedAtOnce = 250

/**
 * Reads what the owner of the number would read, beside the owner: a look at thousands of recipients delays no send. It
 * shares no cache with the owner, so that each look reads the tables.
 */
export const sendOutlookLayer = Layer.effect(
  SendOutlook,
  Effect.gen(function* () {
    const repo = yield* SendingRepo
    const flows = yield* NamedFlows
    const groups = yield* NamedGroups
    const secrets = yield* Secrets
    const guards = yield* GuardRepo
    const pacing = yield* PacingRepo
    const hashes = yield* MediaHashes
    const hints = yield* TemplateHints
    const customers = yield* CustomerIds

    return SendOutlook.of({
      refusals: Effect.fn("SendOutlook.refusals")(function* (numberId, items, now) {
        const state = readState(undefined, now)
        const deps = { repo, flows, groups, secrets, guards, pacing, hashes, hints, memory: new SendMemory() }
        const refusals: Array<ApiError | undefined> = []
        for (let from = 0; from < items.length; from += lookedAtOnce) {
          const some = yield* addressedItems(items.slice(from, from + lookedAtOnce), customers)
          const facts = yield* readAcceptedFacts(some, state, { id: numberId, now: () => now }, deps)
          for (const item of some) {
            const sent = facts.limits.get(item.id)?.sent ?? resolveContent(item, facts, now)
            const judged = judgeSendItem(item, facts, sent, undefined, noWait, now)
            refusals.push(Result.isFailure(judged) ? judged.failure : undefined)
          }
        }
        return refusals
      })
    })
  })
)
