import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, type Effect } from "effect"

/** The registration of a number at the chat platform, as owners see it. */
export interface NumberRegistration {
  readonly state: "required" | "registered" | "pin_required" | "refused"
  /** The PIN; null while the platform holds one that this service does not know. */
  readonly pin: string | null
  /** The platform's reason for a refusal. */
  readonly problem: string | null
  /** Epoch milliseconds. */
  readonly tried_at: number | null
}

/** Reads a number's registration with its PIN, and stores a PIN that an owner enters. U-CON-03 */
export class NumberRegistrations extends Context.Service<
  NumberRegistrations,
  {
    /** Returns undefined for a number whose registration this service has nothing to do with. */
    find(environmentId: string, id: string): Effect.Effect<NumberRegistration | undefined>
    /** Stores a PIN; false when the number waits for none. */
    enterPin(environmentId: string, id: string, pin: string): Effect.Effect<boolean, ApiError>
  }
>()("@carteiro/runtime/phone-numbers/number/NumberRegistrations") {}

type Sealer = Pick<Secrets["Service"], "mac" | "open" | "seal">

/**
 * Returns the PIN under which a number is registered: the stored one, else six digits that are always the same for a
 * number, so that a lost answer of the platform loses no PIN. U-CON-03
 */
export const registrationPin = (secrets: Sealer, numberId: string, sealed: Uint8Array | null): string =>
  (sealed === null ? undefined : secrets.open("registration_pin", sealed, numberId)) ??
  String(Buffer.from(secrets.mac("registration_pin", numberId)).readUInt32BE() % 1_000_000).padStart(6, "0")

/** Returns a PIN as its number's row stores it. */
export const sealPin = (secrets: Sealer, numberId: string, pin: string): Uint8Array =>
  secrets.seal("registration_pin", pin, numberId)
