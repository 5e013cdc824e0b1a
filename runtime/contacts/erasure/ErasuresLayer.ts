import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { subjectHashes } from "@carteiro/owners/Subject.ts"
import { ContactNotFound } from "@carteiro/schema/contacts/ContactErrors.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { formerKeysOf } from "@carteiro/schema/messages/PhoneDigits.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer } from "effect"
import { CustomerIdRepo } from "../../customers/CustomerIdRepo.ts"
import { type ErasedSubject, Erasers } from "../../erasure/Erasers.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { ContactRepo } from "../contact/ContactRepo.ts"
import { phoneCustomer } from "../contact/ContactState.ts"
import { Erasures } from "./Erasures.ts"
import { eraseContact, noteErasure } from "./ErasureWrites.ts"

/** The most attempts before the caller is asked to retry, because the customer's row changed each time. */
const tries = 10

export const erasuresLayer = Layer.effect(
  Erasures,
  Effect.gen(function* () {
    const repo = yield* ContactRepo
    const commit = yield* Commit
    const secrets = yield* Secrets
    const erasers = yield* Erasers
    const ids = yield* CustomerIdRepo

    const attempt = Effect.fnUntraced(function* (call: ApiCall<"environment_id">, id: string) {
      const { environment_id } = call.caller
      const contact = parseId("con", id) ? yield* repo.find(environment_id, id) : undefined
      if (contact === undefined) return yield* new ContactNotFound()
      const known = yield* ids.keysOf(environment_id, contact.match_key)
      const keys = [...new Set([...known, ...formerKeysOf(contact.match_key)])]
      const former = yield* repo.formerIds(environment_id, contact.id)
      const erased = [contact.id, ...former].flatMap((one) =>
        keys.map((key): ErasedSubject => {
          const subject = { type: phoneCustomer, key }
          const hashes = subjectHashes(secrets, environment_id, subject)
          return { environment_id, id: one, subject, hashes, erased_at: call.now }
        })
      )
      // Rows go by their keys; the ids of joined contacts matter to stored responses alone.
      const ofKeys = erased.filter((one) => one.id === contact.id)
      const others = yield* Effect.forEach(ofKeys, (one) =>
        Effect.forEach(erasers, ({ rows }) => rows?.(one) ?? Effect.succeed([]))
      )
      const written = yield* commit.write([
        eraseContact.row({
          environment_id,
          id: contact.id,
          customer_type: phoneCustomer,
          match_key: contact.match_key,
          keys: keys.join(","),
          subjects: ofKeys.map(({ hashes: [hash] }) => hash).join(","),
          revision: contact.revision,
          at: call.now
        }),
        ...erased.map((one) =>
          noteErasure.row({
            environment_id,
            id: one.id,
            customer_type: phoneCustomer,
            match_key: one.subject.key,
            erased_at: call.now
          })
        ),
        ...others.flat(2)
      ])
      return written(eraseContact.name).has(contact.id)
        ? reply(call, 200, { id, object: "contact", deleted: true })
        : undefined
    })

    const insist = (call: ApiCall<"environment_id">, id: string, left: number): OperationReply =>
      Effect.flatMap(attempt(call, id), (answer) => {
        if (answer !== undefined) return Effect.succeed(answer)
        return left > 1 ? insist(call, id, left - 1) : Effect.fail(new ServiceUnavailable({ retry_after_ms: 1000 }))
      })

    return Erasures.of({ erase: (call, id) => insist(call, id, tries) })
  })
)
