import * as Readers from "./Readers.ts"
import { withDefault } from "./Rows.ts"

// Which vendor plays a role of the contract. Boot contract, "Amendments of November 2026"

const driver = <const D extends string>(role: string, about: string, standard: D, ...others: ReadonlyArray<D>) =>
  withDefault<D>(
    `CARTEIRO_${role}_DRIVER`,
    standard,
    Readers.oneOf(standard, ...others),
    `vendor behind ${about}; bridge is the protocol for a vendor of one's own`
  )

/** The driver of each role, by the name the code knows it under. */
export const driverSettings = {
  cardprocDriver: driver<"stripe" | "bridge">("CARDPROC", "the card processor", "bridge", "stripe"),
  pixprov2Driver: driver<"mercadopago" | "pix-api" | "bridge">(
    "PIXPROV2",
    "the service's own account for Pix",
    "bridge",
    "mercadopago",
    "pix-api"
  ),
  numprovDriver: driver<"telnyx" | "bridge">("NUMPROV", "the number provider", "bridge", "telnyx"),
  speechprov1Driver: driver<"openai" | "bridge">("SPEECHPROV1", "speech provider 1", "bridge", "openai"),
  speechprov2Driver: driver<"elevenlabs" | "openai" | "bridge">(
    "SPEECHPROV2",
    "speech provider 2",
    "bridge",
    "elevenlabs",
    "openai"
  ),
  speechprov3Driver: driver<"elevenlabs" | "openai" | "bridge">(
    "SPEECHPROV3",
    "speech provider 3",
    "bridge",
    "elevenlabs",
    "openai"
  )
}
