/** The reason for a failed step, which the number shows when its order ends. */
export interface MissingReason {
  readonly code: string
  readonly message: string
}

const undelivered: MissingReason = {
  code: "number_unavailable",
  message: "The number provider has no number of this area code now; order another one, or later."
}

const callsOnly: MissingReason = {
  code: "number_receives_no_texts",
  message:
    "The numbers of this area code take calls only, so no verification code would reach one; nothing was bought. Order another area code."
}

const unknown: MissingReason = {
  code: "number_provider_unavailable",
  message: "The number provider did not answer; order the number again later."
}

const refused: MissingReason = {
  code: "number_provider_refused",
  message: "The number provider takes no orders of this installation; its operator has to look."
}

/** The reasons by the codes of the port. */
const byRefusal: ReadonlyMap<string, MissingReason> = new Map(
  Object.entries({
    no_inventory: undelivered,
    number_unavailable: undelivered,
    calls_only: callsOnly,
    unreachable: unknown,
    busy: unknown
  })
)

/** The reasons for which a number could not be rented, as its `error_code` and `error_message` show them. M-ORD-19 */
export const missings = {
  noProvider: {
    code: "number_provider_unavailable",
    message: "This installation has no number provider that could deliver the number."
  },
  unknown,
  notConnected: {
    code: "no_provider_connection",
    message: "The environment has no connected account to register the number with; connect one and order again."
  },
  late: {
    code: "number_delivery_timeout",
    message: "The number provider did not deliver the number in time; order it again."
  },
  taken: {
    code: "phone_number_conflict",
    message: "The number that was delivered is in use already; order another one."
  },
  noCode: {
    code: "verification_code_timeout",
    message: "No verification code reached the number in time; order another one."
  },
  platformUnavailable: {
    code: "upstream_registration_failed",
    message: "The chat platform did not answer while the number was registered; order it again later."
  },
  undelivered,
  callsOnly,
  /** Returns the reason for a refusal of the provider, by the provider's code. */
  refused: (code: string): MissingReason => byRefusal.get(code) ?? refused,
  notRegistered: (why: string | null): MissingReason => ({
    code: "upstream_registration_failed",
    message: why === null ? "The chat platform refused the number." : `The chat platform refused the number: ${why}`
  })
} as const
