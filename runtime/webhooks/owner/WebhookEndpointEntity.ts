import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Claim } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import {
  answer,
  batch,
  commit,
  commitThen,
  type Decision,
  decideEach,
  defineOwner,
  type OwnerHandle,
  refuse
} from "@carteiro/owners/Owner.ts"
import type { UpdateWebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEndpointDisabled, WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Schema } from "effect"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { admit, type RollingWindow } from "../../ratelimit/RollingWindow.ts"
import { cancelRow, type EndpointState, makeDeliveryQueues } from "../delivery/DeliveryCalls.ts"
import { testDelivery } from "../delivery/TestDelivery.ts"
import { WebhookDeliveryRepo } from "../delivery/WebhookDeliveryRepo.ts"
import { stoppedBy } from "../endpoint/EndpointHealth.ts"
import { patchEndpoint } from "../endpoint/EndpointPatch.ts"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import {
  type EndpointSecrets,
  mintSecrets,
  noSecrets,
  openSecrets,
  rotateSecrets
} from "../endpoint/EndpointSecrets.ts"
import { type StoredEndpoint, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"

/** A finished response: made before the commit and stored with it, so that a replay has identical bytes. */
const FinishedResponse = Schema.Struct({ status: Schema.Int, body: Schema.String })
type FinishedResponse = typeof FinishedResponse.Type

/** The caller's environment, which must be the endpoint's, and the request's trace. */
const from = { environment_id: Schema.String, trace_id: Schema.String }
const From = Schema.Struct(from)
type From = typeof From.Type

/** The members of a PATCH, all of them: one that is missing here never reaches an owner on another node. */
const changes = {
  url: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  subscribed_events: Schema.optionalKey(Schema.Array(Schema.String)),
  status: Schema.optionalKey(Schema.Literals(["active", "disabled"]))
} satisfies Readonly<Record<keyof UpdateWebhookEndpoint, Schema.Top>>

const UpdateItem = Schema.Struct({ ...from, ...changes })
export type UpdateItem = typeof UpdateItem.Type

const RotateItem = Schema.Struct({ ...from, claim: Schema.UndefinedOr(Claim) })
export type RotateItem = typeof RotateItem.Type

/** The caller mints the ids, so that a repeated call makes one probe. */
const TestItem = Schema.Struct({
  ...from,
  claim: Schema.UndefinedOr(Claim),
  /** True for a recovery, which also tests an endpoint that was disabled by hand. */
  is_recovery: Schema.optionalKey(Schema.Boolean),
  webhook_event_id: Schema.String,
  event_id: Schema.String,
  attempt_id: Schema.String
})
export type TestItem = typeof TestItem.Type

/**
 * The owner of one endpoint: its health, secrets and queue change here, in one order, and its due deliveries are sent
 * from here.
 */
export const WebhookEndpointEntity = defineOwner("WebhookEndpoint", {
  Update: batch(UpdateItem, FinishedResponse),
  Delete: batch(From, FinishedResponse),
  RotateSecret: batch(RotateItem, FinishedResponse),
  /** Counts one test request, replays included, before its idempotency key is checked. A-WHT-08, A-WHT-09 */
  AdmitTest: batch(From, Schema.Void),
  Test: batch(TestItem, FinishedResponse)
})

/** An endpoint and the state that survives its reload. */
interface OwnedEndpoint extends EndpointState {
  /** The test requests of the last minute; the saved ones are up to two seconds older. */
  tests: RollingWindow
}

const savedTests = jsonCodec<RollingWindow>()

export const webhookEndpointOwners = WebhookEndpointEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const deliveries = yield* WebhookDeliveryRepo
    const secrets = yield* Secrets
    const ids = yield* Ids
    const testLimit = (yield* Rates).endpoint_test.endpoint
    const queueOf = yield* makeDeliveryQueues

    const load = (owner: OwnerHandle, saved: string | undefined, before: OwnedEndpoint | undefined) =>
      Effect.map(loadEndpoint(owner.id), (endpoint): OwnedEndpoint => {
        const state: OwnedEndpoint = {
          endpoint,
          secrets: endpoint === undefined ? noSecrets : openOwn(secrets, endpoint),
          stop: endpoint === undefined ? "deleted" : stopOf(endpoint),
          queue: before?.queue ?? queueOf(owner),
          tests: before?.tests ?? (saved === undefined ? [] : savedTests.read(saved))
        }
        state.queue.follow(owner, state)
        return state
      })

    /**
     * Loads an endpoint; one of an earlier release gets its Standard Webhooks secret here, which its next rotation
     * shows.
     */
    const loadEndpoint = Effect.fnUntraced(function* (id: string) {
      const endpoint = yield* repo.load(id)
      if (endpoint === undefined || endpoint.standard_webhooks_secret !== null) return endpoint
      yield* repo.giveStandardSecret(id, mintSecrets(secrets, ids, endpoint).sealed.standard_webhooks_secret)
      return yield* repo.load(id)
    })

    const update: Decide<UpdateItem> = (item, endpoint, state, owner, now) => {
      const next = patchEndpoint(endpoint, item, now)
      if (next === endpoint) return answer(shown(item, endpoint))
      const stop = stoppedBy(endpoint.health, next.health)
      const rows = [repo.update(next)]
      if (stop !== undefined) rows.push(cancelRow(state, owner, stop, deliveries))
      state.endpoint = next
      state.stop = stop ?? (next.health.status === "active" ? undefined : state.stop)
      if (stop !== undefined) state.queue.follow(owner, state)
      return commitAndLook(owner, rows, shown(item, next))
    }

    const remove: Decide<From> = (item, endpoint, state, owner) => {
      const rows = [repo.delete(endpoint), cancelRow(state, owner, "deleted", deliveries)]
      state.endpoint = undefined
      state.secrets = noSecrets
      state.stop = "deleted"
      state.queue.follow(owner, state)
      const body = { id: endpoint.id, object: "webhook_endpoint", deleted: true }
      return commitAndLook(owner, rows, plain(reply({ traceId: item.trace_id }, 200, body)))
    }

    const rotate: Decide<RotateItem> = (item, endpoint, state, _owner, now) => {
      const minted = mintSecrets(secrets, ids, endpoint)
      const next = rotateSecrets(endpoint, minted.sealed, now)
      state.endpoint = next
      state.secrets = openOwn(secrets, next)
      const value = shown(item, next, minted.shown)
      return commit({ rows: [repo.rotate(next)], claim: item.claim, response: value, value })
    }

    const test: Decide<TestItem> = (item, endpoint, _state, owner, now) => {
      if (item.is_recovery !== true && endpoint.health.disabled_reason === "manual")
        return refuse(new WebhookEndpointDisabled())
      const { attempt, event, place } = testDelivery(endpoint, item, now)
      const rows = [deliveries.event(event), deliveries.attempt(place, attempt)]
      const body = {
        object: "webhook_test",
        webhook_event_id: event.id,
        webhook_endpoint_id: endpoint.id,
        status: "pending"
      }
      return commitAndLook(owner, rows, plain(reply({ traceId: item.trace_id }, 202, body)), item.claim)
    }

    const admitTest: Decide<From, void> = (_item, _endpoint, state, owner, now) => {
      if (testLimit === undefined) return answer(undefined)
      // Limits use real time, because a sandbox could lift them by turning its clock.
      const { admitted, retryAfterMs, window } = admit(state.tests, testLimit, now - (owner.lead() ?? 0))
      state.tests = window
      if (admitted) owner.touch()
      return admitted ? answer(undefined) : refuse(emptyBucket("endpoint_test", "webhook endpoint", retryAfterMs))
    }

    return {
      load,
      snapshot: ({ tests }: OwnedEndpoint) => (tests.length === 0 ? undefined : savedTests.write(tests)),
      work: (state: OwnedEndpoint, owner) => state.queue.pass(state, owner),
      handlers: {
        Update: ofEndpoint(update),
        Delete: ofEndpoint(remove),
        RotateSecret: ofEndpoint(rotate),
        AdmitTest: ofEndpoint(admitTest),
        Test: ofEndpoint(test)
      }
    }
  })
)

/** Decides one item about an endpoint that its caller may change. */
type Decide<Item, A = FinishedResponse> = (
  item: Item,
  endpoint: StoredEndpoint,
  state: OwnedEndpoint,
  owner: OwnerHandle,
  now: number
) => Decision<A>

/** Returns the handler that decides only for the environment of the endpoint, and refuses the others. A-WHE-33 */
const ofEndpoint = <Item extends From, A>(decide: Decide<Item, A>) =>
  decideEach((item: Item, state: OwnedEndpoint, owner, now) =>
    state.endpoint === undefined || state.endpoint.environment_id !== item.environment_id
      ? refuse(new WebhookEndpointNotFound())
      : decide(item, state.endpoint, state, owner, now)
  )

/** Commits and then runs the queue, because rows may be due or must end. */
const commitAndLook = (
  owner: OwnerHandle,
  rows: ReadonlyArray<Row>,
  value: FinishedResponse,
  claim?: Claim | undefined
): Decision<FinishedResponse> =>
  commitThen({
    rows,
    claim,
    response: value,
    settle: () => {
      owner.dueAt(owner.now())
      return { ok: value }
    }
  })

const openOwn = (secrets: Secrets["Service"], endpoint: StoredEndpoint): EndpointSecrets => {
  const opened = openSecrets(secrets, endpoint)
  if (opened?.standard === undefined) throw new Error(`secrets of ${endpoint.id} do not open`)
  return opened
}

const shown = (item: { readonly trace_id: string }, endpoint: StoredEndpoint, more: object = {}): FinishedResponse =>
  plain(reply({ traceId: item.trace_id }, 200, { ...readEndpoint(endpoint, endpoint.environment), ...more }))

const plain = ({ status, body }: Reply): FinishedResponse => ({ status, body })

/** Returns a stop that a crash may have interrupted before all waiting attempts ended. */
const stopOf = ({ health }: StoredEndpoint) =>
  health.status === "active" ? undefined : health.disabled_reason === "manual" ? "manual" : "breaker"
