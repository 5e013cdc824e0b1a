import type { Claim, StoredResponse } from "@carteiro/owners/Idempotency.ts"
import type { Turned } from "@carteiro/owners/OwnerClocks.ts"
import type {
  Capability,
  EnvironmentKind,
  KeyScope,
  MemberRole,
  OperationTraits,
  RateClass
} from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { MacTexts } from "@carteiro/secrets/Secrets.ts"
import { Context, type Effect } from "effect"

/** A person of an organization, as operations know them. gaps-1 C "Dashboard sessions and roles" */
export interface CallingMember {
  readonly id: string
  readonly role: MemberRole
}

/** The caller, as read for this very request. */
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
  /** True when every operation that costs money is refused. gaps-1 N "Monthly spend cap" */
  readonly over_spend_cap: boolean
  /** The ISO 3166 code of the country in which national phone numbers are read. gaps-2 A "Phones outside `recipient.id`" */
  readonly default_region: string
  /** The person who calls, signed in; undefined for a key. */
  readonly member?: CallingMember
}

/** The caller of a route without a key: its ids are empty and match no row. */
export const nobody: Caller = {
  organization_id: "",
  project_id: "",
  environment_id: "",
  environment: "sandbox",
  api_key_id: "",
  key_prefix: "",
  scopes: [],
  capabilities_off: [],
  over_spend_cap: false,
  default_region: "BR"
}

/** Returns the person who calls an operation of people; for a key one without an id, whose role may change nothing. */
export const callingMember = ({ member }: Caller): CallingMember => member ?? { id: "", role: "member" }

/** An idempotency key as the request sent it. */
export interface PresentedKey {
  readonly key: string
  /**
   * Fingerprints of the request under every master key, the present one's first: a record may be older than a change of
   * key.
   */
  readonly fingerprints: MacTexts
  /** True when the calling API key is part of its scope. gaps-1 B "Scope of a key" */
  readonly perKey: boolean
}

/** The key and environment that belong to the secret of an API key, whether or not the key works. */
export interface KeyOwner {
  readonly environment_id: string
  readonly api_key_id: string
  readonly environment: EnvironmentKind
}

/** A request for admission. */
export interface AdmitInput {
  /** Every Authorization header as received. */
  readonly authorization: ReadonlyArray<string>
  /** The connection's peer, or the last untrusted hop behind a trusted proxy. */
  readonly ip: string
  readonly traits: OperationTraits
  /** The endpoint's identifier: part of an idempotency key's scope. */
  readonly operation: string
  /** The rate bucket; undefined when a held refusal forbids spending. */
  readonly rate: RateClass | undefined
  /** True when the request changes nothing: it is a GET. */
  readonly isRead: boolean
  /** True when only requests other than replays take a token (feedback). */
  readonly rateAfterIdempotency: boolean
  readonly idempotency: Pick<PresentedKey, "key" | "fingerprints"> | undefined
  /** Receives the key's owner before the request is judged, so that the log of a refusal has its environment too. */
  readonly onOwner?: ((owner: KeyOwner) => void) | undefined
}

/** An admitted request: to run, or to be answered with the stored response. */
export interface Admitted {
  readonly caller: Caller
  readonly replay?: StoredResponse | undefined
  readonly claim?: Claim | undefined
  /** The clock of the caller's environment, if it was turned. */
  readonly clock?: Turned | undefined
}

/**
 * A signed-in member of an organization, who acts in one of its environments or for all of it. An object stands for one
 * request of the member: what admission reads of the environment is read once for it. gaps-1 C "Dashboard sessions and roles"
 */
export interface Person {
  readonly organization_id: string
  /** True when the organization was suspended at the look-up of the session: its people read and change nothing. */
  readonly organization_suspended: boolean
  /** Undefined for a call about the organization itself, whose caller has no environment. */
  readonly environment_id: string | undefined
  readonly member: CallingMember
  /** The scopes of the member's role. */
  readonly scopes: ReadonlyArray<KeyScope>
}

/** A request of a person for admission, who has a session in place of a key. */
export type AdmitPersonInput = Omit<AdmitInput, "authorization" | "ip" | "onOwner">

/** Admits requests; the Environment owner behind it lives in room `access`. */
export class Admission extends Context.Service<
  Admission,
  {
    /**
     * Returns a refusal by header and source address alone, before any byte of the body is read: 401 without a key of
     * the right shape and checksum, 429 after too many of them. Before that it takes a token from `ceiling`, a bucket
     * of the source address, where the operation has one. A-AUTH-03, A-AUTH-04, M-CON-11
     */
    readonly refuseUnread: (
      authorization: ReadonlyArray<string>,
      ip: string,
      ceiling?: RateClass | undefined
    ) => ApiError | undefined
    /** Returns the caller, or fails with the first refusal in the order of gaps-1 A. */
    readonly admit: (input: AdmitInput) => Effect.Effect<Admitted, ApiError>
    /**
     * Returns a person as the caller of an operation, or fails with the first refusal in the order of gaps-1 A. The session
     * was checked before. The caller has no key, and one rate class for all that a member does.
     */
    readonly admitPerson: (person: Person, input: AdmitPersonInput) => Effect.Effect<Admitted, ApiError>
    /**
     * Returns the owner of a presented key without admitting it; undefined for a key that is unknown. A look-up of an unknown
     * key counts as a failed authentication of the source address.
     */
    readonly ownerOf: (authorization: ReadonlyArray<string>, ip: string) => Effect.Effect<KeyOwner | undefined>
    /**
     * Judges the idempotency key of an operation whose handler looks it up: to replay, to run under a claim, or to
     * refuse.
     */
    readonly claim: (
      caller: Caller,
      operation: string,
      presented: PresentedKey
    ) => Effect.Effect<Pick<Admitted, "replay" | "claim">, ApiError>
    /** Takes a token for a request without a key, by its source address and node. gaps-1 M "Numbers" */
    readonly source: (ip: string, rate: RateClass) => Effect.Effect<void, ApiError>
    /** Releases an idempotency key after a refusal without effect. */
    readonly release: (claim: Claim) => Effect.Effect<void>
  }
>()("@carteiro/http-edge/admission/Admission") {}
