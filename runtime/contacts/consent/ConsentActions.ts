import { type OperationReply, type Reply, rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { inTurns, type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import { subjectHashes } from "@carteiro/owners/Subject.ts"
import type { ChangeConsent, ImportContacts } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { formerKeysOf } from "@carteiro/schema/messages/PhoneDigits.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { readContactPhone, readStoppedPhone } from "../contact/ContactPhone.ts"
import { ContactRepo } from "../contact/ContactRepo.ts"
import {
  type ChosenContact,
  type ConsentChoice,
  type ContactRow,
  choose,
  phoneCustomer,
  readContact
} from "../contact/ContactState.ts"
import { insertConsentEvent, makeContact, saveContact } from "../contact/ContactWrites.ts"
import { MarketingStops } from "../contact/MarketingStops.ts"
import { eachOnce, type GivenCustomer, givenCustomer, importedCustomers } from "./ImportRows.ts"

/** A call that records choices of customers. */
export type ConsentCall = ApiCall<"environment_id" | "environment" | "default_region">

/** The most attempts before the caller is asked to retry, because concurrent calls changed a contact each time. */
const tries = 10

/** The source of a choice that names none. M-CON-03 */
const defaultSource = "api"

/**
 * Records the choices of customers. Contacts have no owner: a decision is written only while each row is unchanged
 * since the read, and repeated otherwise. M-CON-05..08, gaps-2 I "Bulk import results", "Opt-in, opt-out, reads"
 */
export class ConsentActions extends Context.Service<
  ConsentActions,
  {
    bulkImport(call: ConsentCall, body: ImportContacts): OperationReply
    optIn(call: ConsentCall, body: ChangeConsent): OperationReply
    optOut(call: ConsentCall, body: ChangeConsent): OperationReply
  }
>()("@carteiro/runtime/contacts/consent/ConsentActions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ContactRepo
      const commit = yield* Commit
      const ids = yield* Ids
      const secrets = yield* Secrets
      const marketingStops = yield* MarketingStops
      const customerIds = yield* CustomerIds

      const keyed = keyedBy(customerIds)
      const claimsOf = claimsBy(customerIds)

      /** Returns the rows of all customers, by match key; creates missing contacts. */
      const known = Effect.fnUntraced(function* (
        call: ConsentCall,
        customers: ReadonlyArray<GivenCustomer>,
        source: string
      ) {
        const { environment_id } = call.caller
        const byKey = new Map<string, ContactRow>()
        const read = Effect.fnUntraced(function* (some: ReadonlyArray<GivenCustomer>) {
          const rows = yield* repo.findByKeys(
            environment_id,
            some.map(({ match_key }) => match_key)
          )
          for (const row of rows) byKey.set(row.match_key, row)
        })
        yield* read(customers)
        const absent = customers.filter(({ match_key }) => !byKey.has(match_key))
        if (absent.length > 0) {
          yield* commit.write(
            absent.flatMap((customer) => [
              ...claimsOf(call, [customer]),
              makeContact.row({
                environment_id,
                id: ids.mint("con", call.now),
                customer_type: phoneCustomer,
                match_key: customer.match_key,
                phone: customer.phone,
                user_id: customer.user_id ?? null,
                source,
                created_at: call.now
              })
            ])
          )
          yield* read(absent)
        }
        return byKey
      })

      /** Reads, decides and writes; undefined when a row has changed in between. */
      const attempt = Effect.fnUntraced(function* (
        call: ConsentCall,
        named: ReadonlyArray<GivenCustomer>,
        choice: Omit<ConsentChoice, "metadata">,
        answerOf: (chosen: ReadonlyArray<ChosenContact>, stopped: ReadonlySet<string>) => Effect.Effect<Reply>
      ) {
        const { environment_id } = call.caller
        const customers = yield* keyed(environment_id, named)
        const rows = yield* known(call, customers, choice.source)
        const decision = yield* inTurns(
          environment_id,
          decideConsents(customers, rows, choice, (...chosen) => rowsOf({ ids, secrets }, environment_id, ...chosen))
        )
        if (decision === undefined) return undefined
        const { changed, chosen, writes } = decision
        const keys = customers.map(({ match_key }) => match_key)
        const stopped = yield* marketingStops(environment_id, keys)
        const answer = yield* answerOf(chosen, stopped)
        if (writes.length === 0 && call.claim === undefined) return answer
        const subjects = keys.map((key) => ({ type: phoneCustomer, key }))
        const written = (yield* commit.write([...claimsOf(call, customers), ...writes], {
          claim: call.claim,
          response: answer,
          subjects
        }))(saveContact.name)
        return changed.every((id) => written.has(id)) ? answer : undefined
      })

      const changeOne = (
        call: ConsentCall,
        body: ChangeConsent,
        opt_in_status: ConsentChoice["opt_in_status"],
        read: typeof readContactPhone
      ) => {
        const choice = {
          opt_in_status,
          source: body.source ?? defaultSource,
          reason: body.reason ?? null,
          at: call.now
        }
        return insist(
          attempt(call, [givenCustomer(body, call.caller.default_region, read)], choice, ([one], stopped) =>
            Effect.sync(() =>
              reply(call, 200, one === undefined ? {} : readContact(one.contact, call.caller.environment, stopped))
            )
          )
        )
      }

      return ConsentActions.of({
        bulkImport: (call, { rows, source = defaultSource }) => {
          const { default_region, environment_id } = call.caller
          return Effect.flatMap(inTurns(environment_id, importedCustomers(rows, default_region)), (customers) =>
            insist(
              attempt(
                call,
                customers,
                { opt_in_status: "opted_in", source, reason: null, at: call.now },
                (chosen, stopped) => inTurns(environment_id, importReply(call, chosen, stopped))
              )
            )
          )
        },
        optIn: (call, body) => changeOne(call, body, "opted_in", readContactPhone),
        optOut: (call, body) => changeOne(call, body, "opted_out", readStoppedPhone)
      })
    })
  )
}

/** Returns customers with the one key of each, and the phone of one whom an id names where it is known. U-HID-02 */
const keyedBy =
  (customerIds: CustomerIds["Service"]) => (environmentId: string, named: ReadonlyArray<GivenCustomer>) => {
    const keyed = (customer: GivenCustomer): Effect.Effect<GivenCustomer> =>
      customer.user_id === undefined
        ? Effect.succeed(customer)
        : Effect.map(customerIds.find(environmentId, customer.user_id), ({ key, phone }) => ({
            ...customer,
            match_key: key,
            phone
          }))
    return named.every(({ user_id }) => user_id === undefined)
      ? Effect.succeed(named)
      : Effect.map(Effect.forEach(named, keyed, { concurrency: "unbounded" }), eachOnce)
  }

/** Returns the claims of customers whom an id names. Decision 0135 */
const claimsBy =
  (customerIds: CustomerIds["Service"]) =>
  ({ caller, now }: ConsentCall, customers: ReadonlyArray<GivenCustomer>): ReadonlyArray<Row> =>
    customers.flatMap(({ match_key, user_id }) =>
      user_id === undefined ? [] : [customerIds.claim(caller.environment_id, user_id, match_key, now)]
    )

/** Returns the rows of a changed contact, and of a choice that differs from the last one. */
const rowsOf = (
  { ids, secrets }: { readonly ids: Ids["Service"]; readonly secrets: Secrets["Service"] },
  environment_id: string,
  { contact, isNewChoice }: ChosenContact,
  revision: number,
  { at, opt_in_status: type, reason, source }: ConsentChoice
): ReadonlyArray<Row> => {
  const { id, match_key } = contact
  const hashes = [match_key, ...formerKeysOf(match_key)].flatMap((key) =>
    subjectHashes(secrets, environment_id, { type: phoneCustomer, key })
  )
  const save = saveContact.row({
    environment_id,
    id,
    customer_type: phoneCustomer,
    match_key,
    subjects: hashes.join(","),
    revision,
    opt_in_status: contact.opt_in_status,
    source: contact.source,
    metadata: contact.metadata,
    opted_in_at: contact.opted_in_at,
    opted_out_at: contact.opted_out_at,
    updated_at: contact.updated_at
  })
  if (!isNewChoice) return [save]
  const event = { environment_id, contact_id: id, id: ids.mint("cev", at), type, source, reason, occurred_at: at }
  return [save, insertConsentEvent.row(event)]
}

/** The result of the rows of a choice. */
interface Decided {
  readonly chosen: ReadonlyArray<ChosenContact>
  readonly writes: ReadonlyArray<Row>
  /** The ids of the contacts that are written. */
  readonly changed: ReadonlyArray<string>
}

/**
 * Applies a choice to the customers, in slices, and writes the contacts that it changes. Undefined when one was erased
 * between its creation and its read.
 */
function* decideConsents(
  customers: ReadonlyArray<GivenCustomer>,
  rows: ReadonlyMap<string, ContactRow>,
  choice: Omit<ConsentChoice, "metadata">,
  write: (chosen: ChosenContact, revision: number, choice: ConsentChoice) => ReadonlyArray<Row>
): Slices<Decided | undefined> {
  const chosen: Array<ChosenContact> = []
  const writes: Array<Row> = []
  const changed: Array<string> = []
  for (const [index, { match_key, metadata }] of customers.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const row = rows.get(match_key)
    if (row === undefined) return undefined
    const told = { ...choice, metadata }
    const next = choose(row, told)
    chosen.push(next)
    if (!next.isChanged) continue
    changed.push(row.id)
    writes.push(...write(next, row.revision, told))
  }
  return { chosen, writes, changed }
}

/** Asks again while rows change between the read and the write. Refuses after ten attempts. */
const insist = (reading: Effect.Effect<Reply | undefined, ApiError>, left: number = tries): OperationReply =>
  Effect.flatMap(reading, (answer) => {
    if (answer !== undefined) return Effect.succeed(answer)
    return left > 1 ? insist(reading, left - 1) : Effect.fail(new ServiceUnavailable({ retry_after_ms: 1000 }))
  })

function* importReply(
  { caller, traceId }: ConsentCall,
  chosen: ReadonlyArray<ChosenContact>,
  stopped: ReadonlySet<string>
): Slices<Reply> {
  const data: Array<string> = []
  for (const [index, { contact }] of chosen.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    data.push(JSON.stringify(readContact(contact, caller.environment, stopped)))
  }
  const imported = chosen.filter(({ isNewChoice }) => isNewChoice).length
  const counts = `"imported":${imported},"skipped":${chosen.length - imported},"trace_id":"${traceId}"`
  return rawReply(200, `{"object":"contact_bulk_import","data":[${data.join()}],${counts}}`)
}
