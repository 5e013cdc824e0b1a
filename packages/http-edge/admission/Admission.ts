import type { Claim, StoredResponse } from "@carteiro/owners/Idempotency.ts"
import type { Turned } from "@carteiro/owners/OwnerClocks.ts"
import type {
  Capability,
  EnvironmentKind,
  KeyScope,
  OperationTraits,
  RateClass
} from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { MacTexts } from "@carteiro/secrets/Secrets.ts"
import { Context, type Effect } from "effect"

/** Who is calling, as read for this very request. */
export interface Caller {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly api_key_id: string
  readonly key_prefix: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Capability families switched off for the environment. gaps-1 N */
  readonly capabilities_off: ReadonlyArray<Capability>
  /** Whether everything that costs money is refused. gaps-1 N "Monthly spend cap" */
  readonly over_spend_cap: boolean
}

/** An idempotency key as the request brought it. */
export interface PresentedKey {
  readonly key: string
  /** Of the request, under every master key, the present one's first: a record may be older than a change of key. */
  readonly fingerprints: MacTexts
  /** The calling API key is part of its scope. gaps-1 B "Scope of a key" */
  readonly perKey: boolean
}

/** Where the secret of an API key leads, whether the key works or not. */
export interface KeyOwner {
  readonly environment_id: string
  readonly api_key_id: string
  readonly environment: EnvironmentKind
}

/** One request asking to be let in. */
export interface AdmitInput {
  /** Every Authorization header as received. */
  readonly authorization: ReadonlyArray<string>
  /** Connection peer, or the last untrusted hop behind a trusted proxy. */
  readonly ip: string
  readonly traits: OperationTraits
  /** The endpoint's identifier: part of an idempotency key's scope. */
  readonly operation: string
  /** The bucket to draw from; undefined when a held refusal forbids spending. */
  readonly rate: RateClass | undefined
  /** Draw only when the request is not a replay (feedback). */
  readonly rateAfterIdempotency: boolean
  readonly idempotency: Pick<PresentedKey, "key" | "fingerprints"> | undefined
  /** Told where the key leads before the request is judged, so that a refusal has its environment too. */
  readonly onOwner?: ((owner: KeyOwner) => void) | undefined
}

/** A request let in: to run, or to be answered with what was stored. */
export interface Admitted {
  readonly caller: Caller
  readonly replay?: StoredResponse | undefined
  readonly claim?: Claim | undefined
  /** The clock of the caller's environment, where it was turned. */
  readonly clock?: Turned | undefined
}

/** The door of the Environment owner, which lives in room `access`. Architecture, section 3 "Admit" */
export class Admission extends Context.Service<
  Admission,
  {
    /**
     * Returns the refusal by header and source address alone, before a byte of the body is read: 401 where no key of the right
     * shape and checksum is shown, 429 after too many of them. Before that a token is drawn from `ceiling`, a bucket of the
     * source address, where the operation has one. A-AUTH-03, A-AUTH-04, M-CON-11
     */
    readonly refuseUnread: (
      authorization: ReadonlyArray<string>,
      ip: string,
      ceiling?: RateClass | undefined
    ) => ApiError | undefined
    /** The first refusal in the order of gaps-1 A, or who is calling. */
    readonly admit: (input: AdmitInput) => Effect.Effect<Admitted, ApiError>
    /** Judges the idempotency key of an operation whose handler looks it up: to replay, to run under a claim, or refused. */
    readonly claim: (
      caller: Caller,
      operation: string,
      presented: PresentedKey
    ) => Effect.Effect<Pick<Admitted, "replay" | "claim">, ApiError>
    /** Draws a token for a request without a key, by its source address and node. gaps-1 M "Numbers" */
    readonly source: (ip: string, rate: RateClass) => Effect.Effect<void, ApiError>
    /** Gives an idempotency key back after a refusal without effect. */
    readonly release: (claim: Claim) => Effect.Effect<void>
  }
>()("@carteiro/http-edge/admission/Admission") {}
